import { storedReason, type SendReason } from "../../orders/invoices/wms-error.ts";
import type { Value } from "../../platform/fields/validation.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { isUniqueViolation } from "../../platform/postgres/failures.ts";
import { callsOf, stepQuery } from "../../platform/postgres/query.ts";
import { column, selectList, withTenant, type Call, type Selected } from "../../platform/postgres/statement.ts";
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

const reserving = callsOf<[users: number, companies: number, contacts: number]>(
  "reserve_ids",
  `select ${reserved.sql}`,
);

export type ReservedIds = Selected<typeof reserved>;

/** Reserves ids, so that all rows can be written in one transaction, with values encrypted for their tenant. */
export async function reserveIds(
  database: Database,
  { users, companies, contacts }: Record<"users" | "companies" | "contacts", number>,
): Promise<ReservedIds> {
  const [rows] = await database.owner([reserving(users, companies, contacts)]);
  return reserved.read(rows?.[0] ?? []);
}

const insertingTenant = callsOf<{ slug: string; name: string; country: string }>(
  "insert_demo_tenant",
  "insert into tenants (id, slug, name, country) values ($1, :slug, :name, :country)",
);

/** Rows of one table. A missing value is null. */
export type DemoRows = { table: string; rows: Record<string, Value>[] };

/** A user's change of a company, after its creation. */
export type DemoChange = { companyId: number; by: string; at: string; status: string | null; notes: string | null };

/** The call that changes a company of the demo. */
export const changeDemoCompany = callsOf<DemoChange>(
  "change_demo_company",
  `update companies set status = coalesce(:status, status), notes = coalesce(:notes, notes), updated_at = :at, changed_by = :by
  where tenant_id = $1 and id = :companyId`,
);

/** The call that connects companies of the demo to a warehouse that accepts any key, which is encrypted. */
export const connectCompanies = callsOf<[companies: readonly number[], key: string, by: string]>(
  "connect_companies",
  `update companies set wms_subdomain = case when id % 2 = 0 then 'nord' else 'sud' end, wms_api_key = $3, wms_key_set_at = now(),
    wms_key_set_by = $4, changed_by = $4, updated_at = moment_after(updated_at)
  where tenant_id = $1 and id = any($2::bigint[])`,
);

// On Citus, a case and a sum with a column may not call now().
const settingState = callsOf<{ number: string; state: string; error: string | null; isGone: boolean }>(
  "state_order",
  `with now as materialized (select now() as moment, now() + interval '1 day' as tomorrow)
  update invoices set wms_state = case when :state = '' then wms_state else :state end, wms_error = :error,
    wms_open_since = case when :state = 'unknown' then moment end, wms_gone_at = case when :isGone::boolean then moment end,
    wms_moved_at = case when wms_order_id is not null then moment end,
    wms_poll_at = case when :isGone::boolean then tomorrow end, changed_by = 'worker', updated_at = moment_after(updated_at)
  from now where tenant_id = $1 and number = :number`,
);

/** The call that sets the state of a demo invoice; an empty state leaves it unchanged. */
export function stateOrder(order: { number: string; state: string; error: SendReason | null; isGone: boolean }): Call {
  return settingState({ ...order, error: order.error && storedReason(order.error) });
}

/** The call that makes one invoice of the demo the correction of another. */
export const correctInvoice = callsOf<{ wrong: string; right: string }>(
  "correct_demo_invoice",
  `update invoices i set corrects_id = w.id from invoices w
  where i.tenant_id = $1 and i.number = :right and w.tenant_id = $1 and w.number = :wrong`,
);

/** The call that gives a company of the demo terms of its own. */
export const agreeTerms = callsOf<{ taxId: string; days: number; limit: string; by: string }>(
  "agree_demo_terms",
  `update companies set payment_days = :days, credit_limit = :limit, updated_at = moment_after(updated_at), changed_by = :by
  where tenant_id = $1 and tax_id = :taxId`,
);

