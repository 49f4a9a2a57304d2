import assert from "node:assert/strict";
import { test } from "node:test";
import { loadStatements } from "./collected-statements.ts";
import { fillTables } from "./filled-tables.ts";
import { withReader, type PlanMode } from "./reads.ts";
import { parts, unmade, walks } from "./walks.ts";

/**
 * Every statement of the program reads about as much as it answers, whatever the statistics know of its tenant: a look-up by
 * a key that reads the whole tenant fails here. Imported behind the module that collects the statements.
 */
const { startServer } = await import("../harness.ts");
const { makeStatements } = await import("./made-on-demand.ts");

const [ROWS, OTHERS] = [1_500, 12_000];
/** A statement for one row reads some of each of the tables that it joins, and down some indexes. */
const MOST = { rows: 100, pages: 250 };
const modes: PlanMode[] = ["force_custom_plan", "force_generic_plan"];

const server = await startServer();
const large = (await server.createTenant()).id;
const small = (await server.createTenant()).id;
await makeStatements(server);
const sites = await loadStatements();
const statements = sites.flatMap(({ made }) => [...made.values()]).filter(({ name }) => !parts.includes(name));

test("no statement is left out", () => {
  const missing = sites.filter(({ made }) => made.size === 0).map(({ place }) => place);
  const files = missing.map((place) => place.replace(/:\d+$/, "")).toSorted();
  assert.deepEqual(files, unmade, `make them in test/plans/made-on-demand.ts: ${missing.join(", ")}`);
  const names = new Set(statements.map(({ name }) => name));
  const gone = [...walks.keys()].filter((name) => !names.has(name));
  assert.deepEqual(gone, [], "there is no such statement: remove it from test/plans/walks.ts");
});

test("statistics of when there was next to nothing", async () => {
  await fillTables(server, large, 20);
  await server.sql("vacuum analyze");
  await server.sql("drop index companies_search");
  await fillTables(server, large, OTHERS);
  await fillTables(server, small, ROWS);
  await refuseWalks(small);
});

test("statistics that know a tenant as a small one, and another as the largest", async () => {
  await server.sql("vacuum analyze");
  await refuseWalks(small);
});

test("statistics that do not know the tenant yet", async () => {
  const unknown = (await server.createTenant()).id;
  await fillTables(server, unknown, ROWS);
  await refuseWalks(unknown);
});

async function refuseWalks(tenant: string): Promise<void> {
  const walking: string[] = [];
  await withReader(server, async (readsOf) => {
    for (const statement of statements) {
      if (walks.has(statement.name)) continue;
      for (const [whose, id] of Object.entries({ tenant, largest: large })) {
        for (const mode of modes) {
          const { rows, pages } = await readsOf(statement, id, mode);
          if (rows <= MOST.rows && pages <= MOST.pages) continue;
          walking.push(`${statement.name}, ${mode}, ${whose}: ${rows} rows, ${pages} pages`);
        }
      }
    }
  });
  assert.deepEqual(
    walking,
    [],
    "give it an index that serves it alone, or say in test/plans/walks.ts why it reads so much",
  );
}
