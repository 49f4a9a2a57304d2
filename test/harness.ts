import { randomBytes } from "node:crypto";
import { after } from "node:test";
import type { FastifyInstance } from "fastify";
import pg from "pg";
import { buildApp } from "../src/doors/app.ts";
import { prepareImport, storeFile } from "../src/exchange/imports/store-upload.ts";
import { readConfig, type Config } from "../src/kit/config.ts";
import { openOutbound, type Deps } from "../src/kit/deps.ts";
import { capabilities } from "../src/people/api-keys/capability.ts";
import { createApiKey, type KeySpecification } from "../src/people/api-keys/create-api-key.ts";
import { inviteUser } from "../src/people/users/invitation.ts";
import { insertUser } from "../src/people/users/user-queries.ts";
import { createKeyring, generateEncryptionKey } from "../src/platform/encryption/keyring.ts";
import { createLogger } from "../src/platform/logger.ts";
import { createPasswords } from "../src/platform/passwords/password-hash.ts";
import type { Connection } from "../src/platform/postgres/database.ts";
import { openDatabase } from "../src/platform/postgres/open-database.ts";
import { openRequestRole } from "../src/platform/postgres/request-role.ts";
import { asTenantId, type TenantId } from "../src/platform/postgres/tenant-id.ts";
import { SHARES } from "../src/platform/sharing/shares.ts";
import { createSharing } from "../src/platform/sharing/sharing.ts";
import { createDistributedDatabase, dropCitusDatabase } from "./citus/distributed-database.ts";
import type { Node } from "./citus/nodes.ts";
import { poll } from "./program.ts";
import { afterFile } from "./together.ts";

/** A server of one's own, on a database of one's own, gone when the test file ends. */
export type TestServer = {
  deps: Deps;
  server: FastifyInstance;
  /** `http://127.0.0.1:PORT` */
  url: string;
  connection: Connection;
  /** Runs SQL as the owner of the tables, past both tenancy walls: to prepare and to inspect. */
  sql(text: string, parameters?: unknown[]): Promise<Record<string, unknown>[]>;
  createTenant(options?: { slug?: string; country?: string }): Promise<TestTenant>;
  /** Resolves when this number of connections wait for locks. */
  untilWaiting(connections: number): Promise<void>;
};

export type TestTenant = {
  id: TenantId;
  slug: string;
  /** A token with every capability. */
  token: string;
  createKey(specification?: Partial<KeySpecification>): Promise<{ id: number; token: string }>;
  createUser(name?: string, role?: "admin" | "member"): Promise<number>;
  /** An invitation of an address of its own, by an admin of its own. */
  invite(): Promise<{ id: string; token: string }>;
  /** A file that was uploaded to be imported, and that no worker has looked at. Returns its id. */
  createImport(csv?: string, kind?: string): Promise<string>;
  /** Requests with the tenant's token, unless told otherwise. */
  get(path: string, options?: RequestOptions): Promise<Answer>;
  post(path: string, body?: unknown, options?: RequestOptions): Promise<Answer>;
  put(path: string, body?: unknown, options?: RequestOptions): Promise<Answer>;
  delete(path: string, options?: RequestOptions): Promise<Answer>;
};

export type RequestOptions = { token?: string; headers?: Record<string, string> };

/** `body` is the parsed JSON, or the text where it is none. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests assert on what the body turns out to be
export type Answer = { status: number; headers: Headers; body: any; text: string };

/** An address of warehouses at which there is none: invoices can be queued. */
const NO_WAREHOUSE = "http://{subdomain}.localhost:1/api/v1";

/** An address of a register at which there is none. */
const NO_REGISTER = "http://register.localhost:1";

/** The rest of a key that may be used for ever, from anywhere, as often as the installation lets it. */
export const unlimited = { expiresAt: null, allowIp: [], rate: null };

/** What a hash costs in tests: nothing. At the product's cost it takes a fifth of a second of a processor. */
export const CHEAP = { memoryKib: 64, passes: 1, parallelism: 1 };

