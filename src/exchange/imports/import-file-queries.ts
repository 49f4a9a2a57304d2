import type { Config } from "../../kit/config.ts";
import type { Store } from "../../kit/deps.ts";
import type { Database, Run } from "../../platform/postgres/database.ts";
import { inSteps } from "../../platform/postgres/in-steps.ts";
import { callsOf, runAll, slowQuery, writeQuery } from "../../platform/postgres/query.ts";
import { oneValue, type Call } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";

/** Bytes of one stored piece of a file. Each piece is encrypted, sent and read as a whole. */
export const CHUNK_BYTES = 64 * 1024;

const COLUMN = "import_chunks.content";
/** Pieces that are read in one query: 512 KB. */
const READ_AT_ONCE = 8;

/**
 * The parts of an import's file: its rows as CSV, the workbook that they came from, the rows of a sheet that is being
 * unpacked, the cells of skipped rows, the same cells as a person corrected them, rows as the check read them, what it
 * noted about the file, rows that look like stored companies, and the companies that a person chose for rows.
 */
export type FilePart = "rows" | "workbook" | "next" | JsonPart;
/** The parts that are JSON. Their writers bound them, so they count for no quota. */
type JsonPart = "skipped" | "corrected" | "listed" | "notes" | "alike" | "instead";

type Room = { config: Pick<Config, "importQuota"> };

/**
 * Reserves room for a piece. Concurrent reservations do not see each other, so each may exceed the quota by one piece.
 */
const reservingChunk = callsOf<[id: string, quota: number]>(
  "reserve_import_chunk",
  `update imports i set stored_bytes = i.stored_bytes + ${CHUNK_BYTES}
  where i.tenant_id = $1 and i.id = $2 and ${CHUNK_BYTES} + (
    select coalesce(sum(o.stored_bytes), 0) from imports o where o.tenant_id = $1 and o.stored_bytes > 0
  ) <= $3
  returning i.id`,
);

const insertingChunk = callsOf<[id: string, content: string, part: FilePart]>(
  "insert_import_chunk",
  "insert into import_chunks (tenant_id, import_id, content, part) values ($1, $2, $3, $4) returning id",
);

/**
 * Stores the next piece of an import's file, and returns its id. Null if the quota is used up; the file must then be
 * discarded.
 */
export async function insertChunk(
  tenant: TenantId,
  { database, keyring, config }: Store & Room,
  importId: string,
  bytes: Buffer,
  part: FilePart = "rows",
): Promise<string | null> {
  // The keyring encrypts texts: latin1 maps each byte to one character.
  const content = keyring.encrypt(tenant, COLUMN, bytes.toString("latin1"));
  return await database.transaction(tenant, async (run) => {
    const reserved = await run(reservingChunk(importId, config.importQuota));
    // A piece without a room of its own would give back that of another one when it is removed.
    if (reserved.length === 0) return null;
    return String(oneValue(await run(insertingChunk(importId, content, part))));
  });
}

const movingPart = callsOf<[id: string, from: FilePart, to: FilePart]>(
  "move_import_part",
  "update import_chunks set part = $4 where tenant_id = $1 and import_id = $2 and part = $3",
);

/** Makes the stored pieces of a part another part. */
export async function movePart(
  tenant: TenantId,
  database: Database,
  importId: string,
  { from, to }: { from: FilePart; to: FilePart },
): Promise<void> {
  await database.write(tenant, [movingPart(importId, from, to)]);
}

const freeingPart = callsOf<[id: string, part: FilePart]>(
  "free_import_part",
  `update imports i set stored_bytes = greatest(0, i.stored_bytes - ${CHUNK_BYTES} * (
    select count(*) from import_chunks c where c.tenant_id = $1 and c.import_id = $2 and c.part = $3
  )) where i.tenant_id = $1 and i.id = $2`,
);

const removingPart = callsOf<[id: string, part: FilePart]>(
  "remove_import_part",
  "delete from import_chunks where tenant_id = $1 and import_id = $2 and part = $3",
);

/** Removes the rows of a sheet that do not become the import's, or whose unpacking was killed. */
export async function removeUnpacked(tenant: TenantId, database: Database, id: string): Promise<void> {
  await database.write(tenant, [freeingPart(id, "next"), removingPart(id, "next")]);
}

const movingPieces = callsOf<[id: string, pieces: readonly string[]]>(
  "move_unpacked_pieces",
  `update import_chunks set part = 'rows' where tenant_id = $1 and import_id = $2 and part = 'next' and id = any($3::bigint[])
  returning id`,
);

/**
 * Makes these pieces of an unpacked sheet the import's rows, within a transaction. Returns false if another request has
 * removed some: then the transaction must be rolled back.
 */
