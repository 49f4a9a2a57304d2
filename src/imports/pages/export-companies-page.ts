import type { Page } from "../../page.ts";
import { parseFilters } from "../../companies/company-filters.ts";
import { chosenCompanies, filteredCompanies } from "../../companies/company-export-queries.ts";
import { chosenIds } from "../../companies/pages/bulk-page.ts";
import { exportCsv } from "../export-csv.ts";
import { kindOf } from "../kinds.ts";

const FILE = { file: "companies.csv", contentType: "text/csv; charset=utf-8" };

/** GET /companies/export: all that a list shows, with its filters, or the one company `id`. */
export const exportCompaniesPage: Page = async (deps, { actor, query }) => {
  const filters = parseFilters(query);
  const rows = filters === null ? chosenCompanies([]) : filteredCompanies(filters);
  return { ...FILE, body: exportCsv(deps, actor.tenant, kindOf("companies"), rows) };
};

/** POST /companies/export: the companies that are ticked. */
export const exportChosenPage: Page = async (deps, { actor, form }) => {
  return { ...FILE, body: exportCsv(deps, actor.tenant, kindOf("companies"), chosenCompanies(chosenIds(form))) };
};
