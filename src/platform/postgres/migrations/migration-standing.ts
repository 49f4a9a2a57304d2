import type pg from "pg";
import { Refusal } from "../../refusal.ts";
import { asOwner } from "../as-owner.ts";
import type { Connection } from "../database.ts";
import { COMMIT_BEFORE, nameBaseline, withBaseline } from "./baseline.ts";
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
  const applied = withBaselineOrRefuse(await asOwner(connection, appliedMigrations));
  const unknown = applied.filter((name) => !ours.includes(name)).toSorted();
  return { isEmpty: applied.length === 0, pending: ours.filter((name) => !applied.includes(name)), unknown };
}

/**
 * Records the baseline in a database that has the migrations which it replaced. Throws Refusal if some of them are
 * missing.
 */
export async function adoptBaseline(client: pg.Client): Promise<void> {
  const found = await appliedMigrations(client);
  if (withBaselineOrRefuse(found)[0] !== found[0]) await nameBaseline(client);
}

/** Whether a database begins with all migrations of a directory, in their order: then none is missing. */
export async function isUpToDate(client: pg.Client, directory?: string): Promise<boolean> {
  const applied = await appliedMigrations(client);
  return migrationNames(directory).every((name, place) => applied[place] === name);
}

/** The names of the migrations that a database has, in the order in which it got them. An empty database has none. */
export async function appliedMigrations(client: pg.Client): Promise<string[]> {
  const { rows: tables } = await client.query("select from pg_class where oid = to_regclass('migrations')");
  if (tables.length === 0) return [];
  const { rows } = await client.query<{ name: string }>("select name from migrations order by run_on, id");
  return rows.map(({ name }) => name);
}

function withBaselineOrRefuse(found: string[]): string[] {
  const applied = withBaseline(found);
  if (applied !== null) return applied;
  throw new Refusal(
    `This database is of a commit before ${COMMIT_BEFORE}: start that commit once, which brings it up to date, and then this one.`,
  );
}
