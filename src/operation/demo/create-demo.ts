import { randomUUID } from "node:crypto";
import { address } from "../../customers/addresses/address.ts";
import { company } from "../../customers/companies/company.ts";
import { contact } from "../../customers/contacts/contact.ts";
import { definition } from "../../customers/custom-fields/custom-field.ts";
import { recordKinds, recordOfKind } from "../../customers/records/record.ts";
import type { By } from "../../kit/actor.ts";
import type { Deps } from "../../kit/deps.ts";
import { wholeInvoice } from "../../orders/invoices/invoice.ts";
import { listApiKeys } from "../../people/api-keys/api-key-queries.ts";
import { capabilities } from "../../people/api-keys/capability.ts";
import { createApiKey } from "../../people/api-keys/create-api-key.ts";
import { demoAdmin, demoTenant, isDemo } from "../../people/sign-in/demo-sign-in.ts";
import { listTenants, type Tenant } from "../../people/tenants/tenant-queries.ts";
import { generatePassword } from "../../people/users/password.ts";
import { findByEmail, replacePasswordHash } from "../../people/users/sign-in-queries.ts";
import { BY_INVITATION } from "../../people/users/user-queries.ts";
import { dayAfter } from "../../platform/dates.ts";
import type { Secrets } from "../../platform/encryption/keyring.ts";
import { METADATA, VALUES_TEXT } from "../../platform/fields/custom.ts";
import { draftOf, storable, type Writable } from "../../platform/fields/draft.ts";
import type { Input } from "../../platform/fields/fields.ts";
import type { Value, Values } from "../../platform/fields/validation.ts";
import type { Call } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { demoActivities, lastContacts, type DemoActivity } from "./demo-activities.ts";
import {
  demoCalls,
  demoCompanies,
  demoCorrection,
  demoFirm,
  demoPromise,
  demoTerms,
  demoUsers,
  DEMO_LEAVER,
  type DemoCompany,
} from "./demo-data.ts";
import { movedToToday } from "./demo-dates.ts";
import { definedDemoFields, withDemoField } from "./demo-fields.ts";
import { demoFirms } from "./demo-firms.ts";
import { demoOrders, ORDERS_OF, type DemoOrder } from "./demo-orders.ts";
import {
  agreeTerms,
  changeDemoCompany,
  connectCompanies,
  correctInvoice,
  insertDemo,
  payInvoices,
  planCall,
  postponeOrders,
  promisePayment,
  reserveIds,
  stateOrder,
  type DemoChange,
  type DemoRows,
  type ReservedIds,
} from "./demo-queries.ts";
import { DEMO_SALES_DAYS, demoSales, type DemoSale } from "./demo-sales.ts";
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
  const specification = { name: "Demo", capabilities: [...capabilities], expiresAt: null, allowIp: [], rate: null };
  const key = await createApiKey(tenant.id, database, tenant.slug, specification, admin?.id ?? null);
  return { token: key.token, workspace: tenant.slug, email, password };
}

/** The demo tenant, if the database has no other tenant. */
export async function findDemo({ database }: Deps): Promise<TenantId | null> {
  return onlyDemo(await listTenants(database))?.id ?? null;
}

function onlyDemo(tenants: Tenant[]): Tenant | null {
  const [tenant] = tenants;
  return tenants.length === 1 && tenant !== undefined && isDemo(tenant) ? tenant : null;
}

async function fill({ database, keyring }: Deps, isConnected: boolean): Promise<void> {
  const samples = demoSamples();
  const { all } = samples;
  const ids = await reserveIds(database, {
    users: demoUsers.length,
    companies: all.length,
    contacts: all.reduce((sum, { contacts = [] }) => sum + contacts.length, 0),
  });
  const { tenant } = ids;
  const key = isConnected ? keyring.encrypt(tenant, "companies.wms_api_key", randomUUID()) : null;
  const rows = demoRows(ids, samples, { keyring, tenant });
  await insertDemo(tenant, database, demoTenant, rows, laterCalls(ids, samples, key));
}

