import type { Database } from "../../../platform/postgres/database.ts";
import { slowQuery } from "../../../platform/postgres/query.ts";
import type { TenantId } from "../../../platform/postgres/tenant-id.ts";
import type { Rejection } from "../kind.ts";
import type { Reading } from "../reading/reading.ts";
import type { Cells } from "../reading/rows.ts";

/** Selects the rejected rows of an import: those of the check, or (`isFinal`) those of the import itself. */
export type RejectionsOf = { id: string; isFinal: boolean; reading: Reading };

const list = slowQuery<[id: string, isFinal: boolean, afterLine: number, most: number]>(
  "list_rejections",
  `select line, errors, cells from import_rejections
  where tenant_id = $1 and import_id = $2 and is_final = $3 and line > $4 order by line limit $5`,
).all(([line, wrong, cells]): Rejection => {
  const { errors, row } = JSON.parse(String(wrong)) as Pick<Rejection, "errors" | "row">;
  return { line: Number(line), errors, row, cells: JSON.parse(cells ?? "{}") as Cells };
});

/** Rejected rows after a line number, in ascending order. */
export async function listRejections(
  tenant: TenantId,
  database: Database,
  { id, isFinal }: RejectionsOf,
  afterLine: number,
  most: number,
): Promise<Rejection[]> {
  return await list(tenant, database, id, isFinal, afterLine, most);
}
