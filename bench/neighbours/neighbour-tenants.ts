import type pg from "pg";
import type { Connection } from "../../src/platform/postgres/database.ts";
import type { TenantSeed } from "../tenants/dataset.ts";
import type { SeededTenant } from "../tenants/seed.ts";
import type { AttackedRows, Attacker } from "./attack.ts";
import { pageVisitor } from "./page-visitor.ts";

/** How much the attacking tenants have. */
export type NeighbourSizes = {
  bystander: number;
  large: number;
  beneath: number;
  huge: number;
  repetitive: number;
  fat: number;
  refused: number;
};

export const FULL: NeighbourSizes = {
  bystander: 1_000,
  large: 100_000,
  beneath: 5_000,
  huge: 200_000,
  repetitive: 20_000,
  fat: 200,
  refused: 4_000,
};
export const QUICK: NeighbourSizes = {
  bystander: 200,
  large: 300,
  beneath: 40,
  huge: 100,
  repetitive: 20,
  fat: 4,
  refused: 40,
};

export type NeighbourTenants = { bystander: SeededTenant; attackers: Record<Attacker, AttackedRows> };

export function neighbourSeeds({ bystander, large, fat }: NeighbourSizes): TenantSeed[] {
  return [
    { slug: "bystander", companies: bystander },
    { slug: "large", companies: large },
    { slug: "crowded", companies: 20 },
    { slug: "fat", companies: fat },
  ];
}

/** Adds what the tenants have beyond their companies, where it is not there yet. */
export async function neighbourTenants(
  owner: pg.Client,
  seeded: Map<string, SeededTenant>,
  { beneath, huge, repetitive, fat: fatRows, refused }: NeighbourSizes,
  place: { connection: Connection; dataDir: string },
): Promise<NeighbourTenants> {
  const tenant = async (slug: string) => {
    const found = seeded.get(slug);
    if (found === undefined) throw new Error(`the tenant ${slug} was not seeded`);
    const visitor = await pageVisitor(owner, place, found, refused);
    return { ...found, ...visitor, company: found.firstCompany, hugeCompany: found.firstCompany + 1 };
  };
  const [large, crowded, fat] = [await tenant("large"), await tenant("crowded"), await tenant("fat")];
  const parts: Part[] = [
    { of: crowded, table: "contacts", beneath: crowded.company, rows: beneath, insert: CONTACTS },
    { of: crowded, table: "addresses", beneath: crowded.company, rows: beneath, insert: ADDRESSES },
    { of: crowded, table: "invoices", beneath: crowded.company, rows: beneath, insert: ORDERS },
    { of: crowded, table: "contacts", beneath: crowded.hugeCompany, rows: huge, insert: CONTACTS },
    { of: crowded, table: "changes", beneath: crowded.company, rows: huge, insert: CHANGES },
    { of: fat, table: "changes", beneath: fat.company, rows: fatRows, insert: FAT_CHANGES },
    { of: fat, table: "contacts", beneath: fat.company, rows: fatRows, insert: FAT_CONTACTS },
  ];
  let added = 0;
  for (const { of, table, beneath, rows, insert } of parts) {
    // The seed has given it some already.
    const last = `select from ${table} where tenant_id = $1 and company_id = $2 offset $3 - 1 limit 1`;
    const there = await owner.query(last, [of.id, beneath, rows]);
    if (there.rowCount === 0) added += (await owner.query(insert, [of.id, beneath, rows])).rowCount ?? 0;
  }
  added += (await owner.query(FAT_COMPANIES, [fat.id])).rowCount ?? 0;
  added += (await owner.query(REPETITIVE_COMPANIES, [crowded.id, repetitive])).rowCount ?? 0;
  if (added > 0) {
    await owner.query("vacuum analyze");
    await owner.query("checkpoint");
  }
  return { bystander: await tenant("bystander"), attackers: { large, crowded, fat } };
}

/** Rows beneath a company of a tenant. */
type Part = { of: AttackedRows; table: string; beneath: number; rows: number; insert: string };

const CONTACTS = `insert into contacts (tenant_id, company_id, first_name, last_name, email, preferred_language)
  select $1, $2, 'Ana ' || n, 'Popescu-Țărănescu ' || n, 'ana.popescu' || n || '@firma.example', 'ro' from generate_series(1, $3) n`;

const ADDRESSES = `insert into addresses (tenant_id, company_id, label, address, city, country)
  select $1, $2, 'Depozit ' || n, 'Strada Fabricii ' || n, 'Cluj-Napoca', 'Romania' from generate_series(1, $3) n`;

const ORDERS = `insert into invoices (tenant_id, company_id, number, total, currency, wms_instance, wms_order_id, wms_order_number, wms_status, wms_synced_at)
  select $1, $2, 'MANY-' || n, 100, 'RON', 'wms.example.com', 900000 + n, 'SO-' || n, 'shipped', now() from generate_series(1, $3) n`;

/** The longest texts there can be, of characters of four bytes: 200 of these companies are 105 MB of JSON. */
const FAT_COMPANIES = `update companies set notes = repeat('𝒳', 65535), delivery_notes = repeat('𝒴', 65535)
  where tenant_id = $1 and delivery_notes is null`;

const FAT_CONTACTS = `insert into contacts (tenant_id, company_id, first_name, last_name, preferred_language, notes)
  select $1, $2, 'Ana', 'Popescu', 'ro', repeat('𝒳', 65535) from generate_series(1, $3)`;

const CHANGES = `insert into changes (tenant_id, at, type, resource_id, company_id, action, changed, changed_by)
  select $1, now(), 'company', $2::bigint, $2::bigint, 'updated', '{"city":{"from":"Turda","to":"Cluj-Napoca"}}', 'command' from generate_series(1, $3)`;

/** What an update of the longest texts leaves. */
const FAT_CHANGES = `insert into changes (tenant_id, at, type, resource_id, company_id, action, changed, changed_by)
  select $1, now(), 'company', $2::bigint, $2::bigint, 'updated', format('{"notes":%1$s,"delivery_notes":%1$s}', difference), 'command'
  from generate_series(1, $3), format('{"from":"%s","to":"%s"}', repeat('𝒳', 65535), repeat('𝒴', 65535)) difference`;

/** Texts in which a search for nearly the same begins to match again at every letter. */
const REPETITIVE_COMPANIES = `insert into companies (tenant_id, name, city, email, country)
  select $1, repeat('a', 254) || 'b', repeat('a', 100), 'abc@firma.example', 'Romania' from generate_series(1, $2)
  where not exists (select from companies where tenant_id = $1 and city like 'aaa%')`;
