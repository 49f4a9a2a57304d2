import { embeddedStatement } from "../../customers/companies/embedded-queries.ts";
import type { EmbeddedKind } from "../../customers/companies/embedded.ts";
import { withMembers } from "../../kit/endpoint.ts";
import { columnsOf } from "../../platform/fields/sql.ts";
import type { Statement } from "../../platform/postgres/statement.ts";
import { includedInListedInvoice, listedInvoiceColumns, listedInvoiceJson } from "./invoice-json.ts";

const wholeStatement: Statement = {
  name: "whole_invoices",
  text: `select ${columnsOf(listedInvoiceColumns, "i")} from invoices i where i.tenant_id = $1 and i.id = any($2::bigint[])`,
};

/** The texts of a row that may be long. */
const texts = [
  "number",
  "currency",
  "total",
  "wms_instance",
  "wms_order_number",
  "wms_status",
  "wms_error",
  "external",
];

/** The invoices that companies embed: each as in the company's list, without its lines. */
export const embeddedInvoices: EmbeddedKind = {
  word: "invoices",
  statement: embeddedStatement({
    table: "invoices",
    columns: listedInvoiceColumns,
    texts,
    listed: "true",
    order: "k.issued_on desc nulls last, k.id desc",
  }),
  writer: ({ database, keyring }, tenant, query) => {
    const included = includedInListedInvoice(query);
    return {
      write: (row) => withMembers(listedInvoiceJson(row, { keyring, tenant }), included(row)),
      whole: async (ids) => await database.slow.read(tenant, wholeStatement, [ids]),
    };
  },
};
