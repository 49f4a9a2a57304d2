import { createHash } from "node:crypto";
import type pg from "pg";
import type { Connection } from "../database.ts";
import { distributeMigrated, isBeingDistributed } from "../distribution/distribution.ts";
import { deleteSetting, readSetting, writeSetting } from "../settings.ts";
import { functionStatements, migrationNames } from "./migration-files.ts";

/** The setting with the last migration, and the digest of the functions, for which all these steps are complete. */
const COMPLETED = "completed_migration";

/**
 * Runs the steps after all migrations: creates the functions from their files, distributes new tables to the nodes, and
 * updates the planner's statistics. It runs once; if a start was killed before it, or `db distribute` at any time, the
 * next start runs it. A database of a newer release keeps its functions.
 */
export async function complete(client: pg.Client, connection: Connection, directory?: string): Promise<void> {
  const last = migrationNames(directory).at(-1) ?? "";
  const { rows } = await client.query<{ name: string }>("select name from migrations order by id desc limit 1");
  if (rows[0]?.name !== last) return;
  const functions = functionStatements(directory);
  const state = `${last} ${createHash("sha256").update(functions.join(";")).digest("hex")}`;
  if (state === (await readSetting(client, COMPLETED)) && !(await isBeingDistributed(client))) return;
  await client.query("begin");
  for (const statement of functions) await client.query(statement);
  await client.query("commit");
  await distributeMigrated(client, connection);
  // Also for columns whose indexes are new.
  await client.query("call expect_nulls()");
  await writeSetting(client, COMPLETED, state);
}

/** Makes the next start repeat the steps: the setting came with rows from another database. */
export async function forgetCompletion(client: pg.Client): Promise<void> {
  await deleteSetting(client, COMPLETED);
}
