import assert from "node:assert/strict";
import { test } from "node:test";
import { loadStatements } from "./collected-statements.ts";
import { fillTables } from "./filled-tables.ts";
import { withReader } from "./reads.ts";
import { parts, unmade, walks } from "./walks.ts";

/**
 * Every statement of the program reads about as much as it answers, whatever the statistics know of its tenant: a
 * look-up by a key that reads the whole tenant fails here. Imported behind the module that collects the statements.
 */
const { startServer } = await import("../harness.ts");
const { makeStatements } = await import("./made-on-demand.ts");

const [ROWS, OTHERS] = [1_500, 12_000];
/** A statement for one row reads some of each of the tables that it joins, and down some indexes. */
const MOST = { rows: 100, pages: 250 };

const tablesAndIndexes = "relnamespace = 'public'::regnamespace and relkind in ('r', 'i')";

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

test("no two statements have one name: a connection prepares the first, and refuses the other", () => {
  const texts = Map.groupBy(statements, ({ name }) => name);
  const shared = [...texts].filter(([name, all]) => !name.endsWith(".ts") && all.length > 1).map(([name]) => name);
  assert.deepEqual(shared, []);
});

test("statistics of when there was next to nothing", async () => {
  await fillTables(server, large, 20);
  await server.sql("vacuum analyze");
  await server.sql("drop index companies_search");
  await fillTables(server, large, OTHERS);
  await fillTables(server, small, ROWS);
  await refuseWalks(small);
});

test("no statistics, since nobody ever collected any", async () => {
  await server.sql(
    "delete from pg_statistic s using pg_class c where c.oid = s.starelid and c.relnamespace = 'public'::regnamespace",
  );
  await server.sql(`update pg_class set reltuples = -1, relpages = 0, relallvisible = 0 where ${tablesAndIndexes}`);
  await server.sql("call expect_nulls()");
  await refuseWalks(small);
});

test("statistics that know a tenant as a small one, and another as the largest", async () => {
  await server.sql("vacuum analyze");
  await refuseWalks(small);
});

const unknown = (await server.createTenant()).id;
test("statistics that do not know the tenant yet", async () => {
  await fillTables(server, unknown, ROWS);
  await refuseWalks(unknown);
});

// A million rows of each table would take minutes to fill. What the planner knows of a table is the number of rows for
// each page, which it multiplies by the pages that there are: for a hundred times as many it plans for more than a
// million.
test("statistics of millions of rows of others, and of a tenant that they do not know", async () => {
  await server.sql(`update pg_class set reltuples = reltuples * 100 where ${tablesAndIndexes}`);
  await refuseWalks(unknown);
});

async function refuseWalks(tenant: string): Promise<void> {
  const walking: string[] = [];
  await withReader(server, async (readsOf) => {
    for (const statement of statements) {
      if (walks.has(statement.name)) continue;
      for (const { rows, pages, mode, tenant: whose } of await readsOf(statement, [tenant, large])) {
        if (rows <= MOST.rows && pages <= MOST.pages) continue;
        walking.push(
          `${statement.name}, ${mode}, ${whose === large ? "largest" : "tenant"}: ${rows} rows, ${pages} pages`,
        );
      }
    }
  });
  assert.deepEqual(
    walking,
    [],
    "give it an index that serves it alone, or say in test/plans/walks.ts why it reads many rows",
  );
}
