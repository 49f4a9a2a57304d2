import { Refusal } from "../../refusal.ts";
import { lineOf, linesOf, valuesOf } from "../copy-lines.ts";
import type { StoredSequence, StoredTable } from "../stored-tables.ts";
import { migrationNames } from "./migration-files.ts";

// Remove this file, and its two callers' lines, after release 0.1.0. It brings over the databases of commits before the
// migrations were numbered again: their backup is restored into the schema of today, which has fewer columns.

const [FIRST, LAST] = ["0001_tenants-and-users", "0400_operators-as-users"];

/** The number of files that its migrations were folded into. */
const BASELINE = 10;

/** The columns of the earlier schema that no program reads. */
const GONE: Readonly<Record<string, readonly string[]>> = {
  tenants: ["orders_lost_slug"],
  kept_answers: ["answer", "phone", "mobile"],
};

/** The tables of the earlier schema that have another name today. */
const RENAMED: Readonly<Record<string, string>> = { company_views: "list_views" };

/** Throws Refusal for a database of the earlier schema. */
export function refuseEarlierSchema([first]: readonly string[]): void {
  if (first !== FIRST) return;
  throw new Refusal(
    "This database is of an earlier schema: run `backup FILE` with the version that it belongs to, and `restore FILE` with this one into an empty database.",
  );
}

/** Whether a backup names all migrations of the earlier schema. */
export function isOfEarlierSchema(migrations: readonly string[]): boolean {
  return migrations[0] === FIRST && migrations.includes(LAST);
}

/**
 * The names of today that stand for all migrations of the earlier schema. The later ones follow once the rows of a
 * whole instance are loaded; a tenant's file is loaded into a database that has them.
 */
export function migrationsOfEarlierSchema(kind: "backup" | "tenant"): string[] {
  return kind === "tenant" ? migrationNames() : migrationNames().slice(0, BASELINE);
}

/** The rows of a table of the earlier schema, with the columns that the table has today. */
export function asOfToday(table: StoredTable, rows: AsyncIterable<Buffer>): { table: StoredTable; rows: AsyncIterable<Buffer> } {
  const name = RENAMED[table.name] ?? table.name;
  const gone = GONE[table.name];
  if (gone === undefined) return { table: { ...table, name }, rows };
  const isKept = table.columns.map((column) => !gone.includes(column));
  return {
    table: { name, columns: table.columns.filter((_, place) => isKept[place]) },
    rows: (async function* () {
      for await (const line of linesOf(table.name, rows)) yield lineOf(valuesOf(line).filter((_, place) => isKept[place]));
    })(),
  };
}

/** A sequence of the earlier schema by its name of today. */
export function sequenceOfToday({ name, ...state }: StoredSequence): StoredSequence {
  const renamed = Object.entries(RENAMED).find(([table]) => name === `${table}_id_seq`);
  return { ...state, name: renamed === undefined ? name : `${renamed[1]}_id_seq` };
}