/** @param settings of the database, PostgreSQL's own, by name */
export async function startServer(
  environment: Record<string, string> = {},
  settings: Record<string, string> = {},
): Promise<TestServer> {
  const connection = await createDatabase(settings);
  const requests = await openRequestRole(connection);
  const config: Config = {
    ...readConfig({
      LOG_LEVEL: "silent",
      LIAISON_WMS_URL: NO_WAREHOUSE,
      LIAISON_COMPANY_LOOKUP_URL: NO_REGISTER,
      ...environment,
    }),
    port: 0,
  };
  const logger = createLogger(config.logLevel);
  const few = { all: 4, waitMs: 10_000 };
  const two = { ...SHARES.longReads, each: 2 };
  const sharing = createSharing({ quickReads: few, writes: few, longReads: two });
  const database = openDatabase({ connection, requests, logger, sharing });
  const keyring = createKeyring([generateEncryptionKey([])]);
  const { hangUp, ...outbound } = await openOutbound(config, async () => false);
  const deps: Deps = { config, database, keyring, passwords: createPasswords([CHEAP]), logger, sharing, ...outbound };
  const { server } = buildApp(deps);
  const url = await server.listen({ host: "127.0.0.1", port: 0 });
  const owner = new pg.Pool({ ...connection, max: 2 });
  // Of one that a test has the server lose.
  owner.on("error", () => {});
  after(async () => {
    await server.close();
    await hangUp();
    await database.close();
    await owner.end();
  });

  const sql: TestServer["sql"] = async (text, parameters = []) => (await owner.query(text, parameters)).rows;

  return {
    deps,
    server,
    url,
    connection,
    sql,
    async untilWaiting(connections) {
      const what = `${connections} connections that wait for locks`;
      await poll(what, async () => (await sql(waitingForLocks)).length >= connections);
    },
    createTenant: async (options) => await createTenant({ deps, url, sql }, options),
  };
}

/** Whether the database is distributed over the nodes of a cluster (test/citus/). */
export const isCluster = process.env.LIAISON_TEST_NODES !== undefined;

/** PostgreSQL's processes, on whatever node, as a table: each with a `pid` that pg_terminate_backend() takes. */
export const backends = isCluster
  ? "(select global_pid as pid, datname, wait_event_type from citus_stat_activity) backends"
  : "(select pid, datname, wait_event_type from pg_stat_activity) backends";

/** Those whose connections wait for locks. */
export const waitingForLocks = `select pid from ${backends} where datname = current_database() and wait_event_type = 'Lock'`;

/** A copy of the migrated template database; on a cluster (test/citus/) a distributed one. */
export async function createDatabase(settings: Record<string, string> = {}): Promise<Connection> {
  const nodes = process.env.LIAISON_TEST_NODES;
  if (nodes !== undefined) return await createOnCluster(JSON.parse(nodes) as Node[], settings);
  const template = JSON.parse(process.env.LIAISON_TEST_CLUSTER ?? "null") as Connection | null;
  if (template === null) throw new Error("run the tests by `npm test`: its global setup starts the database");
  const name = `test_${randomBytes(6).toString("hex")}`;
  await dropDatabases(template);
  present.push(name);
  const client = new pg.Client({ ...template, database: "postgres" });
  await client.connect();
  const from = client.escapeIdentifier(String(template.database));
  // As files: the default writes each page to the log too, which takes twice the processor time.
  await client.query(`create database ${name} template ${from} strategy file_copy`);
  for (const [setting, value] of Object.entries(settings)) {
    await client.query(`alter database ${name} set ${setting} = '${value}'`);
  }
  await client.end();
  return { ...template, database: name };
}

/** Databases of this process: of the present test file, and of those that have ended. Together they fill a memory. */
let [present, ended]: [string[], string[]] = [[], []];

