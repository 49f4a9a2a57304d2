import type { Database } from "../../../platform/postgres/database.ts";
import type { Statement } from "../../../platform/postgres/statement.ts";
import type { TenantId } from "../../../platform/postgres/tenant-id.ts";
import type { Rejection } from "../kind.ts";
import type { Reading } from "../reading/reading.ts";
import type { Cells } from "../reading/rows.ts";

/** Selects the rejected rows of an import: those of the check, or (`isFinal`) those of the import itself. */
export type RejectionsOf = { id: string; isFinal: boolean; reading: Reading };

const listStatement: Statement = {
  name: "list_rejections",
  text: `select line, errors, cells from import_rejections
  where tenant_id = $1 and import_id = $2 and is_final = $3 and line > $4 order by line limit $5`,
};

/** Rejected rows after a line number, in ascending order. */
export async function listRejections(
  tenant: TenantId,
  database: Database,
  { id, isFinal }: RejectionsOf,
  afterLine: number,
  most: number,
): Promise<Rejection[]> {
  const rows = await database.slow.read(tenant, listStatement, [id, isFinal, afterLine, most]);
  return rows.map(([line, wrong, cells]) => {
    const { errors, row } = JSON.parse(String(wrong)) as Pick<Rejection, "errors" | "row">;
    return { line: Number(line), errors, row, cells: JSON.parse(cells ?? "{}") as Cells };
  });
}
