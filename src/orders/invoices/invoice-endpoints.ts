import { embeddedKind } from "../../customers/companies/embedded.ts";
import { companyInPath } from "../../customers/companies/require-company.ts";
import { customSecrets, customTableOf } from "../../customers/custom-fields/defined-fields.ts";
import { listHistory } from "../../kit/changes/list-history.ts";
import type { Deps } from "../../kit/deps.ts";
import {
  found,
  idOf,
  refuseUnwritten,
  withMembers,
  type Answer,
  type ApiRequest,
  type Endpoint,
} from "../../kit/endpoint.ts";
import { errors } from "../../kit/errors.ts";
import { listEndpoint } from "../../kit/list-endpoint.ts";
import { LIST_ROW_BYTES, omittedBytes, writeRows, type ListRows } from "../../platform/fields/long-texts.ts";
import { expectedVersions } from "../../platform/http/entity-tag.ts";
import type { Row } from "../../platform/postgres/statement.ts";
import { LINES_BYTES, readIncludedLines } from "./included-lines-queries.ts";
import {
  includedInInvoice,
  includedInListedInvoice,
  invoiceAnswer,
  invoiceWithCompanyAnswer,
  listedInvoiceJson,
} from "./invoice-json.ts";
import { findInvoice, invoiceExists } from "./invoice-queries.ts";
import { invoiceReads } from "./invoice-reads.ts";
import { invoice } from "./invoice.ts";
import { createInvoice, updateInvoice } from "./write-invoice.ts";

/** GET /api/v1/companies/{company}/invoices (docs/contract.md 14.1). */
export const listInvoicesEndpoint = listEndpoint({
  reads: invoiceReads,
  type: "invoice",
  parent: companyInPath,
  custom: async (tenant, database) => await customTableOf(tenant, database, invoice),
  bytesOf: ({ perPage }, { included }) => perPage * (LIST_ROW_BYTES + (included.has("lines") ? LINES_BYTES : 0)),
  itemsOf(deps, { actor: { tenant }, query }) {
    const included = includedInListedInvoice(query);
    return async (rows) => {
      const secrets = await customSecrets(deps, tenant, invoice);
      const write = (row: Row, lines = "") => withMembers(listedInvoiceJson(row, secrets), lines + included(row));
      const whole = async (ids: string[]) => await invoiceReads.whole(tenant, deps.database, ids);
      if (!query.included.has("lines")) return writeRows({ rows, write: (row) => write(row), whole });
      const lines = await readIncludedLines(tenant, deps.database, rows, secrets);
      if (!Array.isArray(lines)) return withParts(rows, lines, { write, whole });
      const linesOf = new Map(rows.map(([id], at) => [id, lines[at]]));
      return writeRows({ rows, write: (row) => write(row, linesOf.get(row[0])), whole });
    };
  },
});

/** The invoices that companies embed: each as in the company's list, without its lines. */
export const embeddedInvoices = embeddedKind(invoiceReads, async (deps, tenant, query) => {
  const included = includedInListedInvoice(query);
  const secrets = await customSecrets(deps, tenant, invoice);
  return (row) => withMembers(listedInvoiceJson(row, secrets), included(row));
});

async function* withParts(
  rows: Row[],
  lines: AsyncIterable<string>,
  { write, whole }: { write: (row: Row, lines: string) => string; whole: ListRows["whole"] },
): AsyncGenerator<string> {
  let at = 0;
  for await (const each of lines) {
    const row = rows[at++] ?? [];
    const [read = row] = omittedBytes(row) > 0 ? await whole([String(row[0])]) : [];
    yield write(read, each);
  }
}

async function answer(status: number, row: Row, deps: Deps, { actor: { tenant }, query }: ApiRequest): Promise<Answer> {
  return invoiceAnswer(status, row, await customSecrets(deps, tenant, invoice), includedInInvoice(query));
}

/** POST /api/v1/companies/{company}/invoices (docs/contract.md 14.1 and 14.4). */
export const createInvoiceEndpoint: Endpoint = async (deps, request) => {
  const { actor, input, trace } = request;
  const companyId = idOf("Company", request, "company");
  const written = await createInvoice(deps, actor, companyId, input, trace);
  refuseUnwritten(written, "Company", companyId);
  if (written.outcome === "number-taken") throw errors.invoiceNumberTaken(written.holder);
  return await answer(201, written.row, deps, request);
};

/** GET /api/v1/invoices/{id}, with its lines and its company's id and name (docs/contract.md 14.1). */
export const showInvoiceEndpoint: Endpoint = async (deps, request) => {
  const { tenant } = request.actor;
  const row = await found("Invoice", request, async (id) => await findInvoice(tenant, deps.database, id));
  const secrets = await customSecrets(deps, tenant, invoice);
  return invoiceWithCompanyAnswer(200, row, secrets, includedInInvoice(request.query));
};

/** PUT /api/v1/invoices/{id}: a partial update (docs/contract.md 4.5, 14.4 and 14.6). */
export const updateInvoiceEndpoint: Endpoint = async (deps, request) => {
  const { actor, input, trace } = request;
  const id = idOf("Invoice", request);
  const written = await updateInvoice(deps, actor, id, input, expectedVersions(request.ifMatch, id), trace);
  refuseUnwritten(written, "Invoice", id);
  if (written.outcome === "sent") throw errors.invoiceSent();
  if (written.outcome === "number-taken") throw errors.invoiceNumberTaken(written.holder);
  return await answer(200, written.row, deps, request);
};

/** GET /api/v1/invoices/{id}/history. */
export const listInvoiceHistoryEndpoint = listHistory({
  model: "Invoice",
  changeType: "invoice",
  exists: invoiceExists,
});
