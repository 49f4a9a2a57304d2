import type pg from "pg";
import { applyMigrations } from "./migration-files.ts";

/** Makes the schema of an empty database from the first `count` migrations, inside the client's transaction. */
export async function makeSchema(client: pg.Client, count: number): Promise<void> {
  await applyMigrations(insideTransaction(client), { count, lockTimeoutMs: 0 });
}

/**
 * A client for migrations that neither begin nor end a transaction, and build indexes of tables without rows and
 * readers.
 */
function insideTransaction(client: pg.Client): pg.Client {
  const query = async (text: string | pg.QueryConfig, values?: unknown[]) => {
    if (typeof text !== "string" || values !== undefined) return await client.query(text, values);
    if (/^(?:begin|commit|rollback);?$/i.test(text)) return;
    return await client.query(text.replace(/\b(index)\s+concurrently\b/i, "$1"));
  };
  return Object.create(client, { query: { value: query } }) as pg.Client;
}
