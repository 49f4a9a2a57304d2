import { storedReason, type SendReason } from "../../orders/invoices/wms-error.ts";
import type { Value } from "../../platform/fields/validation.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { isUniqueViolation } from "../../platform/postgres/failures.ts";
import { stepQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Call, type Selected, type Statement } from "../../platform/postgres/statement.ts";
import { asTenantId, type TenantId } from "../../platform/postgres/tenant-id.ts";

const reserved = selectList({
  tenant: { sql: "nextval('tenants_id_seq')", read: (id) => asTenantId(String(id)) },
  users: column.list<number>("array_to_json(array(select nextval('users_id_seq') from generate_series(1, $1::int)))"),
  companies: column.list<number>(
    "array_to_json(array(select nextval('companies_id_seq') from generate_series(1, $2::int)))",
  ),
  contacts: column.list<number>(
    "array_to_json(array(select nextval('contacts_id_seq') from generate_series(1, $3::int)))",
  ),
});

const reserveStatement: Statement = { name: "reserve_ids", text: `select ${reserved.sql}` };

export type ReservedIds = Selected<typeof reserved>;

/** Reserves ids, so that all rows can be written in one transaction, with values encrypted for their tenant. */
export async function reserveIds(
  database: Database,
  { users, companies, contacts }: Record<"users" | "companies" | "contacts", number>,
): Promise<ReservedIds> {
  const [rows] = await database.owner([{ statement: reserveStatement, parameters: [users, companies, contacts] }]);
  return reserved.read(rows?.[0] ?? []);
}

const tenantStatement: Statement = {
  name: "insert_demo_tenant",
  text: "insert into tenants (id, slug, name, country) values ($1, $2, $3, $4)",
};

/** Rows of one table. A missing value is null. */
export type DemoRows = { table: string; rows: Record<string, Value>[] };

/** A user's change of a company, after its creation. */
export type DemoChange = { companyId: number; by: string; at: string; status: string | null; notes: string | null };

const changeStatement: Statement = {
  name: "change_demo_company",
  text: `update companies set status = coalesce($3, status), notes = coalesce($4, notes), updated_at = $5, changed_by = $6
  where tenant_id = $1 and id = $2`,
};

/** The call that changes a company of the demo. */
export function changeDemoCompany(tenant: TenantId): (change: DemoChange) => Call {
  return ({ companyId, status, notes, at, by }) => ({
    statement: changeStatement,
    parameters: [tenant, companyId, status, notes, at, by],
  });
}

const connectStatement: Statement = {
  name: "connect_companies",
  text: `update companies set wms_subdomain = case when id % 2 = 0 then 'nord' else 'sud' end, wms_api_key = $3, wms_key_set_at = now(),
    wms_key_set_by = $4, changed_by = $4, updated_at = moment_after(updated_at)
  where tenant_id = $1 and id = any($2::bigint[])`,
};

/** The call that connects companies of the demo to a warehouse that accepts any key. @param key encrypted */
export function connectCompanies(tenant: TenantId, companies: readonly number[], key: string, by: string): Call {
  return { statement: connectStatement, parameters: [tenant, companies, key, by] };
}

// On Citus, a case and a sum with a column may not call now().
const orderStatement: Statement = {
  name: "state_order",
  text: `with now as materialized (select now() as moment, now() + interval '1 day' as tomorrow)
  update invoices set wms_state = case when $3 = '' then wms_state else $3 end, wms_error = $4,
    wms_open_since = case when $3 = 'unknown' then moment end, wms_gone_at = case when $5::boolean then moment end,
    wms_moved_at = case when wms_order_id is not null then moment end,
    wms_poll_at = case when $5::boolean then tomorrow end, changed_by = 'worker', updated_at = moment_after(updated_at)
  from now where tenant_id = $1 and number = $2`,
};

/** The call that sets the state of a demo invoice; an empty state leaves it unchanged. */
export function stateOrder(
  tenant: TenantId,
  { number, state, error, isGone }: { number: string; state: string; error: SendReason | null; isGone: boolean },
): Call {
  return { statement: orderStatement, parameters: [tenant, number, state, error && storedReason(error), isGone] };
}

const correctStatement: Statement = {
  name: "correct_demo_invoice",
  text: `update invoices i set corrects_id = w.id from invoices w
  where i.tenant_id = $1 and i.number = $3 and w.tenant_id = $1 and w.number = $2`,
};

/** The call that makes one invoice of the demo the correction of another. */
export function correctInvoice(tenant: TenantId, { wrong, right }: { wrong: string; right: string }): Call {
  return { statement: correctStatement, parameters: [tenant, wrong, right] };
}

const termsStatement: Statement = {
  name: "agree_demo_terms",
  text: `update companies set payment_days = $3, credit_limit = $4, updated_at = moment_after(updated_at), changed_by = $5
  where tenant_id = $1 and tax_id = $2`,
};

/** The call that gives a company of the demo terms of its own. */
export function agreeTerms(
  tenant: TenantId,
  { taxId, days, limit, by }: { taxId: string; days: number; limit: string; by: string },
): Call {
  return { statement: termsStatement, parameters: [tenant, taxId, days, limit, by] };
}

