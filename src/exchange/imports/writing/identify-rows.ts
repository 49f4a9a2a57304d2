import type { Run } from "../../../platform/postgres/database.ts";
import { shortened, trim } from "../../../platform/text.ts";
import type { RowNote } from "../cells/read-cell.ts";
import type { Rejection, Target } from "../kind.ts";
import { SAID, type ImportRow, type RecordKeys } from "../reading/rows.ts";
import type { ImportReason } from "../reasons.ts";
import { findAgain } from "./find-again.ts";
import { withOwners } from "./find-owners.ts";
import { withKnownIds } from "./known-ids.ts";
import type { Companies } from "./parent-companies.ts";
import { recordsOf } from "./same-records.ts";

const AGAIN: RowNote = { field: "", text: "", why: "again" };

/** Rows with the numbers of their users, and with the ids of the stored rows that they are again. */
export async function identified(
  run: Run,
  target: Target,
  all: readonly ImportRow[],
): Promise<{ rows: ImportRow[]; rejected: Rejection[]; companies: Companies | undefined }> {
  const { deps, actor, header } = target;
  // Rows that waited for others of their transaction are identified already.
  const isFirstTime = all.every(({ keys }) => keys === undefined);
  const owned = isFirstTime ? await withOwners(actor.tenant, deps.database, header, all) : all;
  const named = isFirstTime && header.isOwnExport ? await withKnownIds(run, target, owned) : owned;
  const { ids, keys, rejected, companies } = await findAgain(run, target, named);
  const refused = new Set(rejected.map(({ line }) => line));
  const records = recordsOf(header);
  // Rows of an export with different ids are different records, also if no id is known here.
  const exported = new Set(header.isOwnExport ? all.flatMap(({ id, line }) => (id ? [line] : [])) : []);
  const rows = named.flatMap((row): ImportRow[] => {
    const id = ids.get(row);
    const own = row.keys ?? withId(exported.has(row.line) ? NO_KEYS : keys.get(row), id ?? row.id);
    if (refused.has(row.line)) return [];
    if (own === undefined) return [row];
    const earlier = records.earlier(own, row.line);
    const reason: ImportReason | null =
      earlier === null
        ? id !== undefined && header.again === "skip"
          ? { code: "thereAlready" }
          : null
        : earlier.isSeveral
          ? { code: "companiesAlike", name: shortened(nameOf(row), SAID) }
          : { code: "sameRow", line: earlier.line };
    if (reason !== null) {
      if (earlier === null) records.keep(own, row.line);
      rejected.push({ line: row.line, errors: {}, row: reason, id });
      return [];
    }
    const known = { ...row, keys: own };
    return [id === undefined ? known : { ...known, id, isAgain: true, notes: [...(row.notes ?? []), AGAIN] }];
  });
  return { rows, rejected, companies };
}

const NO_KEYS: RecordKeys = { asked: [], kept: [] };

/** A row may name a contact by the address, and another by the name: both mean the stored one. */
function withId(keys: RecordKeys | undefined, id: string | null): RecordKeys | undefined {
  if (keys === undefined || id === null || id === "") return keys;
  return { ...keys, asked: [...keys.asked, `#${id}`], kept: [...keys.kept, `#${id}`] };
}

function nameOf({ input: { name } }: ImportRow): string {
  return typeof name === "string" ? trim(name) : "";
}
