import { pageByBytes, withinBytes } from "../../platform/fields/long-texts.ts";
import { columnsOf, namesOf } from "../../platform/fields/sql.ts";
import type { Parameter, Statement } from "../../platform/postgres/statement.ts";
import { companyFields } from "./company.ts";

/**
 * A page of the rows that an export writes: $2 is the id after which to begin, $3 how many at most; by ascending id,
 * the id and the fields. Behind them come the parameters of its own.
 */
export type ExportedRows = { page: Statement; parameters: Parameter[] };

/** Every live company. */
export const everyCompany: ExportedRows = { page: exportPageOf("export_companies", "true"), parameters: [] };

const chosen = exportPageOf("export_chosen_companies", "k.id = any($4::bigint[])");

export function chosenCompanies(ids: string[]): ExportedRows {
  return { page: chosen, parameters: [ids] };
}

/** @param condition of the company `k` */
export function exportPageOf(name: string, condition: string): Statement {
  const where = `k.tenant_id = $1 and k.id > $2 and k.deleted_at is null and ${condition}`;
  return {
    name,
    text: `${pageByBytes(companyFields, "companies k", where)}
    select k.id, ${columnsOf(namesOf(companyFields), "k")}
    from page join companies k on k.tenant_id = $1 and k.id = page.id where ${withinBytes} order by k.id`,
  };
}