const paymentsStatement: Statement = {
  name: "pay_demo_invoices",
  text: `insert into payments (tenant_id, company_id, invoice_id, amount, paid_on, means, reference, created_at, updated_at, changed_by)
  select $1, i.company_id, i.id, p.amount, p.paid_on, 'bank', p.reference, p.paid_on + time '09:00', p.paid_on + time '09:00', $3
  from json_to_recordset($2) as p(number text, amount numeric, paid_on date, reference text)
  join invoices i on i.tenant_id = $1 and i.number = p.number order by p.paid_on, i.id`,
};
// Each payment has changed its invoice now; its history and its own time show the day of the payment.
const paidChangesStatement: Statement = {
  name: "date_paid_demo_changes",
  text: `update changes c set at = p.created_at
  from payments p where p.tenant_id = $1 and p.means = 'bank' and c.tenant_id = $1 and c.type = 'invoice' and c.action = 'updated'
    and c.resource_id = p.invoice_id and c.changed like '%"paid"%'`,
};
const paidInvoicesStatement: Statement = {
  name: "date_paid_demo_invoices",
  text: `update invoices i set updated_at = p.created_at from payments p
  where p.tenant_id = $1 and p.means = 'bank' and i.tenant_id = $1 and i.id = p.invoice_id`,
};

/** The calls that record payments of invoices of the demo, as if each were recorded on its day. */
export function payInvoices(
  tenant: TenantId,
  payments: readonly { number: string; amount: string; paid_on: string; reference: string }[],
  by: string,
): Call[] {
  return [
    { statement: paymentsStatement, parameters: [tenant, JSON.stringify(payments), by] },
    { statement: paidChangesStatement, parameters: [tenant] },
    { statement: paidInvoicesStatement, parameters: [tenant] },
  ];
}

const promiseStatement: Statement = {
  name: "promise_of_demo",
  text: `insert into promises (tenant_id, company_id, until, note, changed_by)
  select $1, c.id, $3::date, $4, $5 from companies c where c.tenant_id = $1 and c.tax_id = $2`,
};

/** The call that stores a company's promise to pay. */
export function promisePayment(
  tenant: TenantId,
  { taxId, until, note, by }: { taxId: string; until: string; note: string; by: string },
): Call {
  return { statement: promiseStatement, parameters: [tenant, taxId, until, note, by] };
}

const planStatement: Statement = {
  name: "plan_demo_call",
  text: `insert into planned_calls (tenant_id, company_id, contact_id, invoice_id, due_on, about, assigned_to, planned_by, changed_by)
  select c.tenant_id, c.id, (select k.id from contacts k where k.tenant_id = c.tenant_id and k.company_id = c.id order by k.id limit 1),
    (select i.id from invoices i where i.tenant_id = c.tenant_id and i.number = coalesce($3, '')), $4::date, $5, $6, $7, $7
  from companies c where c.tenant_id = $1 and c.tax_id = $2`,
};
const nextStatement: Statement = {
  name: "state_next_demo_call",
  text: `update companies set callback_date = $3::date, updated_at = moment_after(updated_at), changed_by = $4
  where tenant_id = $1 and tax_id = $2 and (callback_date is null or callback_date > $3::date)`,
};

/** The calls that plan one with a company of the demo. @param assignedTo null for the company's owner */
export function planCall(
  tenant: TenantId,
  call: { taxId: string; day: string; about: string; invoice: string | null; assignedTo: number | null; by: string },
): Call[] {
  const { taxId, day, about, invoice, assignedTo, by } = call;
  return [
    { statement: planStatement, parameters: [tenant, taxId, invoice, day, about, assignedTo, by] },
    { statement: nextStatement, parameters: [tenant, taxId, day, by] },
  ];
}

const jobsStatement: Statement = {
  name: "enqueue_demo_orders",
  text: `select enqueue_wms_jobs($1, i.company_id, array_agg(i.id), null) from invoices i
  where i.tenant_id = $1 and i.wms_state in ('queued', 'sending', 'unknown') group by i.company_id`,
};
const laterStatement: Statement = {
  name: "postpone_demo_orders",
  text: "update jobs set run_at = now() + interval '10 minutes' where tenant_id = $1 and kind = 'send-invoice'",
};

const lock = stepQuery(
  "lock_demo_warehouse",
  "select pg_advisory_xact_lock(hashtext('liaison demo warehouse'))",
).nothing();

/** Runs work under a lock that all servers of the database share. */
export async function oneAtATime<T>(database: Database, work: () => Promise<T>): Promise<T> {
  return await database.ownerTransaction(async (run) => {
    await lock(run);
    return await work();
  });
}

/** The calls that delay the open orders of the demo for ten minutes, so that their states can be seen. */
export function postponeOrders(tenant: TenantId): Call[] {
  return [jobsStatement, laterStatement].map((statement) => ({ statement, parameters: [tenant] }));
}

/**
 * Creates the tenant with all its rows in one transaction. It does nothing if another process has created a tenant with
 * the slug.
 */
export async function insertDemo(
  tenant: TenantId,
  database: Database,
  { slug, name, country }: { slug: string; name: string; country: string },
  tables: DemoRows[],
  then: Call[],
): Promise<void> {
  try {
    await database.owner([
      // On Citus, triggers of invoices query other tables on the node of their tenant, which only the role of requests
      // may do by default (distributed-nodes.ts).
      { statement: { name: "", text: "set local citus.allow_nested_distributed_execution = on" }, parameters: [] },
      { statement: tenantStatement, parameters: [tenant, slug, name, country] },
      ...tables.map((rows) => insertRows(tenant, rows)),
      ...then,
    ]);
  } catch (error) {
    if (!isUniqueViolation(error, "tenants_slug_key")) throw error;
  }
}

function insertRows(tenant: TenantId, { table, rows }: DemoRows): Call {
  const list = [...new Set(rows.flatMap((row) => Object.keys(row)))].join(", ");
  return {
    statement: {
      name: `insert_demo_${table}`,
      text: `insert into ${table} (tenant_id, ${list})
      select $1, ${list} from json_populate_recordset(null::${table}, $2)`,
    },
    parameters: [tenant, JSON.stringify(rows)],
  };
}
