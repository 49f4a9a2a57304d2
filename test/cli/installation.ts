import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after } from "node:test";
import pg from "pg";
import { readConfig } from "../../src/kit/config.ts";
import { openDeps, type Deps, type OpenDeps } from "../../src/kit/deps.ts";
import type { Capability } from "../../src/people/api-keys/capability.ts";
import { createApiKey } from "../../src/people/api-keys/create-api-key.ts";
import { insertTenant } from "../../src/people/tenants/tenant-queries.ts";
import { insertUser } from "../../src/people/users/user-queries.ts";
import { createLogger } from "../../src/platform/logger.ts";
import type { TenantId } from "../../src/platform/postgres/tenant-id.ts";
import { createDatabase, request, unlimited, type Answer } from "../harness.ts";
import type { Finished } from "../hosted-commands.ts";
import { databaseUrl, runCommand, serve, start, type Program } from "../program.ts";

/** The program on a database and a data directory of its own, gone when the test file ends. */
export type Installation = {
  environment: Record<string, string>;
  dataDir: string;
  /** Runs a command to its end. */
  run: (args: string[], options?: RunOptions) => Promise<Finished>;
  /** What a command that succeeds prints with `--json`, and nothing else. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests assert on what it turns out to be
  json: (args: string[], options?: RunOptions) => Promise<any>;
  /**
   * Does what commands do in this process, for what a test begins with: each of them takes a quarter of a second of a
   * processor.
   */
  prepare: <T>(work: (deps: OpenDeps) => Promise<T>) => Promise<T>;
  /** A command that goes on while the test does something else. */
  start: (args: string[], options?: RunOptions) => Program;
  /** Starts `serve`, with options, and returns its URL once it answers. */
  serve: (options?: string[]) => Promise<string>;
  /** SQL as the owner of the tables. */
  sql: (text: string, parameters?: unknown[]) => Promise<Record<string, string>[]>;
  /** A client of the test's own, for a transaction that is left open. */
  client: () => Promise<pg.Client>;
};

/**
 * The hash of a visitor's PASSWORD (test/doors/pages/visitor.ts), as the program hashes: it takes none of a test
 * server's cheap ones.
 */
export const HASH_OF_PROGRAM =
  "$argon2id$v=19$m=65536,t=3,p=4$mM6X6mtrNE9wgbTr5NuPZA$kaCB0xEEacgELBpWrHidlHOIYY65hxVICdgpqCTyKF8";

/** `input` as start() takes it. */
export type RunOptions = { input?: string | null; environment?: Record<string, string> };

export async function createInstallation(): Promise<Installation> {
  const connection = await createDatabase();
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "liaison-cli-"));
  const environment = { DATABASE_URL: databaseUrl(connection), LIAISON_DATA_DIR: dataDir };
  const owner = new pg.Pool({ ...connection, max: 2 });
  const clients: pg.Client[] = [];
  after(async () => {
    for (const client of clients) await client.end();
    await owner.end();
    fs.rmSync(dataDir, { recursive: true });
  });

  const started: Installation["start"] = (args, options = {}) =>
    start(args, { ...environment, ...options.environment }, options.input);
  const run: Installation["run"] = async (args, { input = "", environment: more = {} } = {}) =>
    await runCommand(args, { ...environment, ...more }, input);

  return {
    environment,
    dataDir,
    start: started,
    run,
    async json(args, options) {
      const { code, stdout, stderr } = await run([...args, "--json"], options);
      if (code !== 0 || stderr !== "") throw new Error(`liaison ${args.join(" ")}: exit code ${code}: ${stderr}`);
      return JSON.parse(stdout);
    },
    async prepare(work) {
      const deps = await openDeps(readConfig(environment), createLogger("silent"));
      try {
        return await work(deps);
      } finally {
        await deps.close();
      }
    },
    serve: async (options) => (await serve(environment, [], options)).url,
    sql: async (text, parameters = []) => (await owner.query(text, parameters)).rows,
    async client() {
      const client = new pg.Client(connection);
      clients.push(client);
      await client.connect();
      return client;
    },
  };
}

/** A tenant with an admin, ana@example.com, who has the password of a visitor, and with a key. */
export async function createWorkspace(
  { database }: Deps,
  slug: string,
  capabilities: Capability[],
): Promise<{ id: TenantId; token: string }> {
  const tenant = await insertTenant(database, slug, slug, null);
  if (tenant === null) throw new Error(`the slug ${slug} is taken`);
  const { id } = tenant;
  const ana = { email: "ana@example.com", name: "Ana", role: "admin", passwordHash: HASH_OF_PROGRAM } as const;
  await insertUser(id, database, ana);
  const key = { name: "Shop", capabilities, ...unlimited };
  return { id, token: (await createApiKey(id, database, slug, key)).token };
}

/** Requests with one token. */
export function requester(
  url: string,
  token: string,
): (method: string, path: string, body?: unknown) => Promise<Answer> {
  return async (method, path, body) => await request(url, method, path, body, { token });
}
