import { insertOfCompany, ofLiveCompany } from "../../customers/companies/live-company-queries.ts";
import { externalConstraints } from "../../kit/external-ids/external-id-queries.ts";
import type { Expected } from "../../platform/fields/row-state.ts";
import {
  changes,
  columnsOf,
  ofEntry,
  partialUpdate,
  writtenTypes,
  type ColumnTypes,
} from "../../platform/fields/sql.ts";
import type { Values } from "../../platform/fields/validation.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { quickQuery } from "../../platform/postgres/query.ts";
import {
  column,
  selectList,
  type Call,
  type Row,
  type Selected,
  type Statement,
} from "../../platform/postgres/statement.ts";
import { storeUnique, uniqueIndex } from "../../platform/postgres/taken.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { invoiceColumns } from "./invoice-json.ts";
import { invoice, lockedColumns } from "./invoice.ts";
import { hasLockedColumns } from "./locked-queries.ts";

/** The unique index on the numbers of invoices. */
export const NUMBER_INDEX = "invoices_tenant_id_number_key";

const holder = selectList({
  id: column.number("id"),
  number: column.text("number"),
  company_id: column.number("company_id"),
});

/** The invoice that already has a number. */
export type NumberHolder = Selected<typeof holder>;

/** `row` is in the format of invoiceJson. */
export type InvoiceStored = { outcome: "written"; row: Row } | { outcome: "number-taken"; holder: NumberHolder };

/** An invoice and its company's name (invoiceWithCompanyJson), or null. */
export const findInvoice = quickQuery<[id: string]>(
  "find_invoice",
  `select ${columnsOf(invoiceColumns, "i")}, c.name
  from invoices i join companies c on c.tenant_id = $1 and c.id = i.company_id and c.deleted_at is null
  where i.tenant_id = $1 and i.id = $2`,
).row();

const related = selectList({
  id: column.number("r.id"),
  number: column.text("r.number"),
  isEarlier: column.flag("r.id = $3"),
});

/** Another invoice that corrects a cancelled one, or the cancelled one itself. */
export type RelatedInvoice = Selected<typeof related>;

/** The most corrections of one invoice that its page names. */
const MOST_RELATED = 10;

/** The invoice that the given one corrects, and those that correct it. @param corrects its `corrects_id` */
export const listRelated = quickQuery<[id: string, corrects: string | null]>(
  "list_related_invoices",
  `select ${related.sql} from (
    select id, number from invoices where tenant_id = $1 and id = $3
    union all
    (select id, number from invoices where tenant_id = $1 and corrects_id = $2 order by id limit ${MOST_RELATED})
  ) r order by r.id`,
).all(related.read);

export const invoiceExists = quickQuery<[id: string]>(
  "invoice_exists",
  `select 1 from invoices i where i.tenant_id = $1 and i.id = $2 and ${ofLiveCompany("i")}`,
).exists();

/** The trace of the writing request, which calls of its warehouse continue. */
const trace: ColumnTypes = new Map([["wms_trace", "text"]]);
const types: ColumnTypes = new Map([...writtenTypes(invoice), ...trace]);
/** Written at its creation only. */
const created: ColumnTypes = new Map([...types, ["corrects_id", "bigint"]]);
const written = [...created.keys()];

const insertStatement: Statement = {
  name: "insert_invoice",
  text: `${insertOfCompany("invoices", "i", created)} returning ${columnsOf(invoiceColumns, "i")}`,
};

/** Stores a new invoice of a live company with its default values; null for an unknown company. */
export async function insertInvoice(
  tenant: TenantId,
  database: Database,
  companyId: string,
  values: Values,
): Promise<InvoiceStored | null> {
  const parameters = [companyId, ...written.map((name) => values[name] ?? null)];
  return await writeUnlessTaken(tenant, database, values, { statement: insertStatement, parameters });
}

/**
 * Whether an entry would change locked columns of an invoice (`t`) that the warehouse may have, or would make it a
 * draft again.
 */
function isRefused(sent: readonly string[]): string {
  const locked = sent.filter((name) => lockedColumns.includes(name));
  const refused = [
    ...(locked.length > 0 ? [changes(types, locked)] : []),
    ...(sent.includes("status") ? ["(r.status = 'draft' and t.status is distinct from 'draft') is true"] : []),
  ];
  return refused.length === 0 ? "false" : `((${refused.join(" or ")}) and ${hasLockedColumns("t")})`;
}

/** The condition is evaluated with the row locked; sending the invoice locks the row too. */
const updateOf = partialUpdate(
  "update_invoice",
  invoice,
  (assignments, entries, sent) => `update invoices t
  set ${assignments}${paysRest(sent)}, wms_trace = case when t.wms_state = 'not_sent' then r.wms_trace else t.wms_trace end
  from ${entries}
  where t.tenant_id = $1 and ${ofEntry("edited_at")} and ${ofLiveCompany("t")} and not ${isRefused(sent)}
  returning ${columnsOf(invoiceColumns, "t")}`,
  trace,
);

/**
 * Changes the fields in `values`; null if the invoice is unknown, these changes are refused, or its version is not an
 * expected one.
 */
export async function changeInvoice(
  tenant: TenantId,
  database: Database,
  id: string,
  values: Values,
  expected: Expected,
): Promise<InvoiceStored | null> {
  return await writeUnlessTaken(tenant, database, values, updateOf(id, values, expected), id);
}

/**
 * Beside the assignments of an update: `paid` with another total means that the new total is paid. The trigger cannot
 * tell this status from one that was not sent.
 */
export function paysRest(sent: readonly string[]): string {
  if (!sent.includes("status") || !sent.includes("total")) return "";
  return `, paid = case when r.status = 'paid' and t.status = 'paid' and r.total > 0 then greatest(t.paid, r.total)
    when r.status = 'paid' and t.status = 'paid' and r.total < 0 then least(t.paid, r.total) else t.paid end`;
}

const refusedOf = partialUpdate(
  "refused_invoice",
  invoice,
  (_assignments, entries, sent) =>
    `select t.id from invoices t join ${entries} on ${ofEntry()} where t.tenant_id = $1 and ${isRefused(sent)}`,
);

/** Whether these changes are refused for an invoice, whatever its version. */
export async function refusesChange(
  tenant: TenantId,
  database: Database,
  id: string,
  values: Values,
): Promise<boolean> {
  const [rows] = await database.quick.readAll(tenant, [refusedOf(id, values, null)]);
  return rows?.length === 1;
}

const findHolder = quickQuery<[number: string]>(
  "invoice_by_number",
  `select ${holder.sql} from invoices where tenant_id = $1 and number = $2`,
).first(holder.read);

/** Returns null if the statement wrote nothing. @param id of the invoice; null for a new one */
async function writeUnlessTaken(
  tenant: TenantId,
  database: Database,
  values: Values,
  call: Call,
  id: string | null = null,
): Promise<InvoiceStored | null> {
  const write = async (): Promise<InvoiceStored | null> => {
    const [[row] = []] = await database.write(tenant, [call]);
    return row === undefined ? null : { outcome: "written", row };
  };
  const number = uniqueIndex(NUMBER_INDEX, async (): Promise<InvoiceStored | null> => {
    const found = await findHolder(tenant, database, String(values.number));
    return found && { outcome: "number-taken", holder: found };
  });
  return await storeUnique(write, [number, ...externalConstraints(tenant, database, { type: "invoice", id, values })]);
}
