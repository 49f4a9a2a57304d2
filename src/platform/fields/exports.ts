import { namedStatement, type NamedStatement, type NamedValues } from "../postgres/query.ts";
import { METADATA, valuesText } from "./custom.ts";
import type { FieldTable } from "./fields.ts";
import { pageByBytes, withinBytes } from "./long-texts.ts";
import { columnsOf, namesOf } from "./sql.ts";

/**
 * A page of the rows that an export writes: those behind the id `:after`, at most `:limit`. By ascending id: the id,
 * further columns, the fields, and the column `metadata` of a noun that has it. `values`: those of the statement's
 * other parameters.
 */
export type ExportedRows = { page: NamedStatement; values: NamedValues };

/**
 * @param condition of a row `k`
 * @param beside further columns, and the join that they come from
 */
export function exportStatement(
  name: string,
  { table, fields, hasCustom }: { table: string; fields: FieldTable; hasCustom?: true },
  condition: string,
  { columns, join }: { columns: string; join: string } = { columns: "", join: "" },
): NamedStatement {
  return namedStatement(
    name,
    `${pageByBytes(fields, hasCustom ? [valuesText("k")] : [], `${table} k ${join}`, `k.tenant_id = $1 and k.id > :after and ${condition}`)}
    select k.id, ${columns}${columnsOf([...namesOf(fields), ...(hasCustom ? [METADATA] : [])], "k")}
    from page join ${table} k on k.tenant_id = $1 and k.id = page.id ${join}
    where ${withinBytes} order by k.id`,
  );
}
