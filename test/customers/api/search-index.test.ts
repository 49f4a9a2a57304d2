import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import pg from "pg";
import { kindOf } from "../../../src/exchange/imports/kinds.ts";
import { importCsv } from "../../../src/exchange/imports/writing/import-csv.ts";
import { actingAs } from "../../../src/kit/actor.ts";
import { findTenant } from "../../../src/people/tenants/tenant-queries.ts";
import { startServer, waitingForLocks } from "../../harness.ts";
import { poll } from "../../program.ts";

/** How the trigram index is kept is PostgreSQL's; that searches stay quick after many writes is ours. */
const server = await startServer();
await server.sql("create extension pageinspect");
const PATH = "/api/v1/companies";

test("what writes leave waiting for the search index is merged beside them", async () => {
  const tenant = await server.createTenant();
  for (let round = 0; round < 20; round++) {
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => await tenant.post(PATH, { name: `Stork ${20 * round + index}` })),
    );
  }
  await untilWaiting(100);
  assert.equal((await tenant.get(`${PATH}?search=stork`)).body.total, 400);
});

test("long texts are merged after fewer writes", async () => {
  const tenant = await server.createTenant();
  await untilWaiting(150);
  await server.sql("select merge_company_search()");
  for (let round = 0; round < 60; round++) await tenant.post(PATH, { name: longName(round) });
  await untilWaiting(59);
});

test("a merge that takes long keeps none of a tenant's searches waiting", async () => {
  const [tenant, other] = [await server.createTenant(), await server.createTenant()];
  const { database } = server.deps;
  const holder = new pg.Client(server.connection);
  await holder.connect();
  try {
    await holder.query("begin; select pg_advisory_xact_lock(1)");
    await replaceMerge("select pg_advisory_xact_lock(1)");
    for (let round = 0; round < 60; round++) await tenant.post(PATH, { name: longName(round) });
    await server.untilWaiting(1);
    await other.get(PATH);
    // A tenant among others has two of these connections.
    const long = database.slow.read(tenant.id, { name: "long", text: "select pg_advisory_xact_lock(1), $1::bigint" });
    await server.untilWaiting(2);
    assert.equal((await tenant.get(`${PATH}?search=zzz`)).body.total, 0);
    assert.equal((await server.sql(waitingForLocks)).length, 2);
    await holder.query("commit");
    await long;
  } finally {
    await holder.end();
    await replaceMerge("select gin_clean_pending_list('public.companies_search'::regclass)");
  }
});

test("an import leaves nothing waiting", async () => {
  const { slug } = await server.createTenant();
  const tenant = await findTenant(server.deps.database, slug);
  assert.ok(tenant);
  const rows = Array.from({ length: 80 }, (_, index) => `Heron ${index}`);
  const chunks = Readable.from([Buffer.from(["name", ...rows].join("\n"))]);
  await importCsv(server.deps, { kind: kindOf("companies"), actor: actingAs("import", tenant), chunks });
  await untilWaiting(0);
});

function longName(round: number): string {
  return Array.from({ length: 250 }, (_, at) => String.fromCharCode(97 + ((at * at + round * 7) % 26))).join("");
}

async function replaceMerge(body: string): Promise<void> {
  await server.sql(`create or replace function merge_company_search() returns void language sql security definer
    set search_path = pg_catalog, public, pg_temp as $$ ${body} $$`);
}

/** Resolves when at most this number of companies wait to be merged. */
async function untilWaiting(atMost: number): Promise<void> {
  const text = "select n_pending_tuples::int as n from gin_metapage_info(get_raw_page('companies_search', 0))";
  await poll(`at most ${atMost} that wait`, async () => Number((await server.sql(text))[0]?.n) <= atMost);
}
