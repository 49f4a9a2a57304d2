import { hasWarehouse, isOwnedBy } from "../companies/live-company-queries.ts";
import { listedInvoiceColumns } from "../invoices/invoice-json.ts";
import { listedInvoiceRow } from "../invoices/invoice-row.ts";
import { hasStatusToSend } from "../invoices/invoice.ts";
import { isLongPaidSql } from "../invoices/long-paid.ts";
import type { Keyring } from "../platform/encryption/keyring.ts";
import { columnsOf } from "../platform/fields/sql.ts";
import type { Database } from "../platform/postgres/database.ts";
import { column, oneValue, selectList, type Selected, type Statement } from "../platform/postgres/statement.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";
import type { ListedOrder } from "../wms/orders/order-list-queries.ts";

/** A company that is to be called by now. */
export type CallBack = {
  id: string;
  name: string;
  date: string;
  contact: { id: string; name: string } | null;
  phone: string | null;
};

/** Of what is somebody else's so much is looked through for one's own. */
const LOOKED_THROUGH = 2_000;

const callBack = selectList({
  id: column.text("c.id"),
  name: column.text("c.name"),
  date: column.text("c.callback_date"),
  companyPhone: "c.phone",
  contactId: "k.id",
  contactName: column.text("k.first_name || ' ' || k.last_name"),
  phone: "k.phone",
  mobile: "k.mobile",
});

const callBackStatement: Statement = {
  name: "call_backs",
  text: `select ${callBack.sql}
  from (
    select id, name, callback_date, phone, assigned_to from companies
    where tenant_id = $1 and deleted_at is null and callback_date is not null and callback_date <= $2::date
    order by callback_date, id limit ${LOOKED_THROUGH}
  ) c
  left join lateral (
    select k.* from contacts k where k.tenant_id = $1 and k.company_id = c.id and k.deleted_at is null
    order by k.is_primary desc, fold(k.first_name) collate "C", k.id limit 1
  ) k on true
  where ${isOwnedBy("c", "$3")}
  order by c.callback_date, c.id limit $4`,
};

/**
 * The companies to be called on a day or earlier, the longest due first.
 * @param assignedTo a user's id, NO_OWNER, or null for all companies
 */
export async function listCallBacks(
  tenant: TenantId,
  { database, keyring }: { database: Database; keyring: Keyring },
  { today, assignedTo, most }: { today: string; assignedTo: string | null; most: number },
): Promise<CallBack[]> {
  const rows = await database.slow.read(tenant, callBackStatement, [today, assignedTo, most]);
  return rows.map((row) => {
    const { id, name, date, companyPhone, contactId, contactName, phone, mobile } = callBack.read(row);
    const shown =
      (mobile !== null && keyring.reveal(tenant, "contacts.mobile", mobile)) ||
      (phone !== null && keyring.reveal(tenant, "contacts.phone", phone)) ||
      (companyPhone !== null && keyring.reveal(tenant, "companies.phone", companyPhone)) ||
      null;
    return { id, name, date, contact: contactId === null ? null : { id: contactId, name: contactName }, phone: shown };
  });
}

const unsentOf = `(
    select i.* from invoices i where i.tenant_id = $1 and i.wms_shown = 'not_sent'
    order by i.issued_on desc nulls last, i.id desc limit ${LOOKED_THROUGH}
  ) i
  cross join lateral (
    select c.name from companies c
    where c.tenant_id = $1 and c.id = i.company_id and c.deleted_at is null and ${hasWarehouse("c")}
      and ${isOwnedBy("c", "$2")} limit 1
  ) c
  where ${hasStatusToSend} and not ${isLongPaidSql}`;

const unsentStatement: Statement = {
  name: "unsent_invoices",
  text: `select ${columnsOf(listedInvoiceColumns, "i")}, c.name
  from ${unsentOf} order by i.issued_on desc nulls last, i.id desc limit $3`,
};

const countUnsentStatement: Statement = {
  name: "count_unsent_invoices",
  text: `select count(*) from (select from ${unsentOf} limit $3) n`,
};

/** The newest invoices of connected companies that may be sent and were not, and how many there are, at most `limit`. */
export async function listUnsent(
  tenant: TenantId,
  { database, keyring }: { database: Database; keyring: Keyring },
  { assignedTo, most, limit }: { assignedTo: string | null; most: number; limit: number },
): Promise<{ orders: ListedOrder[]; total: number }> {
  const [rows = [], counted] = await database.slow.readAll(tenant, [
    { statement: unsentStatement, parameters: [assignedTo, most] },
    { statement: countUnsentStatement, parameters: [assignedTo, limit] },
  ]);
  const orders = rows.map((row) => ({
    invoice: listedInvoiceRow(row, { keyring, tenant }),
    companyName: String(row.at(-1)),
    isConnected: true,
  }));
  return { orders, total: Number(oneValue(counted)) };
}

/** Whether there is a row: by the first of an index, because `exists` may look at all of them. */
const hasAny = (from: string, by = "id") => `(select id from ${from} order by ${by} limit 1) is not null`;

const steps = selectList({
  company: column.flag(hasAny("companies where tenant_id = $1 and deleted_at is null")),
  import: column.flag(hasAny("imports where tenant_id = $1")),
  // Connections leave their history, and those from before it have made orders.
  warehouse: column.flag(`${hasAny("changes where tenant_id = $1 and type = 'connection'", "resource_id, at, id")}
    or ${hasAny("invoices where tenant_id = $1 and wms_order_id is not null", "company_id, wms_synced_at desc nulls last, id")}`),
  colleague: column.flag(`${hasAny("users where tenant_id = $1 and id <> $2")}
    or ${hasAny("invitations where tenant_id = $1")}`),
});

/** The steps of a new workspace, and whether each is done. */
export type FirstSteps = Selected<typeof steps>;

const stepsStatement: Statement = { name: "first_steps", text: `select ${steps.sql}` };

export async function findFirstSteps(tenant: TenantId, database: Database, userId: string): Promise<FirstSteps> {
  const [row = []] = await database.quick.read(tenant, stepsStatement, [userId]);
  return steps.read(row);
}