type Samples = {
  all: readonly DemoCompany[];
  orders: readonly DemoOrder[];
  firstDay: string;
  /** Those of regular customers, by the fiscal id. */
  sales: ReadonlyMap<string, DemoSale[]>;
  activities: readonly DemoActivity[];
};

/** The samples with their days moved to today. */
function demoSamples(): Samples {
  const moved = movedToToday({
    all: [...demoCompanies(), ...demoFirms()],
    orders: demoOrders,
    firstDay: FIRST_DAY,
  });
  const sales = Map.groupBy(demoSales(), ({ taxId }) => taxId);
  const since = `${dayAfter(-DEMO_SALES_DAYS, "UTC")}T07:00:00Z`;
  const all = moved.all.map((each) => (sales.has(String(each.fields.tax_id)) ? Object.assign(each, { since }) : each));
  return { ...moved, all, sales, activities: demoActivities(all) };
}

/** The rows by table, in the order in which they are inserted. */
function demoRows(ids: ReservedIds, samples: Samples, secrets: Secrets): DemoRows[] {
  const store = (of: Writable, rows: SampleRow[]): DemoRows => {
    const { noun, values: valuesAt } = withDemoField(of);
    return {
      table: noun.table,
      rows: rows.map(({ by, ids: own, values }, index) => ({
        ...created(noun, { ...values, ...valuesAt(index) }, secrets, { kind: "user", id: String(ids.users[by]) }),
        ...own,
      })),
    };
  };
  return [
    users(ids),
    { table: "workspace_details", rows: [{ ...demoFirm, changed_by: firstUser(ids) }] },
    store(
      definition,
      definedDemoFields.map((values, index) => ({ by: 0, ids: { position: index + 1 }, values })),
    ),
    store(company, companies(ids, samples)),
    store(contact, contacts(ids, samples)),
    store(address, children(ids, samples, "addresses")),
    store(wholeInvoice, [...children(ids, samples, "invoices"), ...sold(ids, samples)]),
    ...recordKinds.map((kind) => store(recordOfKind(kind), children(ids, samples, kind))),
    activities(ids, samples),
  ];
}

/** The calls that change what was inserted, as its users did. @param key of the connection, encrypted; null for none */
function laterCalls(ids: ReservedIds, { all, orders, sales }: Samples, key: string | null): Call[] {
  const by = firstUser(ids);
  const payments = [...sales.values()]
    .flat()
    .flatMap(({ invoice: { number }, payments: own }) => own.map((payment) => Object.assign(payment, { number })));
  return [
    ...changes(ids, all).map((change) => changeDemoCompany(change)),
    ...(key === null ? [] : [connectCompanies(connected(ids, all), key, by)]),
    ...orders.map(({ invoice, state = "", error = null, isGone = false }) =>
      stateOrder({ number: invoice.number, state, error, isGone }),
    ),
    correctInvoice(demoCorrection),
    ...payInvoices(payments, by),
    promisePayment({ ...demoPromise, until: dayAfter(demoPromise.days, "UTC"), by }),
    agreeTerms({ ...demoTerms, by }),
    ...demoCalls.flatMap(({ days, for: user, ...call }) => {
      const assignedTo = user === null ? null : (ids.users[user] ?? null);
      return planCall({ ...call, day: dayAfter(days, "UTC"), assignedTo, by });
    }),
    ...postponeOrders(),
  ];
}

function firstUser({ users: [id] }: ReservedIds): string {
  return `user:${id}`;
}

/** The companies with a warehouse connection: the first active ones. */
function connected({ companies }: ReservedIds, all: readonly DemoCompany[]): number[] {
  return companies.filter((_id, index) => all[index]?.fields.status === "active").slice(0, CONNECTED);
}

const CONNECTED = 12;

/** The row that a create with these values stores. */
function created(noun: Writable, input: Input, secrets: Secrets, by: By): Values {
  const draft = draftOf(noun, input, "create");
  if (draft.messages !== null) throw new Error(`the demo has an invalid row: ${JSON.stringify(draft.messages)}`);
  const values = storable(noun, draft, secrets, { country: demoTenant.country, by });
  const { [METADATA]: text, ...others } = values;
  return typeof text === "string" ? { ...others, [METADATA]: JSON.parse(text) as Value, [VALUES_TEXT]: text } : values;
}

