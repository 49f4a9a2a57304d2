import fs from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { capabilities } from "../../src/people/api-keys/capability.ts";
import { createApiKey } from "../../src/people/api-keys/create-api-key.ts";
import { insertTenant } from "../../src/people/tenants/tenant-queries.ts";
import { insertUser } from "../../src/people/users/user-queries.ts";
import { useCluster, type Cluster } from "../../src/platform/cluster/embedded-postgres.ts";
import { openKeyring } from "../../src/platform/encryption/key-file.ts";
import type { Keyring } from "../../src/platform/encryption/keyring.ts";
import { createLogger } from "../../src/platform/logger.ts";
import type { Connection, Database } from "../../src/platform/postgres/database.ts";
import { migrate } from "../../src/platform/postgres/migrations/migrate.ts";
import { openDatabase } from "../../src/platform/postgres/open-database.ts";
import { openRequestRole } from "../../src/platform/postgres/request-role.ts";
import { asTenantId, type TenantId } from "../../src/platform/postgres/tenant-id.ts";
import {
  COMPANIES_PER_ORDERING_ONE,
  CONTACTS_PER_COMPANY,
  ORDERS_PER_COMPANY,
  USERS_PER_TENANT,
  companyAt,
  contactAt,
  type TenantSeed,
} from "./dataset.ts";

/** A tenant that is in the database, and how to reach it. */
export type SeededTenant = TenantSeed & {
  id: TenantId;
  token: string;
  users: number[];
  /** Its companies have consecutive ids from here. */
  firstCompany: number;
};

const ROWS_PER_COPY = 20_000;
const ROWS_PER_CHUNK = 500;

/** Adds the tenants that are not there yet. The cluster is the caller's to release. */
export async function seed(
  dataDir: string,
  tenants: TenantSeed[],
  progress: (message: string) => void,
): Promise<{ cluster: Cluster; seeded: Map<string, SeededTenant> }> {
  const cluster = await useCluster(dataDir);
  const { connection } = cluster;
  await migrate(connection);
  const file = path.join(dataDir, "seed.json");
  const done = fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, "utf8")) as SeededTenant[]) : [];
  const seeded = new Map(done.map((tenant) => [tenant.slug, tenant]));
  const missing = tenants.filter(({ slug }) => !seeded.has(slug));
  if (missing.length > 0) {
    const keyring = await openKeyring(connection, dataDir, null, () => {});
    const database = openDatabase({
      connection,
      requests: await openRequestRole(connection),
      logger: createLogger("warn"),
    });
    const owner = await connectAsOwner(connection);
    for (const tenant of missing) {
      if (tenant.companies >= 1_000) progress(`seeding ${tenant.companies.toLocaleString("en")} companies`);
      seeded.set(tenant.slug, await seedTenant(tenant, { owner, database, keyring, progress }));
    }
    // Nobody answers for the warehouses of these tenants. To follow 100,000 orders there would keep a worker busy
    // beside every figure.
    await owner.query("delete from jobs");
    progress("vacuum analyze");
    await owner.query("vacuum analyze");
    await owner.query("checkpoint");
    await owner.end();
    await database.close();
    fs.writeFileSync(file, JSON.stringify([...seeded.values()]));
  }
  return { cluster, seeded };
}

export async function connectAsOwner(connection: Connection): Promise<pg.Client> {
  const client = new pg.Client({ ...connection, application_name: "liaison bench" });
  client.on("error", () => {});
  await client.connect();
  // The trigram index takes its entries in large batches rather than in thousands of small ones.
  await client.query("set gin_pending_list_limit = '256MB'; set work_mem = '256MB'; set synchronous_commit = off");
  return client;
}

type Seeding = { owner: pg.Client; database: Database; keyring: Keyring; progress: (message: string) => void };

