import type { Keyring } from "../../../platform/encryption/keyring.ts";
import type { Database, Run } from "../../../platform/postgres/database.ts";
import { slowQuery, stepQuery } from "../../../platform/postgres/query.ts";
import type { TenantId } from "../../../platform/postgres/tenant-id.ts";
import type { ChangedRow } from "./changed-rows.ts";

const COLUMN = "import_changes.content";

const insert = stepQuery<[importId: string, rows: readonly string[]]>(
  "store_foreseen",
  `insert into import_changes (tenant_id, import_id, content)
  select $1::bigint, $2, r.content from unnest($3::text[]) with ordinality as r (content, place) order by r.place
  returning id`,
).nothing();

/** Stores rows that an import would change, within a transaction. */
export async function storeForeseen(
  tenant: TenantId,
  { run, keyring }: { run: Run; keyring: Keyring },
  importId: string,
  changed: readonly ChangedRow[],
): Promise<void> {
  const rows = changed.map((row) => keyring.encrypt(tenant, COLUMN, JSON.stringify(row)));
  await insert(run, importId, rows);
}

const list = slowQuery<[importId: string, after: string, limit: number]>(
  "list_foreseen",
  `select id, content from import_changes where tenant_id = $1 and import_id = $2 and id > $3
  order by id limit $4`,
).rows();

/**
 * A page of the rows that an import would change, after position `after` (from 0), and the next position; null at the
 * end.
 */
export async function listForeseen(
  tenant: TenantId,
  { database, keyring }: { database: Database; keyring: Keyring },
  importId: string,
  { after, most }: { after: string; most: number },
): Promise<{ changed: (ChangedRow & { position: string })[]; next: string | null }> {
  const rows = await list(tenant, database, importId, after, most + 1);
  const shown = rows.slice(0, most);
  const changed = shown.flatMap(([position, content]) => {
    const clear = keyring.reveal(tenant, COLUMN, String(content));
    return clear === null ? [] : [{ ...(JSON.parse(clear) as ChangedRow), position: String(position) }];
  });
  return { changed, next: rows.length > most ? (shown.at(-1)?.[0] ?? null) : null };
}
