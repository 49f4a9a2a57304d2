import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { MigrationBuilder } from "node-pg-migrate";
import type pg from "pg";
import { statementsOf } from "./sql-statements.ts";

/** The beginning of the first line of a migration whose statements commit one by one (migrations/README.md). */
export const WITHOUT_TRANSACTION = /^-- Without a transaction\b/;
/** A line at which the named functions are created (migrations/README.md). */
const LOAD_FUNCTIONS = /^ *-- Load functions: (.+)$/gm;
const INDEX_CONCURRENTLY = /\bcreate\s+(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists\s+(\w+)/i;

export type Applying = {
  /** A directory other than ours. */
  directory?: string | undefined;
  /** The number of migrations to apply at most. */
  count?: number;
  /** The wait of a transaction for each of its locks. */
  lockTimeoutMs: number;
  /** Called with the name of each migration when it begins. */
  begin?: (migration: string) => void;
};

const DIRECTORY = fileURLToPath(new URL("../../../../migrations", import.meta.url));

/** Applies the missing migrations in their order. */
export async function applyMigrations(client: pg.Client, applying: Applying): Promise<void> {
  const { directory = DIRECTORY, count = Infinity } = applying;
  // Imported only if a migration is missing: every command runs this code, and usually none is.
  const { runner } = await import("node-pg-migrate");
  await runner({
    dbClient: client,
    dir: directory,
    ignorePattern: "(\\..*|.*\\.md|functions|schema\\.sql)",
    migrationLoaderStrategies: [{ extensions: [".sql"], loader: async (files) => await load(files, applying) }],
    direction: "up",
    count,
    migrationsTable: "migrations",
    noLock: true,
    log: () => {},
  });
}

/** The names of migrations in their order; the default directory is ours. */
export function migrationNames(directory = DIRECTORY): string[] {
  const files = fs.readdirSync(directory).filter((name) => /^\d+_.*\.sql$/.test(name));
  return files.map((name) => name.slice(0, -".sql".length)).toSorted();
}

/** The statements that make the functions, each as its file has it. */
export function functionStatements(directory = DIRECTORY): string[] {
  const files = fs.readdirSync(path.join(directory, "functions")).toSorted();
  return files.flatMap((file) => statementsOf(fs.readFileSync(path.join(directory, "functions", file), "utf8")));
}

/** The text of a migration, with the files of the functions that it loads. */
function readMigration(file: string): string {
  const functionOf = (name: string) => fs.readFileSync(path.join(path.dirname(file), "functions", `${name}.sql`), "utf8");
  const sql = fs.readFileSync(file, "utf8");
  return sql.replaceAll(LOAD_FUNCTIONS, (_, names: string) => names.split(", ").map(functionOf).join("\n"));
}

/**
 * Migrations for node-pg-migrate. Their statements are sent one by one: Citus passes the text of some to the nodes, and
 * would include all statements sent with it.
 */
async function load(files: string[], { lockTimeoutMs, begin }: Applying) {
  return files.map((file) => {
    const up = async (steps: MigrationBuilder): Promise<void> => {
      begin?.(path.basename(file, ".sql"));
      const sql = readMigration(file);
      const statements = WITHOUT_TRANSACTION.test(sql)
        ? await committedOneByOne(steps, statementsOf(sql))
        : // Inside the transaction, so that Citus passes it on to the nodes.
          [`set local lock_timeout = ${lockTimeoutMs}`, ...statementsOf(sql)];
      for (const statement of statements) steps.sql(statement);
    };
    return { id: file, filePaths: [file], actions: { up, down: false as const } };
  });
}

/**
 * The statements, each of which can be repeated: an index that an earlier run left incomplete is dropped before it is
 * built again.
 */
async function committedOneByOne(steps: MigrationBuilder, statements: string[]): Promise<string[]> {
  steps.noTransaction();
  const all: string[] = [];
  for (const statement of statements) {
    const [, index] = INDEX_CONCURRENTLY.exec(statement) ?? [];
    if (index !== undefined && (await isHalfBuilt(steps, index))) all.push(`drop index concurrently ${index}`);
    all.push(statement);
  }
  return all;
}

async function isHalfBuilt({ db }: MigrationBuilder, index: string): Promise<boolean> {
  const text = "select from pg_index where indexrelid = to_regclass($1) and not indisvalid";
  return (await db.select({ text, values: [index] })).length > 0;
}
