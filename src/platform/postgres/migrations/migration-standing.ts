import type pg from "pg";
import { asOwner } from "../as-owner.ts";
import type { Connection } from "../database.ts";
import { refuseEarlierSchema } from "./earlier-schema.ts";
import { migrationNames } from "./migration-files.ts";

/** How the migrations of a database compare with those of this release. */
export type Standing = {
  /** It has no migrations. */
  isEmpty: boolean;
  /** The missing migrations, oldest first. */
  pending: string[];
  /** The applied migrations that this release does not know. */
  unknown: string[];
};

/** Compares without applying any. */
export async function migrationsOf(connection: Connection): Promise<Standing> {
  const ours = migrationNames();
  const applied = await asOwner(connection, appliedMigrations);
  const unknown = applied.filter((name) => !ours.includes(name)).toSorted();
  return { isEmpty: applied.length === 0, pending: ours.filter((name) => !applied.includes(name)), unknown };
}

/** Whether a database begins with all migrations of a directory, in their order: then none is missing. */
export async function isUpToDate(client: pg.Client, directory?: string): Promise<boolean> {
  const applied = await appliedMigrations(client);
  return migrationNames(directory).every((name, place) => applied[place] === name);
}

/**
 * The names of the migrations that a database has, in the order in which it got them. An empty database has none.
 * Throws Refusal for a database of the earlier schema.
 */
export async function appliedMigrations(client: pg.Client): Promise<string[]> {
  const { rows: tables } = await client.query("select from pg_class where oid = to_regclass('migrations')");
  if (tables.length === 0) return [];
  const { rows } = await client.query<{ name: string }>("select name from migrations order by run_on, id");
  const names = rows.map(({ name }) => name);
  refuseEarlierSchema(names);
  return names;
}