export async function replaceRows(run: Run, id: string, pieces: readonly string[]): Promise<boolean> {
  await runAll(run, [freeingPart(id, "rows"), removingPart(id, "rows")]);
  return (await run(movingPieces(id, pieces))).length === pieces.length;
}

/** The cells of some rows, by line. */
export type CellsByLine = Readonly<Record<string, readonly string[]>>;

/** Stores JSON in place of what the part had before. */
export async function storeJson(
  tenant: TenantId,
  { database, keyring }: Store,
  importId: string,
  part: JsonPart,
  value: object,
): Promise<void> {
  await database.write(tenant, storingJson(tenant, keyring, importId, part, value));
}

/** The calls that do so. */
export function storingJson(
  tenant: TenantId,
  keyring: Store["keyring"],
  importId: string,
  part: JsonPart,
  value: object,
): Call[] {
  const content = keyring.encrypt(tenant, COLUMN, Buffer.from(JSON.stringify(value)).toString("latin1"));
  return [removingPart(importId, part), insertingChunk(importId, content, part)];
}

/** The calls that forget corrected cells and chosen companies: another format has other cells, and other lines. */
export function forgettingCorrected(importId: string): Call[] {
  return [removingPart(importId, "corrected"), removingPart(importId, "instead")];
}

/** Null if the part is not stored. Throws UndecryptableValue. */
export async function readJson(tenant: TenantId, store: Store, importId: string, part: JsonPart): Promise<unknown> {
  const pieces: Uint8Array[] = [];
  for await (const piece of readChunks(tenant, store, importId, part)) pieces.push(piece);
  return pieces.length === 0 ? null : JSON.parse(Buffer.concat(pieces).toString());
}

/** The cells of a part; none if it is not stored. Throws UndecryptableValue. */
export async function readCells(
  tenant: TenantId,
  store: Store,
  importId: string,
  part: "skipped" | "corrected" | "instead",
): Promise<CellsByLine> {
  return ((await readJson(tenant, store, importId, part)) ?? {}) as CellsByLine;
}

const nextChunks = slowQuery<{ id: string; after: string; part: FilePart }>(
  "read_import_chunks",
  `select id, content from import_chunks where tenant_id = $1 and import_id = :id and id > :after and part = :part
  order by id limit ${READ_AT_ONCE}`,
).rows();

/** A part of an import's file. Throws UndecryptableValue. */
export async function* readChunks(
  tenant: TenantId,
  { database, keyring }: Store,
  importId: string,
  part: FilePart = "rows",
): AsyncGenerator<Uint8Array> {
  for (let after = "0"; ;) {
    const rows = await nextChunks(tenant, database, { id: importId, after, part });
    for (const [id, content] of rows) {
      after = String(id);
      yield Buffer.from(keyring.decrypt(tenant, COLUMN, String(content)), "latin1");
    }
    if (rows.length < READ_AT_ONCE) return;
  }
}

/** Removes a limited number of rows: the limit is the last parameter (in-steps.ts). */
const removal = (name: string, table: string, condition: string) =>
  callsOf<[id: string]>(
    name,
    `delete from ${table} where tenant_id = $1 and id = any(array(
    select id from ${table} where tenant_id = $1 and import_id = $2 and ${condition} limit $3
  )) returning id`,
    { isSilent: true },
  );

const fileRemovals = [
  removal("remove_import_chunks", "import_chunks", "true"),
  removal("remove_import_changes", "import_changes", "true"),
  removal("remove_import_rejections", "import_rejections", "true"),
  removal("remove_undone_rows", "import_rows", "outcome in ('deleted', 'restored')"),
];
const removingRows = removal("remove_import_rows", "import_rows", "true");

const freeBytes = writeQuery<[id: string]>(
  "forget_file",
  "update imports set stored_bytes = 0 where tenant_id = $1 and id = $2",
).nothing();

/** Removes an import's file, its check's results, and the records of rows that an undo deleted or restored. */
export async function forgetFile(tenant: TenantId, database: Database, id: string): Promise<void> {
  for (const removing of fileRemovals) await inSteps(tenant, database, removing(id));
  await freeBytes(tenant, database, id);
}

const noteForgotten = writeQuery<[id: string]>(
  "import_forgotten",
  "update imports set forgotten_at = now() where tenant_id = $1 and id = $2 and state <> 'uploading'",
).nothing();

const discardUpload = writeQuery<[id: string]>(
  "discard_import",
  "delete from imports where tenant_id = $1 and id = $2 and state = 'uploading'",
).nothing();

/**
 * Removes an import's file and everything stored about its rows. An upload that never became an import is removed
 * entirely.
 */
export async function forgetImport(tenant: TenantId, database: Database, id: string): Promise<void> {
  // This comes first, so that no undo starts during the removal.
  await noteForgotten(tenant, database, id);
  await forgetFile(tenant, database, id);
  await inSteps(tenant, database, removingRows(id));
  await discardUpload(tenant, database, id);
}
