import { fileURLToPath } from "node:url";
import { runner } from "node-pg-migrate";
import type pg from "pg";
import { Refusal } from "../refusal.ts";
import { advisoryLocks } from "./advisory-locks.ts";
import { asOwner, type Connection } from "./database.ts";
import { allowMigrations, distributeMigrated } from "./distribution.ts";
import { statementsOf } from "./sql-statements.ts";

const DIRECTORY = fileURLToPath(new URL("../../../migrations", import.meta.url));

/**
 * Applies the migrations that are missing and returns their names, oldest first. Safe when several processes do it. On a
 * distributed database what they create is distributed.
 */
export async function migrate(connection: Connection, directory = DIRECTORY): Promise<string[]> {
  return await asOwner(connection, async (client) => {
    await allowMigrations(client);
    // node-pg-migrate's own lock would make the second of two processes fail instead of wait.
    await client.query("select pg_advisory_lock($1)", [advisoryLocks.migration]);
    const applied = await runner({
      dbClient: statementByStatement(client),
      dir: directory,
      ignorePattern: "(\\..*|.*\\.md|functions)",
      direction: "up",
      migrationsTable: "migrations",
      noLock: true,
      log: () => {},
    }).catch((error: Error) => {
      throw refusalOf(error) ?? error;
    });
    if (applied.length > 0) {
      await distributeMigrated(client, connection);
      // Of columns, too, whose indexes are new.
      await client.query("call expect_nulls()");
    }
    return applied.map(({ name }) => name);
  });
}

/** A refusal for whoever starts, where node-pg-migrate met a database whose migrations are not the first of the directory's. */
function refusalOf({ message }: Error): Refusal | null {
  const [, ours, theirs] = /^Not run migration (\S+) is preceding already run migration (\S+)$/.exec(message) ?? [];
  if (ours === undefined) return null;
  return new Refusal(
    `This database has the migration ${theirs} where this version has ${ours}: a version of another line of development ` +
      "made it. Start that version, or this one with an empty database.",
  );
}

/**
 * A client that sends the statements of a migration one by one: Citus hands the text of some on to the nodes, and would
 * hand on all that came with them.
 */
function statementByStatement(client: pg.Client): pg.Client {
  const query = async (text: string | pg.QueryConfig, values?: unknown[]) => {
    if (typeof text !== "string" || values !== undefined) return await client.query(text, values);
    let result: pg.QueryResult | undefined;
    for (const statement of statementsOf(text)) result = await client.query(statement);
    return result;
  };
  return Object.create(client, { query: { value: query } }) as pg.Client;
}
