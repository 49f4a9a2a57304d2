import type { Run } from "../../../platform/postgres/database.ts";
import type { RowNote } from "../cells/read-cell.ts";
import type { Rejection, Target } from "../kind.ts";
import type { ImportRow } from "../reading/rows.ts";
import { findAgain } from "./find-again.ts";
import { withOwners } from "./find-owners.ts";
import { withKnownIds } from "./known-ids.ts";

const AGAIN: RowNote = { field: "", text: "", why: "again" };

/** Rows with the numbers of their users, and with the ids of the stored rows that they are again. */
export async function identified(
  run: Run,
  target: Target,
  all: readonly ImportRow[],
): Promise<{ rows: ImportRow[]; rejected: Rejection[] }> {
  const { deps, actor, header } = target;
  const owned = await withOwners(actor.tenant, deps.database, header, all);
  const named = header.isOwnExport ? await withKnownIds(run, target, owned) : owned;
  const { ids, rejected } = await findAgain(run, target, named);
  const refused = new Set(rejected.map(({ line }) => line));
  const lines = new Map(named.flatMap(({ id, line }) => (id === null ? [] : [[id, line]])));
  const rows = named.flatMap((row): ImportRow[] => {
    const id = ids.get(row);
    if (id === undefined) return refused.has(row.line) ? [] : [row];
    // One row may name a contact by the address, and another by the name.
    const first = lines.getOrInsert(id, row.line);
    const isFirst = first === row.line;
    if (isFirst && header.again !== "skip")
      return [{ ...row, id, isAgain: true, notes: [...(row.notes ?? []), AGAIN] }];
    rejected.push({
      line: row.line,
      errors: {},
      row: isFirst ? { code: "thereAlready" } : { code: "sameRow", line: first },
      id,
    });
    return [];
  });
  return { rows, rejected };
}
