import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after } from "node:test";
import pg from "pg";
import type { Connection } from "../../src/platform/postgres/database.ts";
import { releaseOf, type Release } from "../../src/platform/version.ts";

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

/** What a next release changes of a file: a text that the file has once, and the text in its place. */
export type Edit = { file: string; text: string; by: string };

/** The main file of a next release: this one's program with such migrations and edits; gone when the test file ends. */
export function nextRelease(others: Record<string, string>, edits: readonly Edit[] = []): string {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "liaison-next-"));
  after(() => fs.rmSync(directory, { recursive: true }));
  fs.chmodSync(directory, 0o755);
  for (const name of ["src", "package.json"]) {
    fs.cpSync(path.join(ROOT, name), path.join(directory, name), { recursive: true });
  }
  for (const { file, text, by } of edits) {
    const parts = fs.readFileSync(path.join(directory, file), "utf8").split(text);
    if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times: ${text}`);
    fs.writeFileSync(path.join(directory, file), parts.join(by));
  }
  fs.symlinkSync(path.join(ROOT, "node_modules"), path.join(directory, "node_modules"));
  fs.symlinkSync(path.join(ROOT, "docs"), path.join(directory, "docs"));
  fs.symlinkSync(migrationsAnd(others), path.join(directory, "migrations"));
  return path.join(directory, "src/main.js");
}

/** The edits that make a next release of a version. */
export function versionEdits(version: string, upgradesFrom: string): Edit[] {
  const ours = releaseOf();
  const edit = (name: keyof Release, by: string): Edit => ({
    file: "package.json",
    text: `"${name}": "${ours[name]}"`,
    by: `"${name}": "${by}"`,
  });
  return [edit("version", version), edit("upgradesFrom", upgradesFrom)];
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
