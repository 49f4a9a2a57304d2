import { ok, type Endpoint } from "../../kit/endpoint.ts";
import { parsePage } from "../../platform/http/lists/pagination.ts";
import { bucketNames } from "../invoices/money-queries.ts";
import { todayOf } from "../invoices/money-queries.ts";
import { parseReceivables } from "./parse-receivables.ts";
import { receivables, type Receivable } from "./receivables-queries.ts";

/** Maximum memory of a company in the report. */
const COMPANY_BYTES = 1024;

/** GET /api/v1/reports/receivables: who owes how much, by the days since it was due (docs/contract.md 14.10). */
export const receivablesEndpoint: Endpoint = async ({ database }, { actor: { tenant }, query, reserve }) => {
  const page = parsePage(query);
  await reserve(page.perPage * COMPANY_BYTES);
  const asked = parseReceivables(query, "UTC");
  const day = asked?.isAsOf === true ? asked.day : String(await todayOf(tenant, database));
  const found =
    asked === null
      ? { totals: [], companies: [], total: 0 }
      : await receivables(tenant, database, { ...asked, day }, page);
  const totals = found.totals.map((each) => ({
    currency: each.currency || null,
    ...figuresOf(each),
    companies: each.companies,
  }));
  const companies = found.companies.map((each) => ({
    company_id: Number(each.companyId),
    name: each.companyName,
    assigned_to: each.owner === null ? null : Number(each.owner),
    currency: each.currency || null,
    ...figuresOf(each),
    oldest_due_on: each.oldest,
  }));
  const { total } = found;
  return ok(JSON.stringify({ data: { day, totals, companies, total, page: page.page, per_page: page.perPage } }));
};

function figuresOf(of: Receivable) {
  const buckets = Object.fromEntries(bucketNames.map((name) => [name, of[name]]));
  return { owed: of.owed, overdue: of.overdue, ...buckets, paid_too_much: of.paid_too_much, invoices: of.invoices };
}
