import type { Deps } from "../../../kit/deps.ts";
import { toCsv } from "../../../kit/files/csv-text.ts";
import type { TenantId } from "../../../platform/postgres/tenant-id.ts";
import { readChunks } from "../import-file-queries.ts";
import type { Rejection } from "../kind.ts";
import type { CsvRow } from "../reading/csv-row.ts";
import { readRows } from "../reading/read-rows.ts";
import { throttleOf } from "../reading/throttle-reading.ts";
import { listRejections, type RejectionsOf } from "./rejection-queries.ts";

const READ_AT_ONCE = 1_000;

type Note = { line: number; said: string };

/** The rejected rows of an import as CSV. @param headings of the two columns @param say formats a row's reasons */
export function rejectedCsv(
  deps: Deps,
  tenant: TenantId,
  of: RejectionsOf,
  { headings, say }: { headings: readonly string[]; say: (rejection: Rejection) => string },
): AsyncGenerator<string> {
  return notedCsv(deps, tenant, of, headings, eachRejection(deps, tenant, of, say));
}

/**
 * Rows of an import as CSV: the cells of the file, then the line number and what is said of the row. An import of this
 * file ignores those two columns. A row that could not be read has only these two.
 * @param headings of the two columns @param notes of the rows, by line
 */
export async function* notedCsv(
  deps: Deps,
  tenant: TenantId,
  of: Pick<RejectionsOf, "id" | "reading">,
  headings: readonly string[],
  notes: AsyncIterator<Note> | Iterator<Note>,
): AsyncGenerator<string> {
  let next = await notes.next();
  let width: number | null = null;
  for await (const rows of readRows(readChunks(tenant, deps, of.id), throttleOf(deps, tenant), of.reading)) {
    const written: string[][] = [];
    for (const row of rows) {
      if (width === null) {
        const names = "cells" in row ? row.cells : [];
        width = names.length;
        written.push([...names, ...headings]);
        continue;
      }
      if (next.done) break;
      if (next.value.line !== row.line) continue;
      written.push([...cellsOf(row, width), String(row.line), next.value.said]);
      next = await notes.next();
    }
    if (written.length > 0) yield toCsv(written);
    if (next.done) return;
  }
}

async function* eachRejection(
  deps: Deps,
  tenant: TenantId,
  of: RejectionsOf,
  say: (rejection: Rejection) => string,
): AsyncGenerator<Note> {
  for (let after = 0; ;) {
    const some = await listRejections(tenant, deps.database, of, after, READ_AT_ONCE);
    for (const rejection of some) yield { line: rejection.line, said: say(rejection) };
    after = some.at(-1)?.line ?? after;
    if (some.length < READ_AT_ONCE) return;
  }
}

/** The cells under the header; cells beyond its width are cut off. */
function cellsOf(row: CsvRow, width: number): string[] {
  const cells = "cells" in row ? row.cells : [];
  return Array.from({ length: width }, (_none, index) => cells[index] ?? "");
}
