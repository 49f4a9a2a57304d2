import type { Deps, Store } from "../../../kit/deps.ts";
import type { TenantId } from "../../../platform/postgres/tenant-id.ts";
import { readCells, readChunks, storeJson } from "../import-file-queries.ts";
import { readRows } from "../reading/read-rows.ts";
import type { Reading } from "../reading/reading.ts";
import { throttleOf } from "../reading/throttle-reading.ts";
import { listRejections } from "./rejection-queries.ts";

/** Skipped rows that can be corrected on the page, and the characters of their cells together. */
export const MOST_SKIPPED = 100;
const MOST_CHARACTERS = 256 * 1024;
/** Corrected rows of an import; more are corrected in the file. */
export const MOST_CORRECTED = 1_000;

type Checked = { id: string; reading: Reading };

/** Stores the cells of the first rows that a check skipped, so that no page must read the file for them. */
export async function storeSkipped(deps: Deps, tenant: TenantId, { id, reading }: Checked, stop: AbortSignal) {
  const rejections = await listRejections(tenant, deps.database, { id, reading, isFinal: false }, 0, MOST_SKIPPED);
  const lines = new Set(rejections.map(({ line }) => line));
  const cells: Record<string, string[]> = {};
  let length = 0;
  const last = Math.max(0, ...lines);
  for await (const rows of readRows(readChunks(tenant, deps, id), throttleOf(deps, tenant), reading)) {
    stop.throwIfAborted();
    for (const row of rows) {
      if (!lines.has(row.line) || !("cells" in row)) continue;
      length += row.cells.reduce((sum, cell) => sum + cell.length, 0);
      if (length <= MOST_CHARACTERS) cells[row.line] = row.cells;
    }
    if ((rows.at(-1)?.line ?? 0) >= last) break;
  }
  await storeJson(tenant, deps, id, "skipped", cells);
}

/** The reading of a stored file with corrected rows, and companies chosen for rows. Throws UndecryptableValue. */
export async function withCorrected(deps: Store, tenant: TenantId, { id, reading }: Checked): Promise<Reading> {
  const cells = await readCells(tenant, deps, id, "corrected");
  const corrected = new Map(Object.entries(cells).map(([line, row]) => [Number(line), row]));
  const chosen = await readCells(tenant, deps, id, "instead");
  const instead = new Map(Object.entries(chosen).map(([line, [company = ""]]) => [Number(line), company]));
  return { ...reading, corrected, instead };
}

/** Whether cells are few enough to be stored. */
export function areStorable(cells: Readonly<Record<string, readonly string[]>>): boolean {
  const rows = Object.values(cells);
  const length = rows.flat().reduce((sum, cell) => sum + cell.length, 0);
  return rows.length <= MOST_CORRECTED && length <= MOST_CHARACTERS;
}
