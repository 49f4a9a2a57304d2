import assert from "node:assert/strict";
import net from "node:net";
import { test } from "node:test";
import { versionOf } from "../../src/platform/version.ts";
import { createInstallation, requester } from "../cli/installation.ts";
import { request } from "../harness.ts";
import { poll, serve, type Server } from "../program.ts";
import { head, sendRaw } from "../wire.ts";

const installation = await createInstallation();
await installation.json(["tenant", "create", "acme", "--name", "Acme"]);
const creating = ["key", "create", "--tenant", "acme", "--name", "n", "--capabilities"];
const key = await installation.json([...creating, "companies:write,contacts:write,changes:read"]);
const user = ["user", "create", "--tenant", "acme", "--email", "marker-mail@example.com", "--name", "marker-person"];
const { password } = await installation.json(user);
const [{ id: tenantId = "" } = {}] = await installation.sql("select id::text from tenants");

type Line = Record<string, unknown>;

const PINO = ["level", "time", "pid", "hostname"];
const FIELDS = ["request_id", "route", "status", "ms", "tenant_id", "key_id", "bytes", "trace_id"];

/** The log of a server of its own while something is asked of it. */
async function logOf(environment: Record<string, string>, ask: (server: Server) => Promise<void>): Promise<string> {
  const server = await serve({ ...installation.environment, ...environment });
  await ask(server);
  server.process.kill("SIGTERM");
  assert.equal(await server.ended, 0, server.complaints());
  return server.complaints();
}

function linesOf(log: string): Line[] {
  return log
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}

const ON = { LIAISON_ACCESS_LOG: "on", LOG_LEVEL: "silent" };

test("each request has one line: its route's pattern, and whose it was", async () => {
  const trace = "0af7651916cd43dd8448eb211c80319c";
  const log = await logOf(ON, async ({ url }) => {
    const send = requester(url, key.token);
    await request(url, "GET", "/api/v1/companies/7?search=x", undefined, {
      token: key.token,
      headers: { "x-request-id": "mine", traceparent: `00-${trace}-b7ad6b7169203331-01` },
    });
    await send("POST", "/api/v1/companies", {});
    await send("HEAD", "/api/v1/companies");
    await send("PUT", "/api/v1/companies");
    await send("GET", "/api/v1/nothing/7");
    await request(url, "GET", "/api/v1/companies/7", undefined, { headers: { traceparent: "00-nonsense" } });
    await request(url, "GET", "/health/live");
  });
  const [first, ...others] = linesOf(log);
  const { ms, bytes, ...said } = first ?? {};
  assert.deepEqual(Object.keys(first ?? {}), [...PINO, ...FIELDS, "msg"]);
  assert.partialDeepStrictEqual(said, {
    request_id: "mine",
    route: "GET /api/v1/companies/{id}",
    status: 404,
    tenant_id: tenantId,
    key_id: String(key.id),
    trace_id: trace,
  });
  assert.ok(Number(ms) > 0 && Number(bytes) > 100, JSON.stringify(first));
  assert.deepEqual(
    others.map(({ route, status, tenant_id, key_id, trace_id }) => [route, status, tenant_id, key_id, trace_id]),
    [
      ["POST /api/v1/companies", 422, tenantId, String(key.id), null],
      ["HEAD /api/v1/companies", 200, tenantId, String(key.id), null],
      ["PUT unknown", 405, null, null, null],
      ["GET unknown", 404, null, null, null],
      ["GET /api/v1/companies/{id}", 401, null, null, null],
      ["GET /health/live", 200, null, null, null],
    ],
  );
});

test("the bytes of a line are those that were sent, with the answer's head", async () => {
  let sent = 0;
  const log = await logOf(ON, async ({ url }) => {
    const answer = await sendRaw(url, head("GET /api/v1/companies HTTP/1.1", key.token));
    sent = Buffer.byteLength(answer.head, "latin1") + "\r\n\r\n".length + Buffer.byteLength(answer.body);
  });
  assert.equal(linesOf(log)[0]?.bytes, sent);
});

test("a caller who hangs up before the answer has a line too", async () => {
  const log = await logOf(ON, async (server) => {
    const other = await installation.client();
    await other.query("begin; lock table companies");
    const { hostname, port } = new URL(server.url);
    const socket = net.connect(Number(port), hostname);
    socket.write(head("GET /api/v1/companies/7 HTTP/1.1", key.token));
    await poll("its wait", async () => {
      const waiting = await installation.sql(
        "select pid from pg_locks where not granted and relation = 'companies'::regclass",
      );
      return waiting.length > 0;
    });
    socket.destroy();
    await poll("its line", () => server.complaints().includes("\n"));
    await other.query("rollback");
  });
  const lines = linesOf(log);
  assert.deepEqual(
    lines.map(({ route, status }) => [route, status]),
    [["GET /api/v1/companies/{id}", 499]],
  );
});

