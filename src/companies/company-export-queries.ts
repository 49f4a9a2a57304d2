import { pageByBytes, withinBytes } from "../platform/fields/long-texts.ts";
import { columnsOf, namesOf } from "../platform/fields/sql.ts";
import type { Parameter, Statement } from "../platform/postgres/statement.ts";
import type { CompanyFilters } from "./company-list-queries.ts";
import { companyFields } from "./company.ts";

/**
 * A page of the rows that an export writes: $2 is the id after which to begin, $3 how many at most; by ascending id, the id
 * and the fields. Behind them come the parameters of its own.
 */
export type ExportedRows = { page: Statement; parameters: Parameter[] };

/** Every live company. */
export const everyCompany: ExportedRows = { page: pageOf("export_companies", "true"), parameters: [] };

const filtered = pageOf(
  "export_filtered_companies",
  `($4::text is null or k.search_text like (select search_pattern($4)))
  and ($5::text is null or k.status = $5) and ($6::bigint is null or k.assigned_to = $6)`,
);

/** Those that a list with these filters shows, on all of its pages. */
export function filteredCompanies({ search, status, assignedTo }: CompanyFilters): ExportedRows {
  return { page: filtered, parameters: [search, status, assignedTo] };
}

const chosen = pageOf("export_chosen_companies", "k.id = any($4::bigint[])");

export function chosenCompanies(ids: string[]): ExportedRows {
  return { page: chosen, parameters: [ids] };
}

function pageOf(name: string, condition: string): Statement {
  const where = `k.tenant_id = $1 and k.id > $2 and k.deleted_at is null and ${condition}`;
  return {
    name,
    text: `${pageByBytes(companyFields, "companies k", where)}
    select k.id, ${columnsOf(namesOf(companyFields), "k")}
    from page join companies k on k.tenant_id = $1 and k.id = page.id where ${withinBytes} order by k.id`,
  };
}
