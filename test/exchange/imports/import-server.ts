import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after } from "node:test";
import pg from "pg";
import { exportCsv } from "../../../src/exchange/exports/command-export.ts";
import { kindOf } from "../../../src/exchange/imports/kinds.ts";
import { rowMessages } from "../../../src/exchange/imports/reasons.ts";
import { importCsv } from "../../../src/exchange/imports/writing/import-csv.ts";
import { actingAs } from "../../../src/kit/actor.ts";
import { findTenant } from "../../../src/people/tenants/tenant-queries.ts";
import { formatEncryptionKeys, generateEncryptionKey } from "../../../src/platform/encryption/keyring.ts";
import { startServer, waitingForLocks, type TestServer, type TestTenant } from "../../harness.ts";
import type { Finished } from "../../hosted-commands.ts";
import { databaseUrl, poll, runCommand, start, type Program } from "../../program.ts";

export type Imported = {
  created: number;
  updated: number;
  rejected: { line: number; errors: Record<string, string[]> }[];
};

export type ImportServer = TestServer & {
  /** Of the program on the server's database, with its encryption keys. */
  environment: Record<string, string>;
  /** Writes a file and returns its path. */
  file(content: string | Uint8Array): string;
  /** Starts the program on the server's database, with its encryption keys. */
  start(...args: string[]): Program;
  run(...args: string[]): Promise<Finished>;
  /** Runs `import` and expects it to succeed. */
  importing(tenant: TestTenant, kind: string, csv: string | Uint8Array, ...args: string[]): Promise<Imported>;
  /** Runs `import` and expects one line on standard error, which it returns. */
  refused(tenant: TestTenant, kind: string, csv: string, ...args: string[]): Promise<string>;
  exporting(tenant: TestTenant, kind: string): Promise<string>;
  /** What the two commands call, without starting the program. `chunkSize` in bytes. */
  importText(tenant: TestTenant, kind: string, csv: string, chunkSize?: number): Promise<Imported>;
  exportText(tenant: TestTenant, kind: string): Promise<string>;
  /** Starts a transaction that blocks others from the rows that the statement locks, once it is `blocking()`. */
  locking(statement: string): Promise<Lock>;
};

export type Lock = {
  /** Resolves with the process id of the connection that waits for the lock. */
  blocking(): Promise<number>;
  release(): Promise<void>;
};

/** A server, and the program beside it on the same database. */
export async function startImportServer(): Promise<ImportServer> {
  const server = await startServer();
  const keys = [generateEncryptionKey([])];
  server.deps.keyring.replaceEncryptionKeys(keys);
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), "liaison-import-"));
  after(() => fs.rmSync(directory, { recursive: true, force: true }));
  const environment = {
    DATABASE_URL: databaseUrl(server.connection),
    LIAISON_DATA_DIR: directory,
    LIAISON_ENCRYPTION_KEYS: formatEncryptionKeys(keys),
    LOG_LEVEL: "error",
  };
  let files = 0;

  function file(content: string | Uint8Array): string {
    const name = path.join(directory, `${++files}.csv`);
    fs.writeFileSync(name, content);
    return name;
  }

  const run = async (...args: string[]) => await runCommand(args, environment);

  return {
    ...server,
    environment,
    file,
    start: (...args) => start(args, environment),
    run,
    async importing(tenant, kind, csv, ...args) {
      const { code, stdout, stderr } = await run("import", kind, "--tenant", tenant.slug, file(csv), "--json", ...args);
      assert.equal(stderr, "");
      assert.equal(code, 0);
      return JSON.parse(stdout) as Imported;
    },
    async refused(tenant, kind, csv, ...args) {
      const command = ["import", kind, "--tenant", tenant.slug, file(csv), "--json", ...args];
      const { code, stdout, stderr } = await run(...command);
      const said = { code, stdout, lines: stderr.trimEnd().split("\n").length };
      assert.deepEqual(said, { code: 1, stdout: "", lines: 1 }, stderr);
      return stderr.trimEnd();
    },
    importText: async (...of) => await importText(server, ...of),
    async exportText(tenant, kind) {
      let csv = "";
      for await (const part of exportCsv(server.deps, tenant.id, kindOf(kind))) csv += part;
      return csv;
    },
    locking: async (statement) => await lock(server, statement),
    async exporting(tenant, kind) {
      const { code, stdout, stderr } = await run("export", kind, "--tenant", tenant.slug);
      assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
      return stdout;
    },
  };
}

/** What `import` calls, without starting the program. */
export async function importText(
  { deps }: Pick<TestServer, "deps">,
  { slug }: Pick<TestTenant, "slug">,
  kind: string,
  csv: string,
  chunkSize = 65_536,
): Promise<Imported> {
  const found = await findTenant(deps.database, slug);
  assert.ok(found);
  const bytes = Buffer.from(csv);
  const { created, updated, rejected } = await importCsv(deps, {
    kind: kindOf(kind),
    actor: actingAs("import", found),
    chunks: (async function* () {
      for (let at = 0; at < bytes.length; at += chunkSize) yield bytes.subarray(at, at + chunkSize);
    })(),
  });
  const told = rejected.map((rejection) => ({ line: rejection.line, errors: rowMessages(rejection) }));
  return { created, updated, rejected: told };
}

async function lock(server: TestServer, statement: string): Promise<Lock> {
  const client = new pg.Client(server.connection);
  await client.connect();
  await client.query("begin");
  await client.query(statement);
  return {
    async blocking() {
      let pid = 0;
      await poll("somebody who waits for the lock", async () => {
        const [row] = await server.sql(waitingForLocks);
        pid = Number(row?.pid ?? 0);
        return pid !== 0;
      });
      return pid;
    },
    async release() {
      await client.query("commit");
      await client.end();
    },
  };
}
