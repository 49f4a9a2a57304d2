import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import { exportCsv } from "../../src/exchange/exports/command-export.ts";
import { kindOf } from "../../src/exchange/imports/kinds.ts";
import { importCsv } from "../../src/exchange/imports/writing/import-csv.ts";
import type { Actor } from "../../src/kit/actor.ts";
import { reencrypt } from "../../src/operation/encryption/reencrypt.ts";
import { revokeApiKey } from "../../src/people/api-keys/api-key-queries.ts";
import { everyRoute } from "../doors/api/every-route.ts";
import { pathOf, situationFor } from "../doors/api/route-situations.ts";
import { request, startServer } from "../harness.ts";
import { logOf, type Node } from "./nodes.ts";

/** What one tenant asks for is answered by one node: the coordinator logs what it sends to which. */
const [coordinator] = JSON.parse(process.env.LIAISON_TEST_NODES ?? "[]") as [Node];
const server = await startServer(
  {},
  { "citus.log_remote_commands": "on", log_min_messages: "notice", client_min_messages: "error" },
);
const { database } = server.deps;
const tenant = await server.createTenant();
const home = await homeOf(tenant.id);
const user = await tenant.createUser();
const first = await tenant.post("/api/v1/companies", { name: "Needle", tax_id: "T1", assigned_to: user });
await tenant.post("/api/v1/companies", { name: "Hay" });

for (const row of everyRoute) {
  test(`${row.method} ${row.path}`, async () => {
    const made = await situationFor(row, server, tenant);
    const body = row.body === "none" ? undefined : row.body.passes;
    const sent = async () => {
      const { status } = await request(server.url, row.method, pathOf(row, made), body, { token: tenant.token });
      assert.equal(status, row.status);
    };
    assert.deepEqual(await nodesAskedBy(sent), [home]);
  });
}

const queries = ["?status=prospect", `?assigned_to=${user}`, `?assigned_to=${user}&status=active`];
const searches = ["?search=needle", "?search=e", "?search=needle&status=active", "?search=nothing-like-it"];
for (const query of [...queries, ...searches, "?per_page=1&page=9000", "?status=prospect&per_page=1&page=9000"]) {
  test(`GET /api/v1/companies${query}`, async () => {
    const asked = await nodesAskedBy(async () => {
      // As often as PostgreSQL waits before it tries a plan for any value.
      for (let i = 0; i < 7; i++) assert.equal((await tenant.get(`/api/v1/companies${query}`)).status, 200);
    });
    assert.deepEqual(asked, [home]);
  });
}

test("creates and updates that come together, and a taken tax id", async () => {
  const asked = await nodesAskedBy(async () => {
    const names = Array.from({ length: 20 }, (_, index) => `Together ${index}`);
    const created = await Promise.all(names.map(async (name) => await tenant.post("/api/v1/companies", { name })));
    const paths = created.map(({ body }) => `/api/v1/companies/${body.data.id}`);
    const updated = await Promise.all(paths.map(async (path) => await tenant.put(path, { city: "Turda" })));
    assert.ok(updated.every(({ status, body }) => status === 200 && body.data.city === "Turda"));
    assert.equal((await tenant.post("/api/v1/companies", { name: "Again", tax_id: "t1" })).status, 409);
  });
  assert.deepEqual(asked, [home]);
});

test("contacts and addresses that are searched, and a company with both", async () => {
  const path = `/api/v1/companies/${first.body.data.id}`;
  const asked = await nodesAskedBy(async () => {
    for (const nested of ["contacts", "addresses"]) await tenant.get(`${path}/${nested}?search=a`);
    await tenant.get(path);
  });
  assert.deepEqual(asked, [home]);
});

test("imports and exports of every kind, and the encryption of values under another key", async () => {
  const actor: Actor = { tenant: tenant.id, country: "Romania", by: { kind: "import", id: null } };
  const files = {
    companies: "name,tax_id,phone\nA,T1,1\nB,T2,2\n",
    contacts: "company_tax_id,first_name,last_name\nT1,A,B\n",
    addresses: "company_tax_id,address\nT1,A\n",
    invoices: "company_tax_id,number,status\nT1,F1,paid\n",
    invoice_lines: "invoice_number,position,description,quantity,unit_price\nF1,10,A,1,2.50\n",
    offers: "company_tax_id,number\nT1,O1\n",
  };
  const asked = await nodesAskedBy(async () => {
    for (const [name, csv] of Object.entries(files)) {
      for (let i = 0; i < 2; i++) {
        const chunks = Readable.from([Buffer.from(csv)]);
        await importCsv(server.deps, { kind: kindOf(name), actor, chunks });
      }
      const exported = await Array.fromAsync(exportCsv(server.deps, tenant.id, kindOf(name)));
      assert.match(exported.join(""), name === "invoice_lines" ? /F1,10,,A,1,2.50/ : /T1/);
    }
  });
  assert.deepEqual(asked, [home]);
  await reencrypt({ ...server.deps, signal: new AbortController().signal, onProgress() {} });
});

test("a key that is made, used and revoked", async () => {
  const asked = await nodesAskedBy(async () => {
    const { id, token } = await tenant.createKey();
    assert.equal((await tenant.get("/api/v1/companies", { token })).status, 200);
    assert.ok(await revokeApiKey(tenant.id, database, String(id), "command"));
  });
  assert.deepEqual(asked, [home]);
});

/** The ports of the nodes that a piece of work sends statements to, each once. */
async function nodesAskedBy(work: () => Promise<void>): Promise<number[]> {
  const before = Buffer.byteLength(logOf(coordinator));
  await work();
  const ours = `${String(server.connection.database)} liaison DETAIL:`;
  const lines = logOf(coordinator, before).split("\n");
  const ports = lines.flatMap((line) => (line.startsWith(ours) ? (/on server \S+:(\d+)/.exec(line)?.[1] ?? []) : []));
  return [...new Set(ports)].map(Number);
}

/** The port of the node where a tenant's rows are. */
async function homeOf(id: string): Promise<number> {
  const [node] = await server.sql(
    `select nodeport::int as port from citus_shards
     where table_name = 'companies'::regclass and shardid = get_shard_id_for_distribution_column('companies', $1::bigint)`,
    [id],
  );
  return Number(node?.port);
}