/** A sample's own fields, the ids and the times that it needs, and the user who wrote it (an index in `demoUsers`). */
type SampleRow = { by: number; ids: Record<string, Value>; values: Input };

/** The owner writes what belongs to a company; of one without an owner, each in turn. */
function authorOf({ owner }: DemoCompany, index: number): number {
  return owner ?? index % DEMO_LEAVER;
}

function users({ users: ids }: ReservedIds): DemoRows {
  return {
    table: "users",
    // No password has an empty hash, so none of these users can sign in; the admin gets a password later.
    // An operator created the admin, who invited the others.
    rows: demoUsers.map((user, index) =>
      Object.assign({ id: ids[index] ?? null, password_hash: "" }, user, {
        changed_by: user === demoAdmin ? "operator" : BY_INVITATION,
      }),
    ),
  };
}

function companies(reserved: ReservedIds, { all, firstDay, activities: said }: Samples): SampleRow[] {
  const contacted = lastContacts(said, ({ company: index }) => String(index));
  return all.map((each, index) => ({
    by: authorOf(each, index),
    ids: {
      id: reserved.companies[index] ?? null,
      assigned_to: each.owner === undefined ? null : (reserved.users[each.owner] ?? null),
      last_contacted_at: contacted.get(String(index)) ?? null,
      ...times(each.since ?? firstDay),
    },
    values: each.fields,
  }));
}

function contacts(reserved: ReservedIds, samples: Samples): SampleRow[] {
  const contacted = lastContacts(samples.activities, ({ company: index, contact: place }) =>
    place === null ? null : `${index}/${place}`,
  );
  const places = placesOf(samples);
  return children(reserved, samples, "contacts").map((row, index) => {
    const own = { id: reserved.contacts[index] ?? null, last_contacted_at: contacted.get(places[index] ?? "") ?? null };
    return { by: row.by, values: row.values, ids: Object.assign(row.ids, own) };
  });
}

/** Each contact of the samples in its order, as `company/place`. */
function placesOf({ all }: Samples): string[] {
  return all.flatMap(({ contacts: own = [] }, index) => own.map((_contact, place) => `${index}/${place}`));
}

function activities(reserved: ReservedIds, samples: Samples): DemoRows {
  const idOf = new Map(placesOf(samples).map((place, index) => [place, reserved.contacts[index] ?? null]));
  return {
    table: "activities",
    rows: samples.activities.map(({ company: index, contact: place, user, kind, note, at }) => ({
      company_id: reserved.companies[index] ?? null,
      contact_id: place === null ? null : (idOf.get(`${index}/${place}`) ?? null),
      kind,
      note,
      at,
      changed_by: `user:${reserved.users[user]}`,
    })),
  };
}

function children(
  reserved: ReservedIds,
  { all, orders, firstDay }: Samples,
  kind: "contacts" | "addresses" | "invoices" | (typeof recordKinds)[number],
): SampleRow[] {
  return all.flatMap((each, index) =>
    [
      ...(each[kind] ?? []),
      ...(kind === "invoices" && index === ORDERS_OF ? orders.map((order) => order.invoice) : []),
    ].map((values) => ({
      by: authorOf(each, index),
      ids: {
        company_id: reserved.companies[index] ?? null,
        ...times("issued_on" in values ? `${String(values.issued_on)}T09:00:00Z` : (each.since ?? firstDay)),
      },
      values,
    })),
  );
}

/** The invoices of regular customers. */
function sold({ companies: ids }: ReservedIds, { all, sales }: Samples): SampleRow[] {
  return all.flatMap((each, index) =>
    (sales.get(String(each.fields.tax_id)) ?? []).map(({ invoice }) => ({
      by: authorOf(each, index),
      ids: { company_id: ids[index] ?? null, ...times(`${invoice.issued_on}T09:00:00Z`) },
      values: invoice,
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
