import { requireCompany } from "../../customers/companies/require-company.ts";
import { listHistory } from "../../kit/changes/list-history.ts";
import type { Deps } from "../../kit/deps.ts";
import {
  answerBehindCursor,
  found,
  idOf,
  ok,
  refuseUnwritten,
  withMembers,
  type Answer,
  type ApiRequest,
  type Endpoint,
} from "../../kit/endpoint.ts";
import { errors } from "../../kit/errors.ts";
import { lookUp } from "../../kit/external-ids/look-up.ts";
import { expectedVersions } from "../../platform/http/entity-tag.ts";
import { pageBody, parsePage } from "../../platform/http/lists/pagination.ts";
import { NOTHING_BEHIND } from "../../platform/http/lists/walk.ts";
import type { Row } from "../../platform/postgres/statement.ts";
import { LINES_BYTES, readIncludedLines } from "./included-lines-queries.ts";
import { parseInvoiceFilters } from "./invoice-filters.ts";
import {
  includedInInvoice,
  includedInListedInvoice,
  invoiceAnswer,
  invoiceWithCompanyAnswer,
  listedInvoiceJson,
} from "./invoice-json.ts";
import { invoiceLookUps, listInvoices } from "./invoice-list-queries.ts";
import { findInvoice, invoiceExists } from "./invoice-queries.ts";
import { beforeAllInvoices, walkInvoices } from "./invoice-walk-queries.ts";
import { createInvoice, updateInvoice } from "./write-invoice.ts";

const NONE = { rows: [], total: 0 };

/** Maximum memory of an invoice in a list. */
const INVOICE_BYTES = 8 * 1024;

/**
 * GET /api/v1/companies/{company}/invoices: filters, and a page with the exact total or behind a cursor
 * (docs/contract.md 5 and 14.1).
 */
export const listInvoicesEndpoint: Endpoint = async (deps, request) => {
  const { database, keyring } = deps;
  const { query } = request;
  const { tenant } = request.actor;
  const companyId = idOf("Company", request, "company");
  const page = parsePage(query);
  const withLines = query.included.has("lines");
  await request.reserve(page.perPage * (INVOICE_BYTES + (withLines ? LINES_BYTES : 0)));
  const filters = parseInvoiceFilters(query);
  const included = includedInListedInvoice(query);
  const itemsOf = async (rows: Row[]) => {
    const json = (row: Row) => listedInvoiceJson(row, { keyring, tenant });
    const whole = (row: Row, lines: string) => withMembers(json(row), lines + included(row));
    if (!withLines) return rows.map((row) => whole(row, ""));
    const lines = await readIncludedLines(tenant, database, rows, { keyring, tenant });
    return Array.isArray(lines) ? rows.map((row, at) => whole(row, lines[at] ?? "")) : withParts(rows, lines, whole);
  };
  const isThere = async () => await requireCompany(tenant, database, companyId);
  const lookedUp = await lookUp(tenant, database, invoiceLookUps, query, isThere);
  const behind = await answerBehindCursor(deps, request, {
    cursorsOf: ["invoices", companyId, filters, ...(lookedUp?.asked ?? [])],
    beginning: beforeAllInvoices,
    require: isThere,
    read: async (place, perPage) =>
      filters === null
        ? NOTHING_BEHIND
        : await walkInvoices(tenant, database, companyId, filters, place, perPage, lookedUp?.ids),
    itemsOf,
  });
  if (behind !== null) return behind;
  if (filters === null) await isThere();
  const listed =
    filters === null ? NONE : await listInvoices(tenant, database, companyId, filters, page, lookedUp?.ids);
  if (listed === null) throw errors.resourceMissing("Company", companyId);
  const { rows, total } = listed;
  return ok(pageBody({ items: await itemsOf(rows), count: rows.length, total, page, path: request.url(), query }));
};

async function* withParts(
  rows: Row[],
  lines: AsyncIterable<string>,
  whole: (row: Row, lines: string) => string,
): AsyncGenerator<string> {
  let at = 0;
  for await (const each of lines) yield whole(rows[at++] ?? [], each);
}

function answer(status: number, row: Row, { keyring }: Deps, { actor: { tenant }, query }: ApiRequest): Answer {
  return invoiceAnswer(status, row, { keyring, tenant }, includedInInvoice(query));
}

/** POST /api/v1/companies/{company}/invoices (docs/contract.md 14.1 and 14.4). */
export const createInvoiceEndpoint: Endpoint = async (deps, request) => {
  const { actor, input, trace } = request;
  const companyId = idOf("Company", request, "company");
  const written = await createInvoice(deps, actor, companyId, input, trace);
  refuseUnwritten(written, "Company", companyId);
  if (written.outcome === "number-taken") throw errors.invoiceNumberTaken(written.holder);
  return answer(201, written.row, deps, request);
};

/** GET /api/v1/invoices/{id}, with its lines and its company's id and name (docs/contract.md 14.1). */
export const showInvoiceEndpoint: Endpoint = async ({ database, keyring }, request) => {
  const { tenant } = request.actor;
  const row = await found("Invoice", request, async (id) => await findInvoice(tenant, database, id));
  return invoiceWithCompanyAnswer(200, row, { keyring, tenant }, includedInInvoice(request.query));
};

/** PUT /api/v1/invoices/{id}: a partial update (docs/contract.md 4.5, 14.4 and 14.6). */
export const updateInvoiceEndpoint: Endpoint = async (deps, request) => {
  const { actor, input, trace } = request;
  const id = idOf("Invoice", request);
  const written = await updateInvoice(deps, actor, id, input, expectedVersions(request.ifMatch, id), trace);
  refuseUnwritten(written, "Invoice", id);
  if (written.outcome === "sent") throw written.isDraftAgain ? errors.invoiceDraftAgain() : errors.invoiceSent();
  if (written.outcome === "number-taken") throw errors.invoiceNumberTaken(written.holder);
  return answer(200, written.row, deps, request);
};

/** GET /api/v1/invoices/{id}/history. */
export const listInvoiceHistoryEndpoint = listHistory({
  model: "Invoice",
  changeType: "invoice",
  exists: invoiceExists,
});