test("no line has anything that somebody typed, a secret or an address", async () => {
  const markers = ["marker-", "lsn_", password, "+40 799", "10.66.77.88"];
  const log = await logOf({ ...ON, LOG_LEVEL: "trace", LIAISON_TRUSTED_PROXIES: "127.0.0.1" }, async ({ url }) => {
    const headers = {
      "user-agent": "marker-agent",
      cookie: "liaison=marker-cookie",
      referer: "https://marker-referer.example/",
      "x-forwarded-for": "10.66.77.88",
      tracestate: "marker=state",
      "idempotency-key": "marker-once",
      "if-match": '"marker-tag"',
    };
    const send = async (method: string, path: string, body?: unknown, token = key.token) =>
      await request(url, method, path, body, { token, headers });
    const company = { name: "marker-company", tax_id: "marker-tax", phone: "+40 799 010 203", notes: "marker-notes" };
    const created = await send("POST", "/api/v1/companies", company);
    await request(url, "POST", "/api/v1/companies", company, { token: key.token });
    await send("POST", `/api/v1/companies/${created.body.data?.id}/contacts`, { first_name: "marker-first" });
    await send("GET", "/api/v1/companies?search=marker-search&status=marker-status&marker-name=1");
    await send("GET", "/api/v1/companies/marker-id");
    await send("GET", "/marker-path/marker-name");
    await send("GET", "/api/v1/companies", undefined, "marker-tenant.marker-key");
    const form = `workspace=acme&email=${encodeURIComponent("marker-mail@example.com")}&password=${password}`;
    for (const body of [form, `${form}x`]) {
      await fetch(`${url}/sign-in`, {
        method: "POST",
        body,
        redirect: "manual",
        headers: { ...headers, origin: url, "content-type": "application/x-www-form-urlencoded" },
      });
    }
  });
  assert.ok(linesOf(log).length >= 9, log);
  for (const marker of markers) assert.equal(log.includes(marker), false, `${marker} in ${log}`);
});

test("who is not asked to log requests logs none", async () => {
  const log = await logOf({ LOG_LEVEL: "trace" }, async ({ url }) => {
    await requester(url, key.token)("GET", "/api/v1/companies");
  });
  assert.deepEqual(
    linesOf(log).map(({ msg }) => msg),
    ["Liaison is ready", "Liaison stops"],
  );
});

test("SIGHUP switches the access log on and off, of one process and of several", async () => {
  for (const options of [[], ["--processes", "2"]]) {
    const processes = options.length === 0 ? 1 : 2;
    const server = await serve(installation.environment, [], options);
    const lines = () => (server.complaints() === "" ? [] : linesOf(server.complaints()));
    const switched = (isOn: boolean) => lines().filter(({ access_log }) => access_log === isOn).length;
    const ask = async () => {
      for (let n = 0; n < 4; n++) await requester(server.url, key.token)("GET", "/api/v1/companies");
    };
    await ask();
    server.process.kill("SIGHUP");
    await poll("the word that it is on", () => switched(true) === processes);
    await ask();
    await poll("the requests' lines", () => lines().filter(({ msg }) => msg === "request").length === 4);
    server.process.kill("SIGHUP");
    await poll("the word that it is off", () => switched(false) === processes);
    await ask();
    server.process.kill("SIGTERM");
    assert.equal(await server.ended, 0);
    assert.equal(lines().length, 2 * processes + 4, server.complaints());
  }
});

test("a request that takes more than a second has a line without an access log, and so has one that is put off", async () => {
  const log = await logOf({ LOG_LEVEL: "info" }, async ({ url }) => {
    const send = requester(url, key.token);
    const { body } = await send("POST", "/api/v1/companies", { name: "marker-company" });
    await send(
      "GET",
      `/api/v1/changes?wait=2&cursor=${(await send("GET", "/api/v1/changes?from=now")).body.meta?.cursor}`,
    );
    const other = await installation.client();
    await other.query("begin; lock table companies");
    const late = await send("PUT", `/api/v1/companies/${body.data.id}`, { city: "marker-city" });
    await other.query("rollback");
    assert.equal(late.status, 503);
  });
  const lines = linesOf(log);
  const putOff = lines.find(({ msg }) => msg === "a request was put off");
  const slow = lines.filter(({ msg }) => msg === "a slow request");
  assert.equal(slow.length, 1, log);
  assert.deepEqual(Object.keys(slow[0] ?? {}), [...PINO, ...FIELDS, "msg"]);
  assert.ok(Number(slow[0]?.ms) > 1_000);
  const whose = { route: "PUT /api/v1/companies/{id}", status: 503, tenant_id: tenantId };
  assert.partialDeepStrictEqual(slow[0], { ...whose, key_id: String(key.id) });
  assert.partialDeepStrictEqual(putOff, { ...whose, request_id: slow[0]?.request_id });
  assert.equal(log.includes("marker-"), false, log);
});

test("a start has one line: the version, the database, its migrations, the data directory and what is on", async () => {
  const [address = "", search] = String(installation.environment.DATABASE_URL).split("?");
  const DATABASE_URL = `${address.replace("@", ":marker-password@")}?${search}`;
  const log = await logOf({ LOG_LEVEL: "info", LIAISON_WORKER: "off", DATABASE_URL }, async () => {});
  const started = linesOf(log).filter(({ msg }) => msg === "Liaison is ready");
  assert.equal(started.length, 1, log);
  assert.partialDeepStrictEqual(started[0], {
    version: versionOf().version,
    commit: versionOf().commit,
    migrations: [],
    data_directory: installation.dataDir,
    processes: 1,
    on: { worker: false, demo: false, warehouses: false, access_log: false, metrics: false },
  });
  assert.match(JSON.stringify(started[0]?.postgres), /"version":"\d+\.\d+/);
  assert.ok(Number(started[0]?.migrations_ms) >= 0);
  assert.equal(log.includes("marker-"), false, log);
});
