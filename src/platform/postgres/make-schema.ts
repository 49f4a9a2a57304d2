import fs from "node:fs";
import { fileURLToPath } from "node:url";
import { runner } from "node-pg-migrate";
import type pg from "pg";
import { statementsOf } from "./sql-statements.ts";

const DIRECTORY = fileURLToPath(new URL("../../../migrations", import.meta.url));

/** The names of our migrations, in their order. */
export function migrationNames(): string[] {
  const files = fs.readdirSync(DIRECTORY).filter((name) => name.endsWith(".sql"));
  return files.map((name) => name.slice(0, -".sql".length)).toSorted();
}

/** Makes the schema of an empty database by so many first migrations, inside the client's transaction. */
export async function makeSchema(client: pg.Client, count: number): Promise<void> {
  await runner({
    dbClient: insideTransaction(client),
    dir: DIRECTORY,
    ignorePattern: "(\\..*|.*\\.md|functions)",
    direction: "up",
    count,
    migrationsTable: "migrations",
    noLock: true,
    log: () => {},
  });
}

/** A client for migrations that begin and end no transaction, and build indexes of tables that have no rows and no readers. */
function insideTransaction(client: pg.Client): pg.Client {
  const query = async (text: string | pg.QueryConfig, values?: unknown[]) => {
    if (typeof text !== "string" || values !== undefined) return await client.query(text, values);
    let result: pg.QueryResult | undefined;
    for (const statement of statementsOf(text)) {
      if (/^(?:begin|commit|rollback)$/i.test(statement)) continue;
      result = await client.query(statement.replace(/\b(index)\s+concurrently\b/i, "$1"));
    }
    return result;
  };
  return Object.create(client, { query: { value: query } }) as pg.Client;
}
