import assert from "node:assert/strict";
import { test } from "node:test";
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
const statements = (await loadStatements()).flatMap(({ made }) => Array.from(made.values()));

const byName = (id: number) => `'k${id}' || repeat(e'\\x1fk${id}', 3)`;

/**
 * Of each statement places from the beginning of its list to the end, as SQL; the company before them, and the filters
 * behind.
 */
const walks: { name: string; company?: true; places: string[][]; filters: number; isSearchLast?: true }[] = [
  { name: "walk_companies_by_id", places: [["0"], ["6000"], ["11990"]], filters: 3 },
  { name: "walk_companies_by_id_down", places: [[LAST_ID], ["6000"], ["9"]], filters: 3 },
  {
    name: "walk_companies_by_name",
    places: [
      ["''", "0"],
      [byName(5000), "5000"],
      [byName(9990), "9990"],
    ],
    filters: 3,
  },
  {
    name: "walk_companies_by_name_down",
    places: [
      ["'\u{10ffff}'", LAST_ID],
      [byName(5000), "5000"],
      [byName(1001), "1001"],
    ],
    filters: 3,
  },
  {
    name: "walk_contacts",
    company: true,
    places: [
      ["true", "''", "0"],
      ["true", "'k5000'", "5000"],
      ["false", "'k5001'", "5001"],
      ["false", "'k9990'", "9990"],
    ],
    filters: 2,
  },
  {
    name: "walk_addresses",
    company: true,
    places: [
      ["true", "0"],
      ["true", "11990"],
      ["false", "6001"],
      ["false", "11900"],
    ],
    filters: 2,
  },
  { name: "walk_all_contacts", places: [["0"], ["6000"], ["11990"]], filters: 2, isSearchLast: true },
  { name: "walk_all_addresses", places: [["0"], ["6000"], ["11990"]], filters: 2, isSearchLast: true },
  {
    name: "walk_invoices",
    company: true,
    places: [
      ["'infinity'", LAST_ID],
      ["'2021-05-05'", "5000"],
      ["'2020-01-01'", "900"],
      ["null", "5001"],
      ["null", "99"],
    ],
    filters: 4,
  },
];

/** The rows that a page of 50 reads: what it looks at, and its items. */
const MOST = { rows: 300, pages: 700 };
/** The rows that are looked at where a filter leaves nothing. */
const LOOKED_AT = 1_000;

for (const { name, company, places, filters, isSearchLast = company } of walks) {
  test(`${name}: a page reads alike wherever it lies, and a search for nothing stops`, async () => {
    const statement = statements.find((made) => made.name === name);
    assert.ok(statement !== undefined);
    const behind = company ? ["7"] : [];
    const others = Array.from({ length: filters - 1 }, () => "null");
    await withReader(server, async (readsOf) => {
      for (const place of places) {
        const parameters = ["51", "51", ...behind, ...place, ...others, "null"];
        for (const { rows, pages, mode } of await readsOf(statement, [tenant], parameters)) {
          assert.ok(rows <= MOST.rows && pages <= MOST.pages, `${mode}, ${place.join()}: ${rows} rows, ${pages} pages`);
        }
      }
      const nothing = isSearchLast ? [...others, "'none'"] : ["'none'", ...others];
      const searching = [String(LOOKED_AT), "51", ...behind, ...(places[0] ?? []), ...nothing];
      for (const { rows, mode } of await readsOf(statement, [tenant], searching)) {
        assert.ok(rows >= LOOKED_AT && rows <= 3 * LOOKED_AT, `${mode}: ${rows} rows`);
      }
    });
  });
}
