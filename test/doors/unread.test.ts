import assert from "node:assert/strict";
import { test } from "node:test";
import { startImportServer } from "../exchange/imports/import-server.ts";
import { poll } from "../program.ts";
import { signedIn } from "./pages/visitor.ts";
import { askWithoutReading, cookiesOf, withLongCompanies } from "./unread-answers.ts";

/** Downloads, and clients that do not take them. */

/** A statement that waits for a lock ends after five seconds. */
const SECONDS_UNTIL_NOTICED = 3;
const server = await startImportServer();
const DOWNLOADS_AT_ONCE = 2;
/** More than requests of a tenant that are worked on at once. */
const UNREAD = 150;

test("downloads that nobody takes keep their tenant's next one waiting, until their callers hang up", async () => {
  const [tenant, other] = [await server.createTenant(), await server.createTenant()];
  const [member, stranger] = [await signedIn(server, tenant), await signedIn(server, other)];
  await withLongCompanies(server, tenant);
  const download = () => askWithoutReading(server.url, "/export/companies.csv", [cookiesOf(member)]);
  const clients = Array.from({ length: 2 * DOWNLOADS_AT_ONCE }, download);
  const begun = () => clients.filter(({ hasHeard }) => hasHeard());
  await poll("the first downloads", () => begun().length >= DOWNLOADS_AT_ONCE);
  for (let i = 0; i < 3; i++) assert.equal((await stranger.get("/export/companies.csv")).status, 200);
  assert.equal((await member.get("/companies/new")).status, 200, "what is small goes on");
  assert.equal(begun().length, DOWNLOADS_AT_ONCE);
  for (const { socket } of begun()) socket.destroy();
  await poll("the next downloads", () => begun().length === 2 * DOWNLOADS_AT_ONCE);
  for (const { socket } of clients) socket.destroy();
  assert.equal((await member.get("/companies/export")).status, 200);
});

test("exports that one member does not read leave the workspace's API alone", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  await withLongCompanies(server, tenant);
  const clients = Array.from({ length: UNREAD }, () =>
    askWithoutReading(server.url, "/export/companies.csv", [cookiesOf(member)]),
  );
  const { downloads } = server.deps.sharing.places;
  await poll("the wait of the others", () => downloads.inUse + downloads.waiting === UNREAD);
  assert.equal(downloads.inUse, DOWNLOADS_AT_ONCE);
  for (const query of ["per_page=1", "per_page=20"]) {
    const signal = AbortSignal.timeout(30_000);
    const headers = { authorization: `Bearer ${tenant.token}` };
    assert.equal((await fetch(`${server.url}/api/v1/companies?${query}`, { headers, signal })).status, 200);
  }
  assert.equal((await member.get("/companies")).status, 200);
  for (const { socket } of clients) socket.destroy();
  await poll("the end of the downloads", () => downloads.inUse + downloads.waiting === 0);
});

test("what is read for a download is given up when its caller hangs up", async () => {
  const member = await signedIn(server, await server.createTenant());
  const lock = await server.locking("lock table companies in access exclusive mode");
  try {
    const client = askWithoutReading(server.url, "/export/companies.csv", [cookiesOf(member)]);
    // The program's own work may wait for the table too, such as a merge of the search index after the test before.
    const reading =
      "select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like 'with page as materialized%'";
    const isWaiting = async () => (await server.sql(reading)).length > 0;
    await poll("the reading", isWaiting);
    client.socket.destroy();
    await poll("the end of the reading", async () => !(await isWaiting()), SECONDS_UNTIL_NOTICED);
  } finally {
    await lock.release();
  }
});
