import { ok, type Endpoint } from "../../kit/endpoint.ts";
import { parsePage } from "../../platform/http/lists/pagination.ts";
import { todayOf } from "../invoices/money-queries.ts";
import { NO_SALES, parseSales } from "./parse-sales.ts";
import { salesOf, type CurrencySales, type SalesRow } from "./sales-queries.ts";

/** Maximum memory of a row of the report. */
const ROW_BYTES = 1024;

/** GET /api/v1/reports/sales: the sales of a period beside the year before (docs/contract.md 14.10). */
export const salesEndpoint: Endpoint = async ({ database }, { actor: { tenant }, query, reserve }) => {
  const page = parsePage(query);
  await reserve(page.perPage * ROW_BYTES);
  const asked = parseSales(query, String(await todayOf(tenant, database)));
  const { totals, columns, rows, total, hasTooManyLines, leftOut } =
    asked === null ? NO_SALES : await salesOf(tenant, database, asked, page);
  const data = {
    from: asked?.period.from ?? null,
    to: asked?.period.to ?? null,
    from_before: asked?.period.beforeFrom ?? null,
    to_before: asked?.period.beforeTo ?? null,
    by: asked?.by ?? null,
    unit: asked?.period.unit ?? null,
    totals: totals.map(totalJson),
    columns: columns.map(({ currency, from, sold, sold_before }) => {
      return { currency: currency || null, from, sold, sold_before };
    }),
    rows: hasTooManyLines ? null : rows.map(rowJson),
    left_out: leftOut,
    total: hasTooManyLines ? null : total,
    page: page.page,
    per_page: page.perPage,
  };
  return ok(JSON.stringify({ data }));
};

type Nulled<Of> = Omit<Of, "currency"> & { currency: string | null };

function totalJson({ currency, ...sums }: CurrencySales): Nulled<CurrencySales> {
  return { currency: currency || null, ...sums };
}

function rowJson(of: SalesRow): Nulled<SalesRow> {
  const { key, name, sold, sold_before, difference, invoices, invoices_before, share, last_issued_on } = of;
  return {
    key,
    name,
    currency: of.currency || null,
    sold,
    sold_before,
    difference,
    invoices,
    invoices_before,
    share,
    last_issued_on,
  };
}
