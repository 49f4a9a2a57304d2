import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { loadStatements } from "./collected-statements.ts";
import { fillTables } from "./filled-tables.ts";
import { withReader } from "./reads.ts";

/**
 * The figures of a company's page read a bounded number of index entries, at the company with most invoices too, and a
 * search of notes reads the tenant's own words alone. Imported behind the module that collects the statements.
 */
const { startServer } = await import("../harness.ts");

const ROWS = 24_000;
const server = await startServer();
const owner = await server.createTenant();
const tenant = owner.id;
const other = (await server.createTenant()).id;
await fillTables(server, other, 12_000);
await fillTables(server, tenant, ROWS);
// All invoices are of one company: half of them paid, the others open, all issued this year.
await server.sql(`begin; set local session_replication_role = replica;
  update invoices set company_id = 7, issued_on = current_date - (id % 300)::int, due_on = current_date - 1, total = 1,
    currency = 'RON', status = case when id % 2 = 0 then 'paid' else 'issued' end where tenant_id = ${tenant};
  commit`);
await server.sql("vacuum analyze invoices");
const statements = (await loadStatements()).flatMap(({ made }) => Array.from(made.values()));

function statementOf(name: string) {
  const statement = statements.find((made) => made.name === name);
  assert.ok(statement !== undefined, name);
  return statement;
}

const TODAY = ["7", "current_date", "current_date - 365"];

test("the money of the company with most invoices is summed up from 2,500 of each kind at most", async () => {
  await withReader(server, async (readsOf) => {
    for (const { rows, mode } of await readsOf(statementOf("money_of_company"), [tenant], TODAY)) {
      // Open ones, paid ones, and those that were paid otherwise.
      assert.ok(rows >= 7_500 && rows < 7_600, `${mode}: ${rows} rows`);
    }
  });
});

test("the money is read from its index alone, and the orders from theirs", async () => {
  const client = new pg.Client(server.connection);
  await client.connect();
  try {
    await client.query(`begin; set local role liaison_app; set local app.tenant_id = '${tenant}'`);
    for (const [name, index] of [
      ["money_of_company", "invoices_of_company_by_status"],
      ["orders_of_company", "invoices_of_company_moving"],
    ] as const) {
      await client.query(`prepare figures_${name} as ${statementOf(name).text}`);
      const parameters = [tenant, ...(name === "money_of_company" ? TODAY : ["7"])].join(", ");
      const { rows } = await client.query(`explain execute figures_${name}(${parameters})`);
      const plan = rows.map((row: Record<string, string>) => row["QUERY PLAN"]).join("\n");
      assert.match(plan, new RegExp(`Index Only Scan using ${index}`), plan);
      assert.doesNotMatch(plan, /Seq Scan|Bitmap/, plan);
    }
  } finally {
    await client.end();
  }
});

test("debts as of a day before 12,000 payments are those of that day", async () => {
  await server.sql(`begin; set local session_replication_role = replica;
    delete from payments where tenant_id = ${tenant};
    insert into payments (tenant_id, id, company_id, invoice_id, amount, paid_on)
    select tenant_id, id, company_id, id, 0.25, current_date from invoices where tenant_id = ${tenant} and status = 'issued';
    update invoices set paid = case status when 'paid' then total else 0.25 end where tenant_id = ${tenant};
    commit`);
  for (const [day, owed] of [
    ["current_date - 1", ROWS / 2],
    ["current_date", (ROWS / 2) * 0.75],
  ] as const) {
    const [row] = await server.sql(`select (${day})::text as day`);
    const { body } = await owner.get(`/api/v1/reports/receivables?as_of=${String(row?.day)}`);
    const { issued } = (
      await server.sql(
        `select count(*)::int as issued from invoices where tenant_id = $1 and issued_on > ${day} and status = 'issued'`,
        [tenant],
      )
    )[0] as { issued: number };
    assert.equal(Number(body.data.totals[0].owed), owed - issued * (owed / (ROWS / 2)), day);
  }
});

test("at most 1,000 orders of a company are counted", async () => {
  await withReader(server, async (readsOf) => {
    for (const { rows, mode } of await readsOf(statementOf("orders_of_company"), [tenant], ["7"])) {
      assert.ok(rows > 1_000 && rows <= 1_100, `${mode}: ${rows} rows`);
    }
  });
});

test("a rare word is looked up in the index of words, beside another tenant whose notes all have it", async () => {
  await server.sql(`begin; set local session_replication_role = replica;
    update activities set note = 'everywhere ' || note where tenant_id = ${other};
    update activities set note = 'everywhere' where tenant_id = ${tenant} and id = 23999;
    commit`);
  await server.sql("vacuum activities");
  await withReader(server, async (readsOf) => {
    for (const { rows, pages, mode } of await readsOf(statementOf("find_notes"), [tenant], ["'everywhere'", "6"])) {
      assert.ok(rows >= 2_000 && rows < 5_000, `${mode}: ${rows} rows`);
      assert.ok(pages < 1_500, `${mode}: ${pages} pages`);
    }
  });
});

test("a list of overdue invoices does not read those due later", async () => {
  await server.sql(`begin; set local session_replication_role = replica;
    update invoices set due_on = current_date + 1 + (id % 300)::int where tenant_id = ${tenant} and id > 10;
    commit`);
  await server.sql("vacuum analyze invoices");
  await withReader(server, async (readsOf) => {
    for (const { rows, mode } of await readsOf(statementOf("ids_of_orders_overdue"), [tenant])) {
      assert.ok(rows < 100, `${mode}: ${rows} rows`);
    }
  });
});
