import { ofLiveCompany } from "../../customers/companies/live-company-queries.ts";
import type { BulkRows } from "../../kit/bulk-queries.ts";
import { TEXT_MAX } from "../../platform/fields/fields.ts";
import { pageByBytes, withinBytes } from "../../platform/fields/long-texts.ts";
import { namedStatement, stepQuery } from "../../platform/postgres/query.ts";
import { column, selectList } from "../../platform/postgres/statement.ts";
import { importedLine, lineFields } from "./invoice.ts";
import { hasLockedColumns } from "./locked-queries.ts";

/** An invoice whose lines are written. */
export const lockedInvoice = selectList({
  id: column.text("i.id"),
  number: column.text("i.number"),
  version: column.text("i.updated_at"),
  currency: column.textOrNull("i.currency"),
  hasLockedColumns: column.flag(hasLockedColumns("i")),
});

/** Locks the invoices with these numbers. */
export const lockInvoicesByNumber = stepQuery<[numbers: readonly string[]]>(
  "lock_invoices_of_lines",
  `select ${lockedInvoice.sql} from invoices i
  where i.tenant_id = $1 and i.number = any($2::text[]) and ${ofLiveCompany("i")}
  order by i.id for no key update of i`,
).all(lockedInvoice.read);

const columns = ["position", ...lineFields.map(({ name }) => name)];

/** A row's length is limited by that of all lines of an invoice together. */
const long = [{ name: "lines", kind: "string", max: TEXT_MAX }] as const;

/** Bulk exports of lines, ordered by invoice; each row ends with the invoice's id. */
export const lineBulk: BulkRows = {
  ...importedLine,
  identity: null,
  page: namedStatement(
    "export_invoice_lines",
    `${pageByBytes(long, [], "invoices k", `k.tenant_id = $1 and k.id > :after and k.lines is not null and ${ofLiveCompany("k")}`)}
    select k.id, k.number, ${columns.map((name) => `line.${name}`).join(", ")}
    from page join invoices k on k.tenant_id = $1 and k.id = page.id
    cross join lateral json_to_recordset(k.lines::json) as line (${columns.map((name) => `${name} text`).join(", ")})
    where ${withinBytes} order by k.id, line.position::bigint`,
  ),
};
