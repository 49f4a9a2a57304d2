import type pg from "pg";
import { asOwner } from "../as-owner.ts";
import type { Connection } from "../database.ts";
import { migrationNames } from "./migration-files.ts";

/** How a database stands beside this release. */
export type Standing = {
  /** The migrations that it lacks, oldest first. */
  pending: string[];
  /** Those that it has and this release does not know. */
  unknown: string[];
};

/** Compares without applying any. */
export async function migrationsOf(connection: Connection): Promise<Standing> {
  const ours = migrationNames();
  const applied = await asOwner(connection, appliedMigrations);
  const unknown = applied.filter((name) => !ours.includes(name)).toSorted();
  return { pending: ours.filter((name) => !applied.includes(name)), unknown };
}

/** Whether a database begins with all migrations of a directory, in their order: then there is nothing to apply. */
export async function isUpToDate(client: pg.Client, directory?: string): Promise<boolean> {
  const applied = await appliedMigrations(client);
  return migrationNames(directory).every((name, place) => applied[place] === name);
}

/** The names of the migrations that a database has, in the order in which it got them. */
async function appliedMigrations(client: pg.Client): Promise<string[]> {
  const { rows: tables } = await client.query("select from pg_class where oid = to_regclass('migrations')");
  if (tables.length === 0) return [];
  const { rows } = await client.query<{ name: string }>("select name from migrations order by run_on, id");
  return rows.map(({ name }) => name);
}
