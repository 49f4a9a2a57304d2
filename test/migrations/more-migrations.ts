import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after } from "node:test";
import pg from "pg";
import type { Connection } from "../../src/platform/postgres/database.ts";

export const MIGRATIONS = path.join(import.meta.dirname, "../../migrations");

/** A directory with this release's migrations and others behind them, by their names; gone when the test file ends. */
export function migrationsAnd(others: Record<string, string>): string {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "liaison-migrations-"));
  after(() => fs.rmSync(directory, { recursive: true }));
  fs.cpSync(MIGRATIONS, directory, { recursive: true });
  for (const [name, sql] of Object.entries(others)) fs.writeFileSync(path.join(directory, `${name}.sql`), sql);
  return directory;
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
