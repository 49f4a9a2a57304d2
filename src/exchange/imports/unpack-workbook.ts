import type { Deps } from "../../kit/deps.ts";
import { UndecryptableValue } from "../../platform/encryption/keyring.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { CHUNK_BYTES, insertChunk, movePart, readChunks, removeUnpacked } from "./import-file-queries.ts";
import { formatOfText, isBinary } from "./reading/other-formats.ts";
import type { Encoding, Reading, SheetChoice } from "./reading/reading.ts";
import { throttleOf } from "./reading/throttle-reading.ts";
import { FilePieces } from "./reading/workbook/file-pieces.ts";
import { firstTable } from "./reading/workbook/first-table.ts";
import { writeSheet } from "./reading/workbook/sheet-rows.ts";
import { isWorkbook, openWorkbook } from "./reading/workbook/workbook.ts";
import { UNPACKED_LIMIT } from "./reading/workbook/zip.ts";
import { FileRefusal, type ImportReason } from "./reasons.ts";

/** The sheets of an unpacked workbook, the bytes of its rows and the ids of their pieces, or why it was not read. */
export type Unpacked =
  | { workbook: NonNullable<Reading["workbook"]>; bytes: number; pieces: readonly string[] }
  | { refusal: ImportReason };

/**
 * Unpacks the rows of an import's workbook beside it, as CSV (docs/decisions/0070-workbooks.md). Null if its file is a
 * text. @param encoding of a text
 */
export async function unpackUpload(
  deps: Deps,
  tenant: TenantId,
  id: string,
  encoding: Encoding,
): Promise<Unpacked | null> {
  const { value: first } = await readChunks(tenant, deps, id).next();
  if (first === undefined) return null;
  if (!isWorkbook(first)) {
    const format = formatOfText(first, encoding);
    if (format !== null) return { refusal: { code: "otherFormat", format } };
    return isBinary(first, encoding) ? { refusal: { code: "binary" } } : null;
  }
  await movePart(tenant, deps.database, id, { from: "rows", to: "workbook" });
  const unpacked = await unpackSheet(deps, tenant, id, null);
  if (!("refusal" in unpacked)) await movePart(tenant, deps.database, id, { from: "next", to: "rows" });
  return unpacked;
}

/**
 * Reads another sheet of an import's workbook, or the same with other rows, beside the rows of the import. Null if
 * neither was asked for.
 */
export async function readSheet(
  deps: Deps,
  tenant: TenantId,
  id: string,
  { before, asked }: { before: Reading; asked: Reading },
): Promise<Unpacked | null> {
  if (asked.workbook === null) return null;
  const { sheet, leavesHidden } = asked.workbook;
  if (sheet === before.workbook?.sheet && leavesHidden === before.workbook.leavesHidden) return null;
  try {
    return await unpackSheet(deps, tenant, id, asked.workbook);
  } catch (error) {
    if (error instanceof UndecryptableValue) return { refusal: { code: "workbookDamaged" } };
    throw error;
  }
}

/** @param asked null for the first sheet with a table that is not hidden, with its hidden rows */
async function unpackSheet(deps: Deps, tenant: TenantId, id: string, asked: SheetChoice | null): Promise<Unpacked> {
  const { sharing, database } = deps;
  return await sharing.places.workbooks.use(tenant, () => unpackNow(deps, tenant, id, asked), database.caller);
}

async function unpackNow(deps: Deps, tenant: TenantId, id: string, asked: SheetChoice | null): Promise<Unpacked> {
  const rest = throttleOf(deps, tenant);
  let next = storing(deps, tenant, id);
  try {
    // A killed process may have left some.
    await removeUnpacked(tenant, deps.database, id);
    const pieces: Uint8Array[] = [];
    for await (const piece of readChunks(tenant, deps, id, "workbook")) {
      await rest(piece.length);
      pieces.push(piece);
    }
    const workbook = await openWorkbook(new FilePieces(pieces), rest);
    const choice = asked ?? { sheet: await firstTable(workbook, rest), leavesHidden: false };
    const write = async (piece: Buffer) => await next.write(piece);
    let { merges, ...facts } = await writeSheet(workbook, choice, rest, write);
    if (merges.length > 0) {
      await removeUnpacked(tenant, deps.database, id);
      next = storing(deps, tenant, id);
      workbook.budget.left = UNPACKED_LIMIT;
      ({ merges, ...facts } = await writeSheet(workbook, choice, rest, write, merges));
    }
    const bytes = await next.end();
    const sheets = workbook.sheets.map(({ name }) => name);
    const { sheet, leavesHidden } = choice;
    return { workbook: { sheets, sheet, leavesHidden, ...facts }, bytes, pieces: next.pieces };
  } catch (error) {
    await removeUnpacked(tenant, deps.database.unattended, id);
    if (error instanceof FileRefusal) return { refusal: error.reason };
    throw error;
  }
}

/** Stores rows in pieces of equal length. */
function storing(deps: Deps, tenant: TenantId, id: string) {
  let pending = Buffer.alloc(0);
  let bytes = 0;
  const pieces: string[] = [];
  async function store(piece: Buffer): Promise<void> {
    bytes += piece.length;
    const stored = await insertChunk(tenant, deps, id, piece, "next");
    if (stored === null) throw new FileRefusal({ code: "workbookNoRoom" });
    pieces.push(stored);
  }
  return {
    pieces,
    async write(piece: Buffer): Promise<void> {
      pending = Buffer.concat([pending, piece]);
      for (; pending.length >= CHUNK_BYTES; pending = pending.subarray(CHUNK_BYTES)) {
        await store(pending.subarray(0, CHUNK_BYTES));
      }
    },
    async end(): Promise<number> {
      if (pending.length > 0) await store(pending);
      return bytes;
    },
  };
}