afterFile(() => {
  [present, ended] = [[], [...ended, ...present]];
});

process.once("beforeExit", () => {
  const template = JSON.parse(process.env.LIAISON_TEST_CLUSTER ?? "null") as Connection | null;
  ended.push(...present);
  if (template !== null) void dropDatabases(template).catch(() => {});
});

async function dropDatabases(template: Connection): Promise<void> {
  if (ended.length === 0) return;
  const client = new pg.Client({ ...template, database: "postgres" });
  await client.connect();
  for (const name of ended.splice(0)) await client.query(`drop database if exists ${name} with (force)`);
  await client.end();
}

async function createOnCluster(nodes: Node[], settings: Record<string, string>): Promise<Connection> {
  const connection = await createDistributedDatabase(nodes, settings);
  // Once nothing of the test file is connected any more. A cluster that is gone took it along.
  process.once("beforeExit", () => void dropCitusDatabase(nodes, connection).catch(() => {}));
  return connection;
}

let tenants = 0;

async function createTenant(
  { deps, url, sql }: Pick<TestServer, "deps" | "url" | "sql">,
  { slug = `tenant-${++tenants}`, country }: { slug?: string; country?: string } = {},
): Promise<TestTenant> {
  const { database } = deps;
  // As insertTenant does, which opens a connection for it each time: of tenants there are more than a thousand.
  const [row] = await sql(
    "insert into tenants (slug, name, country) values ($1, $2, coalesce($3, 'Romania')) returning id::text",
    [slug, `Tenant ${slug}`, country ?? null],
  );
  const tenant = { id: asTenantId(String(row?.id)) };
  const createKey = async (specification: Partial<KeySpecification> = {}) =>
    await createApiKey(tenant.id, database, slug, {
      name: "test",
      capabilities: [...capabilities],
      ...unlimited,
      ...specification,
    });
  const { token } = await createKey();
  const createUser: TestTenant["createUser"] = async (name = "Ana Ionescu", role = "member") => {
    const email = `${randomBytes(6).toString("hex")}@example.com`;
    const user = await insertUser(tenant.id, database, { email, name, role, passwordHash: "" });
    if (user === null) throw new Error(`the e-mail ${email} is taken`);
    return user.id;
  };
  const send = async (method: string, path: string, body?: unknown, options: RequestOptions = {}) =>
    await request(url, method, path, body, { token, ...options });
  return {
    id: tenant.id,
    slug,
    token,
    createKey,
    createUser,
    async invite() {
      const email = `${randomBytes(6).toString("hex")}@example.com`;
      const invited = await inviteUser(deps, tenant.id, String(await createUser("Ana Pop", "admin")), { email });
      if (invited.outcome !== "invited") throw new Error(`the invitation of ${email} is ${invited.outcome}`);
      return invited;
    },
    async createImport(csv = "name\nAcme\n", kind = "companies") {
      const chunks = (async function* () {
        yield Buffer.from(csv);
      })();
      const stored = await storeFile(deps, tenant.id, String(await createUser()), { name: "companies.csv", chunks });
      if (stored === null) throw new Error("the tenant has no room for a file");
      const prepared = await prepareImport(deps, tenant.id, stored, { kind });
      if ("begin" in prepared) await prepared.begin(deps.database);
      return stored.id;
    },
    get: async (path, options) => await send("GET", path, undefined, options),
    post: async (path, body, options) => await send("POST", path, body, options),
    put: async (path, body, options) => await send("PUT", path, body, options),
    delete: async (path, options) => await send("DELETE", path, undefined, options),
  };
}

/** One request over HTTP. A string or a Buffer is sent as it is, anything else as JSON; no token, no Authorization. */
export async function request(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  { token, headers = {} }: RequestOptions = {},
): Promise<Answer> {
  const raw = body === undefined || typeof body === "string" || body instanceof Uint8Array;
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
    ...(body === undefined ? {} : { body: raw ? (body as string) : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: parse(text), text };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
