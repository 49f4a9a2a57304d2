import assert from "node:assert/strict";
import { test } from "node:test";
import { namedStatement, namedTexts } from "../../src/platform/postgres/query.ts";
import { loadStatements } from "./collected-statements.ts";
import { fillTables } from "./filled-tables.ts";
import { withReader } from "./reads.ts";

/**
 * A page behind a cursor reads as much at the end of a list as at its beginning. Imported behind the module that
 * collects the statements.
 */
const { startServer } = await import("../harness.ts");

const ROWS = 12_000;
const LAST_ID = "9223372036854775807";
const server = await startServer();
const tenant = (await server.createTenant()).id;
await fillTables(server, (await server.createTenant()).id, 1_500);
await fillTables(server, tenant, ROWS);
await server.sql(`begin; set local session_replication_role = replica;
  update contacts set company_id = 7, is_primary = id % 2 = 0 where tenant_id = ${tenant};
  update addresses set company_id = 7, is_default = id % 2 = 0 where tenant_id = ${tenant};
  update invoices set company_id = 7, issued_on = case when id % 2 = 0 then date '2020-01-01' + (id % 1000)::int end where tenant_id = ${tenant};
  commit`);
await server.sql("vacuum analyze");
await loadStatements();

const byName = (id: number) => `'k${id}' || repeat(e'\\x1fk${id}', 3)`;

/** Of each statement places from the beginning of its list to the end, as SQL. */
const walks: { name: string; places: string[][] }[] = [
  { name: "walk_companies_by_id", places: [["0"], ["6000"], ["11990"]] },
  { name: "walk_companies_by_id_down", places: [[LAST_ID], ["6000"], ["9"]] },
  {
    name: "walk_companies_by_name",
    places: [
      ["''", "0"],
      [byName(5000), "5000"],
      [byName(9990), "9990"],
    ],
  },
  {
    name: "walk_companies_by_name_down",
    places: [
      ["'\u{10ffff}'", LAST_ID],
      [byName(5000), "5000"],
      [byName(1001), "1001"],
    ],
  },
  {
    name: "walk_contacts",
    places: [
      ["true", "''", "0"],
      ["true", "'k5000'", "5000"],
      ["false", "'k5001'", "5001"],
      ["false", "'k9990'", "9990"],
    ],
  },
  {
    name: "walk_addresses",
    places: [
      ["true", "0"],
      ["true", "11990"],
      ["false", "6001"],
      ["false", "11900"],
    ],
  },
  { name: "walk_contacts_of_all", places: [["0"], ["6000"], ["11990"]] },
  { name: "walk_addresses_of_all", places: [["0"], ["6000"], ["11990"]] },
  {
    name: "walk_invoices",
    places: [
      ["'infinity'", LAST_ID],
      ["'2021-05-05'", "5000"],
      ["'2020-01-01'", "900"],
      ["null", "5001"],
      ["null", "99"],
    ],
  },
];

/** The rows that a page of 50 reads: what it looks at, and its items. */
const MOST = { rows: 300, pages: 700 };
/** The rows that are looked at where a filter leaves nothing. */
const LOOKED_AT = 1_000;

for (const { name, places } of walks) {
  test(`${name}: a page reads alike wherever it lies, and a search for nothing stops`, async () => {
    await withReader(server, async (readsOf) => {
      for (const place of places) {
        for (const { rows, pages, mode } of await readsOf(...walk(name, { scanned: "51", place, search: "null" }))) {
          assert.ok(rows <= MOST.rows && pages <= MOST.pages, `${mode}, ${place.join()}: ${rows} rows, ${pages} pages`);
        }
      }
      // The statement with all filters.
      const filtered = namedTexts().get(name)?.includes(":search") ? name : name.replace("walk_", "walk_filtered_");
      const nothing = { scanned: String(LOOKED_AT), place: places[0] ?? [], search: "'none'" };
      for (const { rows, mode } of await readsOf(...walk(filtered, nothing))) {
        assert.ok(rows >= LOOKED_AT && rows <= 3 * LOOKED_AT, `${mode}: ${rows} rows`);
      }
    });
  });
}

/** A statement, the tenants, and its parameters as SQL: the seventh company, and no filter but the search. */
function walk(name: string, { scanned, place, search }: { scanned: string; place: string[]; search: string }) {
  const source = namedTexts().get(name);
  assert.ok(source !== undefined, name);
  const { text, parameters } = namedStatement(name, source);
  const after = Object.fromEntries(place.map((value, index) => [`after${index + 1}`, value]));
  const values: Record<string, string> = { scanned, found: "51", parent: "7", search, ...after };
  return [{ name, text }, [tenant], parameters.map((parameter) => values[parameter] ?? "null")] as const;
}