const paying = callsOf<[payments: string, by: string]>(
  "pay_demo_invoices",
  `insert into payments (tenant_id, company_id, invoice_id, amount, paid_on, means, reference, created_at, updated_at, changed_by)
  select $1, i.company_id, i.id, p.amount, p.paid_on, 'bank', p.reference, p.paid_on + time '09:00', p.paid_on + time '09:00', $3
  from json_to_recordset($2) as p(number text, amount numeric, paid_on date, reference text)
  join invoices i on i.tenant_id = $1 and i.number = p.number order by p.paid_on, i.id`,
);
// Each payment has changed its invoice now; its history and its own time show the day of the payment.
const datingChanges = callsOf(
  "date_paid_demo_changes",
  `update changes c set at = p.created_at
  from payments p where p.tenant_id = $1 and p.means = 'bank' and c.tenant_id = $1 and c.type = 'invoice' and c.action = 'updated'
    and c.resource_id = p.invoice_id and c.changed like '%"paid"%'`,
);
const datingInvoices = callsOf(
  "date_paid_demo_invoices",
  `update invoices i set updated_at = p.created_at from payments p
  where p.tenant_id = $1 and p.means = 'bank' and i.tenant_id = $1 and i.id = p.invoice_id`,
);

/** The calls that record payments of invoices of the demo, as if each were recorded on its day. */
export function payInvoices(
  payments: readonly { number: string; amount: string; paid_on: string; reference: string }[],
  by: string,
): Call[] {
  return [paying(JSON.stringify(payments), by), datingChanges(), datingInvoices()];
}

/** The call that stores a company's promise to pay. */
export const promisePayment = callsOf<{ taxId: string; until: string; note: string; by: string }>(
  "promise_of_demo",
  `insert into promises (tenant_id, company_id, until, note, changed_by)
  select $1, c.id, :until::date, :note, :by from companies c where c.tenant_id = $1 and c.tax_id = :taxId`,
);

/** `assignedTo`: null for the company's owner. */
type DemoCall = {
  taxId: string;
  day: string;
  about: string;
  invoice: string | null;
  assignedTo: number | null;
  by: string;
};

const planning = callsOf<DemoCall>(
  "plan_demo_call",
  `insert into planned_calls (tenant_id, company_id, contact_id, invoice_id, due_on, about, assigned_to, planned_by, changed_by)
  select c.tenant_id, c.id, (select k.id from contacts k where k.tenant_id = c.tenant_id and k.company_id = c.id order by k.id limit 1),
    (select i.id from invoices i where i.tenant_id = c.tenant_id and i.number = coalesce(:invoice, '')), :day::date, :about,
    :assignedTo, :by, :by
  from companies c where c.tenant_id = $1 and c.tax_id = :taxId`,
);
const notingNext = callsOf<Pick<DemoCall, "taxId" | "day" | "by">>(
  "state_next_demo_call",
  `update companies set callback_date = :day::date, updated_at = moment_after(updated_at), changed_by = :by
  where tenant_id = $1 and tax_id = :taxId and (callback_date is null or callback_date > :day::date)`,
);

/** The calls that plan one with a company of the demo. */
export function planCall(call: DemoCall): Call[] {
  return [planning(call), notingNext(call)];
}

const enqueueing = callsOf(
  "enqueue_demo_orders",
  `select enqueue_wms_jobs($1, i.company_id, array_agg(i.id), null) from invoices i
  where i.tenant_id = $1 and i.wms_state in ('queued', 'sending', 'unknown') group by i.company_id`,
);
const delaying = callsOf(
  "postpone_demo_orders",
  "update jobs set run_at = now() + interval '10 minutes' where tenant_id = $1 and kind = 'send-invoice'",
);

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
export const postponeOrders = (): Call[] => [enqueueing(), delaying()];

/**
 * Creates the tenant with all its rows in one transaction. It does nothing if another process has created a tenant with
 * the slug.
 */
export async function insertDemo(
  tenant: TenantId,
  database: Database,
  demo: { slug: string; name: string; country: string },
  tables: DemoRows[],
  then: Call[],
): Promise<void> {
  try {
    await database.owner([
      // On Citus, triggers of invoices query other tables on the node of their tenant, which only the role of requests
      // may do by default (distributed-nodes.ts).
      { statement: { name: "", text: "set local citus.allow_nested_distributed_execution = on" }, parameters: [] },
      ...withTenant(tenant, [insertingTenant(demo), ...tables.map(insertRows), ...then]),
    ]);
  } catch (error) {
    if (!isUniqueViolation(error, "tenants_slug_key")) throw error;
  }
}

function insertRows({ table, rows }: DemoRows): Call {
  const list = [...new Set(rows.flatMap((row) => Object.keys(row)))].join(", ");
  return {
    statement: {
      name: `insert_demo_${table}`,
      text: `insert into ${table} (tenant_id, ${list})
      select $1, ${list} from json_populate_recordset(null::${table}, $2)`,
    },
    parameters: [JSON.stringify(rows)],
  };
}
