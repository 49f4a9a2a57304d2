import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after } from "node:test";
import pg from "pg";
import type { Connection } from "../../src/platform/postgres/database.ts";

const ROOT = path.join(import.meta.dirname, "../..");
export const MIGRATIONS = path.join(ROOT, "migrations");

/** A directory with this release's migrations and others behind them, by their names; gone when the test file ends. */
export function migrationsAnd(others: Record<string, string>): string {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "liaison-migrations-"));
  after(() => fs.rmSync(directory, { recursive: true }));
  fs.cpSync(MIGRATIONS, directory, { recursive: true });
  for (const [name, sql] of Object.entries(others)) fs.writeFileSync(path.join(directory, `${name}.sql`), sql);
  return directory;
}

/** The main file of a next release: this one's program with such migrations; gone when the test file ends. */
export function nextRelease(others: Record<string, string>): string {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "liaison-next-"));
  after(() => fs.rmSync(directory, { recursive: true }));
  for (const name of ["src", "package.json"]) {
    fs.cpSync(path.join(ROOT, name), path.join(directory, name), { recursive: true });
  }
  fs.symlinkSync(path.join(ROOT, "node_modules"), path.join(directory, "node_modules"));
  fs.symlinkSync(migrationsAnd(others), path.join(directory, "migrations"));
  return path.join(directory, "src/main.js");
}

/** A client of the test's own, which is closed when the test file ends. */
export async function clientOf(connection: Connection): Promise<pg.Client> {
  const client = new pg.Client(connection);
  // Some are ended from elsewhere.
  client.on("error", () => {});
  await client.connect();
  after(async () => await client.end());
  return client;
}

/** Whether an index can be used; null where there is none. */
export async function isValid(client: pg.Client, index: string): Promise<boolean | null> {
  const { rows } = await client.query("select indisvalid from pg_index where indexrelid = to_regclass($1)", [index]);
  return rows[0]?.indisvalid ?? null;
}