async function seedTenant(tenant: TenantSeed, { owner, database, keyring, progress }: Seeding): Promise<SeededTenant> {
  // An interrupted run may have left half of it; a new slug is simpler than taking that apart.
  const slug = await freeSlug(owner, tenant.slug);
  const { id } = (await insertTenant(database, slug, slug, null)) ?? { id: asTenantId("0") };
  const { token } = await createApiKey(id, database, slug, {
    name: "bench",
    capabilities: [...capabilities],
    expiresAt: null,
    allowIp: [],
    rate: null,
  });
  const users: number[] = [];
  for (let index = 0; index < USERS_PER_TENANT; index++) {
    const email = `user${index}@example.com`;
    const user = await insertUser(id, database, { email, name: `User ${index}`, role: "member", passwordHash: "" });
    if (user !== null) users.push(user.id);
  }
  const total = tenant.companies;
  const firstCompany = await reserveIds(owner, "companies", total);
  const secret = (column: `${string}.${string}`, clear: string) => keyring.encryptPhone(id, column, clear);
  const report = (what: string) => (rows: number, of: number) => {
    if (of >= 100_000) progress(`${slug}: ${what} ${Math.round((100 * rows) / of)} %`);
  };

  await copy(owner, "companies", total, report("companies"), (index) => {
    const { owner: ownerIndex, phone, ...company } = companyAt(index, total);
    const assignedTo = ownerIndex === null ? null : (users[ownerIndex] ?? null);
    return {
      tenant_id: id,
      id: firstCompany + index,
      ...company,
      phone: secret("companies.phone", phone),
      assigned_to: assignedTo,
    };
  });
  await copy(owner, "contacts", total * CONTACTS_PER_COMPANY, report("contacts"), (index) => {
    const company = Math.floor(index / CONTACTS_PER_COMPANY);
    const { phone, mobile, ...contact } = contactAt(company, index % CONTACTS_PER_COMPANY);
    return {
      tenant_id: id,
      company_id: firstCompany + company,
      ...contact,
      phone: secret("contacts.phone", phone),
      mobile: secret("contacts.mobile", mobile),
    };
  });
  const orders = Math.floor(total / COMPANIES_PER_ORDERING_ONE) * ORDERS_PER_COMPANY;
  await copy(owner, "invoices", orders, report("invoices"), (index) => ({
    tenant_id: id,
    company_id: firstCompany + Math.floor(index / ORDERS_PER_COMPANY) * COMPANIES_PER_ORDERING_ONE,
    number: `INV-${index + 1}`,
    total: `${100 + (index % 900)}.50`,
    currency: "RON",
    wms_instance: "wms.example.com",
    wms_order_id: 500_000 + index,
    wms_order_number: `SO-${index + 1}`,
    wms_status: "shipped",
    wms_synced_at: `2026-10-${10 + (index % 20)}T09:15:00.123456Z`,
  }));
  return { ...tenant, id, token, users, firstCompany };
}

async function freeSlug(owner: pg.Client, slug: string): Promise<string> {
  const { rows } = await owner.query("select count(*)::int as n from tenants where slug = $1 or slug like $2", [
    slug,
    `${slug}-again-%`,
  ]);
  const taken = Number(rows[0]?.n);
  return taken === 0 ? slug : `${slug}-again-${taken}`;
}

/** Takes `count` consecutive ids out of a table's sequence and returns the first. */
async function reserveIds(owner: pg.Client, table: string, count: number): Promise<number> {
  const { rows } = await owner.query(
    "with next as (select nextval($1) as first) select first, setval($1, first + $2) from next",
    [`${table}_id_seq`, count],
  );
  return Number(rows[0]?.first);
}

type SeedRow = Record<string, string | number | boolean | null>;

/** Through the tables' triggers and indexes, as any other row. */
async function copy(
  owner: pg.Client,
  table: string,
  count: number,
  report: (rows: number, of: number) => void,
  rowAt: (index: number) => SeedRow,
): Promise<void> {
  const columns = Object.keys(rowAt(0)).join(", ");
  for (let start = 0; start < count; start += ROWS_PER_COPY) {
    const end = Math.min(start + ROWS_PER_COPY, count);
    await pipeline(
      Readable.from(chunks(start, end, rowAt)),
      owner.query(copyFrom(`copy ${table} (${columns}) from stdin`)),
    );
    report(end, count);
  }
}

function* chunks(start: number, end: number, rowAt: (index: number) => SeedRow): Generator<string> {
  for (let from = start; from < end; from += ROWS_PER_CHUNK) {
    let text = "";
    for (let index = from; index < Math.min(from + ROWS_PER_CHUNK, end); index++) {
      text += `${Object.values(rowAt(index))
        .map((value) => (value === null ? "\\N" : String(value)))
        .join("\t")}\n`;
    }
    yield text;
  }
}
