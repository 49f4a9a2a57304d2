import type { Config } from "../config.ts";
import type { Store } from "../deps.ts";
import type { Database } from "../platform/postgres/database.ts";
import { inSteps } from "../platform/postgres/in-steps.ts";
import type { Statement } from "../platform/postgres/statement.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";

/** Bytes of one stored piece of a file. Each piece is encrypted, sent and read as a whole. */
export const CHUNK_BYTES = 64 * 1024;

const COLUMN = "import_chunks.content";
/** Pieces that are read in one query: 512 KB. */
const READ_AT_ONCE = 8;

type Room = { config: Pick<Config, "importQuota"> };

/**
 * Reserves room for a piece. Concurrent reservations do not see each other, so each may exceed the quota by one piece.
 */
const reserveStatement: Statement = {
  name: "reserve_import_chunk",
  text: `update imports i set stored_bytes = i.stored_bytes + ${CHUNK_BYTES}
  where i.tenant_id = $1 and i.id = $2 and ${CHUNK_BYTES} + (
    select coalesce(sum(o.stored_bytes), 0) from imports o where o.tenant_id = $1 and o.stored_bytes > 0
  ) <= $3
  returning i.id`,
};

const insertStatement: Statement = {
  name: "insert_import_chunk",
  text: "insert into import_chunks (tenant_id, import_id, content) values ($1, $2, $3)",
};

/**
 * Stores the next piece of an import's file. Returns false if the quota is used up; the file must then be discarded.
 */
export async function insertChunk(
  tenant: TenantId,
  { database, keyring, config }: Store & Room,
  importId: string,
  bytes: Buffer,
): Promise<boolean> {
  // The keyring encrypts texts: latin1 maps each byte to one character.
  const content = keyring.encrypt(tenant, COLUMN, bytes.toString("latin1"));
  const [reserved] = await database.write(tenant, [
    { statement: reserveStatement, parameters: [importId, config.importQuota] },
    { statement: insertStatement, parameters: [importId, content] },
  ]);
  return reserved?.length === 1;
}

const readStatement: Statement = {
  name: "read_import_chunks",
  text: `select id, content from import_chunks where tenant_id = $1 and import_id = $2 and id > $3
  order by id limit $4`,
};

/** The file of an import as it was uploaded. Throws UndecryptableValue. */
export async function* readChunks(
  tenant: TenantId,
  { database, keyring }: Store,
  importId: string,
): AsyncGenerator<Uint8Array> {
  for (let after = "0"; ;) {
    const rows = await database.slow.read(tenant, readStatement, [importId, after, READ_AT_ONCE]);
    for (const [id, content] of rows) {
      after = String(id);
      yield Buffer.from(keyring.decrypt(tenant, COLUMN, String(content)), "latin1");
    }
    if (rows.length < READ_AT_ONCE) return;
  }
}

/** Removes a limited number of rows: the limit is the last parameter (in-steps.ts). */
const removal = (name: string, table: string, condition: string): Statement => ({
  name,
  text: `delete from ${table} where tenant_id = $1 and id = any(array(
    select id from ${table} where tenant_id = $1 and import_id = $2 and ${condition} limit $3
  )) returning id`,
  isNoNews: true,
});

const fileRemovals = [
  removal("remove_import_chunks", "import_chunks", "true"),
  removal("remove_import_changes", "import_changes", "true"),
  removal("remove_import_rejections", "import_rejections", "true"),
  removal("remove_undone_rows", "import_rows", "outcome in ('deleted', 'restored')"),
];
const rowRemoval = removal("remove_import_rows", "import_rows", "true");

const freeStatement: Statement = {
  name: "free_import_file",
  text: "update imports set stored_bytes = 0 where tenant_id = $1 and id = $2",
};

/** Removes an import's file, its check's results, and the records of rows that an undo deleted or restored. */
export async function forgetFile(tenant: TenantId, database: Database, id: string): Promise<void> {
  for (const statement of fileRemovals) await inSteps(tenant, database, { statement, parameters: [id] });
  await database.write(tenant, [{ statement: freeStatement, parameters: [id] }]);
}

const forgottenStatement: Statement = {
  name: "import_forgotten",
  text: "update imports set forgotten_at = now() where tenant_id = $1 and id = $2 and state <> 'uploading'",
};

const discardStatement: Statement = {
  name: "discard_import",
  text: "delete from imports where tenant_id = $1 and id = $2 and state = 'uploading'",
};

/**
 * Removes an import's file and everything stored about its rows. An upload that never became an import is removed
 * entirely.
 */
export async function forgetImport(tenant: TenantId, database: Database, id: string): Promise<void> {
  // This comes first, so that no undo starts during the removal.
  await database.write(tenant, [{ statement: forgottenStatement, parameters: [id] }]);
  await forgetFile(tenant, database, id);
  await inSteps(tenant, database, { statement: rowRemoval, parameters: [id] });
  await database.write(tenant, [{ statement: discardStatement, parameters: [id] }]);
}
