import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { forgetStatistics } from "../../../src/exchange/personal-data/forget-statistics.ts";
import type { Job } from "../../../src/kit/jobs/job.ts";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { poll } from "../../program.ts";
import { runWorker } from "../../running-worker.ts";

/**
 * The planner keeps common values and samples of every column as text, where everybody who may read the table reads
 * them.
 */
const server = await startServer();
runWorker(server);

const tenant = await server.createTenant();
const member = await signedIn(server, tenant);
const { id: company } = (await tenant.post("/api/v1/companies", { name: "Acme" })).body.data;
const tables = ["contacts", "changes", "activities", "import_rows", "last_opened"];

/** A contact of whom every table has something. */
async function contact(name: string): Promise<string> {
  const person = {
    first_name: name,
    last_name: "Quastor",
    email: `${name}@example.com`,
    notes: `${name} likes quince`,
  };
  const keyed = { headers: { "idempotency-key": randomUUID() } };
  const made = await tenant.post(`/api/v1/companies/${company}/contacts`, person, keyed);
  const path = `/contacts/${made.body.data.id}`;
  assert.equal((await member.get(path)).status, 200);
  const said = await member.post(`${path}/activities`, { kind: "call", note: `${name} asked for quoins` });
  assert.equal(said.status, 303);
  return path;
}

/** The columns, and the expressions of indexes, whose statistics have a text. */
async function columnsWith(text: string): Promise<string[]> {
  const rows = await server.sql(
    `select tablename || '.' || attname as name from pg_stats
     where strpos(coalesce(most_common_vals::text, '') || coalesce(histogram_bounds::text, ''), $1) > 0 order by 1`,
    [text],
  );
  return rows.map(({ name }) => String(name));
}

async function erased(path: string): Promise<void> {
  assert.equal((await tenant.post(`/api/v1${path}/erase`)).status, 200);
}

test("an erased person leaves the planner's statistics too, and so does the last one of a table", async () => {
  const names = ["Zefirina", "Zaffera", "Zulmira"];
  const paths: string[] = [];
  for (const name of names) paths.push(await contact(name));
  for (const table of tables) await server.sql(`analyze ${table}`);
  const [first = "", ...others] = names;
  const known = await columnsWith(first);
  for (const column of ["contacts.email", "changes.changed", "activities.note"])
    assert.ok(known.includes(column), known.join(" "));
  await erased(paths[0] ?? "");
  await poll("the end of the first one's statistics", async () => (await columnsWith(first)).length === 0);
  for (const name of others) assert.notDeepEqual(await columnsWith(name), []);
  for (const path of paths.slice(1)) await erased(path);
  for (const name of ["Quastor", ...names]) {
    await poll(`the end of ${name}'s statistics`, async () => (await columnsWith(name)).length === 0);
  }
  assert.deepEqual(await server.sql("select id from contacts"), []);
});

test("a worker that stops leaves the statistics that are left to another one", async () => {
  const stopped: Pick<Job, "stop"> = { stop: AbortSignal.abort() };
  await assert.rejects(forgetStatistics(server.deps, stopped as Job), { name: "AbortError" });
});
