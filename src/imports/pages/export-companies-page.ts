import { chosenCompanies, filteredCompanies, type ExportedRows } from "../../companies/company-export-queries.ts";
import { parseFilters } from "../../companies/company-filters.ts";
import { chosenIds } from "../../companies/pages/bulk-page.ts";
import type { Query } from "../../platform/http/pagination.ts";
import { isId } from "../../platform/ids.ts";
import type { Page } from "../../web/page.ts";
import { exportCsv } from "../export-csv.ts";
import { kindOf } from "../kinds.ts";

const FILE = { file: "companies.csv", contentType: "text/csv; charset=utf-8" };

/** GET /companies/export: all that a list shows, with its filters, or the one company `id`. */
export const exportCompaniesPage: Page = async (deps, { actor, query }) => ({
  ...FILE,
  body: exportCsv(deps, actor.tenant, kindOf("companies"), rowsOf(query)),
});

/** POST /companies/export: the companies that are ticked. */
export const exportChosenPage: Page = async (deps, { actor, form }) => ({
  ...FILE,
  body: exportCsv(deps, actor.tenant, kindOf("companies"), chosenCompanies(chosenIds(form))),
});

function rowsOf(query: Query): ExportedRows {
  const id = query.get("id");
  if (id !== undefined) return chosenCompanies(isId(id) ? [id] : []);
  const filters = parseFilters(query);
  return filters === null ? chosenCompanies([]) : filteredCompanies(filters);
}
