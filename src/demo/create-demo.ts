import { randomUUID } from "node:crypto";
import { actingAs } from "../actor.ts";
import { address } from "../addresses/address.ts";
import { listApiKeys } from "../api-keys/api-key-queries.ts";
import { capabilities } from "../api-keys/capability.ts";
import { createApiKey } from "../api-keys/create-api-key.ts";
import { company } from "../companies/company.ts";
import { contact } from "../contacts/contact.ts";
import type { Deps } from "../deps.ts";
import { wholeInvoice } from "../invoices/invoice.ts";
import type { Secrets } from "../platform/encryption/keyring.ts";
import { draftOf, storable, type Writable } from "../platform/fields/draft.ts";
import type { Input } from "../platform/fields/fields.ts";
import type { Value, Values } from "../platform/fields/validation.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";
import { recordKinds, recordOfKind } from "../records/record.ts";
import { listTenants, type Tenant } from "../tenants/tenant-queries.ts";
import { generatePassword } from "../users/password.ts";
import { findByEmail, replacePasswordHash } from "../users/sign-in-queries.ts";
import { demoAdmin, demoCompanies, demoTenant, demoUsers, type DemoCompany } from "./demo-data.ts";
import { demoFirms } from "./demo-firms.ts";
import { demoOrders, ORDERS_OF } from "./demo-orders.ts";
import {
  changeDemoCompany,
  connectCompanies,
  insertDemo,
  postponeOrders,
  reserveIds,
  stateOrder,
  type DemoChange,
  type DemoRows,
  type ReservedIds,
} from "./demo-queries.ts";
import { hasDemoWarehouse } from "./demo-warehouse.ts";

/** Access to the demo tenant: a token with every capability, and an admin's sign-in. */
export type DemoAccess = { token: string; workspace: string; email: string; password: string };

/**
 * Creates the tenant `demo` in an empty database and returns its access data; null if there are tenants already. After
 * a crash the tenant may lack its key: then it gets one, and its admin a password.
 */
export async function createDemo(deps: Deps): Promise<DemoAccess | null> {
  const { database, passwords } = deps;
  if ((await listTenants(database)).length === 0) await fill(deps, hasDemoWarehouse(deps.config));
  const tenant = onlyDemo(await listTenants(database));
  if (tenant === null || (await listApiKeys(tenant.id, database)).length > 0) return null;
  const { email } = demoAdmin;
  const password = generatePassword();
  const admin = await findByEmail(tenant.id, database, email);
  if (admin !== null) {
    await replacePasswordHash(tenant.id, database, admin.id, admin.passwordHash, await passwords.hash(password));
  }
  const key = await createApiKey(tenant.id, database, tenant.slug, {
    name: "Demo",
    capabilities: [...capabilities],
    expiresAt: null,
    allowIp: [],
    rate: null,
  });
  return { token: key.token, workspace: tenant.slug, email, password };
}

/** The demo tenant, if the database has no other tenant. */
export async function findDemo({ database }: Deps): Promise<TenantId | null> {
  return onlyDemo(await listTenants(database))?.id ?? null;
}

function onlyDemo(tenants: Tenant[]): Tenant | null {
  const [tenant] = tenants;
  return tenants.length === 1 && tenant?.slug === demoTenant.slug && tenant.name === demoTenant.name ? tenant : null;
}

async function fill({ database, keyring }: Deps, isConnected: boolean): Promise<void> {
  const all = [...demoCompanies(), ...demoFirms()];
  const ids = await reserveIds(database, demoUsers.length, all.length);
  const secrets = { keyring, tenant: ids.tenant };
  const store = (noun: Writable, rows: SampleRow[]): DemoRows => ({
    table: noun.table,
    rows: rows.map(({ ids, values }) => ({ ...created(noun, values, secrets), ...ids })),
  });
  await insertDemo(
    ids.tenant,
    database,
    demoTenant,
    [
      users(ids),
      store(company, companies(ids, all)),
      store(contact, children(ids, all, "contacts")),
      store(address, children(ids, all, "addresses")),
      store(wholeInvoice, children(ids, all, "invoices")),
      ...recordKinds.map((kind) => store(recordOfKind(kind), children(ids, all, kind))),
    ],
    [
      ...changes(ids, all).map(changeDemoCompany(ids.tenant)),
      ...(isConnected
        ? [
            connectCompanies(
              ids.tenant,
              connected(ids, all),
              keyring.encrypt(ids.tenant, "companies.wms_api_key", randomUUID()),
              `user:${ids.users[0]}`,
            ),
          ]
        : []),
      ...demoOrders.map(({ invoice, state = "", error = null, isGone = false }) =>
        stateOrder(ids.tenant, { number: invoice.number, state, error, isGone }),
      ),
      ...postponeOrders(ids.tenant),
    ],
  );
}

/** The companies with a warehouse connection: the first active ones. */
function connected({ companies }: ReservedIds, all: readonly DemoCompany[]): number[] {
  return companies.filter((_id, index) => all[index]?.fields.status === "active").slice(0, CONNECTED);
}

const CONNECTED = 12;

/** The row that a create with these values stores. */
function created(noun: Writable, input: Input, secrets: Secrets): Values {
  const draft = draftOf(noun, input, "create");
  if (draft.messages !== null) throw new Error(`the demo has an invalid row: ${JSON.stringify(draft.messages)}`);
  return storable(noun, draft, secrets, actingAs("command", { id: secrets.tenant, country: demoTenant.country }));
}

/** A sample's own fields, and the ids that it needs. */
type SampleRow = { ids: Record<string, Value>; values: Input };

function users({ users: ids }: ReservedIds): DemoRows {
  return {
    table: "users",
    // No password has an empty hash, so none of these users can sign in; the admin gets a password later.
    rows: demoUsers.map((user, index) => Object.assign({ id: ids[index] ?? null, password_hash: "" }, user)),
  };
}

function companies(reserved: ReservedIds, all: readonly DemoCompany[]): SampleRow[] {
  return all.map(({ fields, owner, since = FIRST_DAY }, index) => ({
    ids: {
      id: reserved.companies[index] ?? null,
      assigned_to: owner === undefined ? null : (reserved.users[owner] ?? null),
      ...times(since),
    },
    values: fields,
  }));
}

function children(
  reserved: ReservedIds,
  all: readonly DemoCompany[],
  kind: "contacts" | "addresses" | "invoices" | (typeof recordKinds)[number],
): SampleRow[] {
  return all.flatMap((company, index) =>
    [
      ...(company[kind] ?? []),
      ...(kind === "invoices" && index === ORDERS_OF ? demoOrders.map((order) => order.invoice) : []),
    ].map((values) => ({
      ids: {
        company_id: reserved.companies[index] ?? null,
        ...times("issued_on" in values ? `${String(values.issued_on)}T09:00:00Z` : (company.since ?? FIRST_DAY)),
      },
      values,
    })),
  );
}

/** The date of the first customers of the demo's firm. */
const FIRST_DAY = "2025-12-01T08:00:00Z";

function times(at: string): Record<string, Value> {
  return { created_at: at, updated_at: at };
}

function changes({ companies: ids, users: userIds }: ReservedIds, all: readonly DemoCompany[]): DemoChange[] {
  return all.flatMap(({ changes: made = [] }, index) =>
    made.map(({ at, user, status = null, notes = null }) => ({
      companyId: ids[index] ?? 0,
      by: `user:${userIds[user]}`,
      at,
      status,
      notes,
    })),
  );
}
