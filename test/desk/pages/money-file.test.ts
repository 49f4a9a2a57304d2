import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";

/** The file of /money has every column and every row of the page, of one moment. */
const server = await startServer();

test("the file of debts has the columns of the page, and more rows than a page, whose sums are those of the page", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant, { name: "Dan Pop" });
  const [user] = await server.sql("select id from users where tenant_id = $1", [tenant.id]);
  await server.sql(
    `insert into companies (tenant_id, name, country, assigned_to)
     select $1, 'C' || lpad(g::text, 4, '0'), 'Romania', $2 from generate_series(1, 1200) g`,
    [tenant.id, user?.id],
  );
  await server.sql(
    `insert into invoices (tenant_id, company_id, number, status, total, currency, issued_on, due_on)
     select $1, c.id, 'F-' || c.id, 'issued', 10.25, 'RON', '2026-01-01', '2026-02-01' from companies c where c.tenant_id = $1`,
    [tenant.id],
  );
  const [first] = await server.sql("select id from companies where tenant_id = $1 order by id limit 1", [tenant.id]);
  await member.post(`/companies/${Number(first?.id)}/promise`, { until: "2030-01-15", note: "by phone" });
  await server.sql(
    `insert into reminders (tenant_id, company_id, level, state, changed_by, created_at)
     values ($1, $2, 2, 'sent', 'user:1', '2026-03-01T12:00:00Z')`,
    [tenant.id, Number(first?.id)],
  );
  const { text } = await member.get("/money/export");
  const [head = "", ...rows] = text.replace("\ufeff", "").trim().split(/\r?\n/);
  assert.match(head, /Company,Currency,Owed,Overdue,.*,Paid too much,Oldest,Last reminder,Promised until,Owner$/);
  assert.equal(rows.length, 1200);
  assert.match(
    rows.find((row) => row.startsWith("C0001")) ?? "",
    /,2026-02-01,"?2nd, 1 Mar 2026"?,2030-01-15,Dan Pop$/,
  );
  const owed = rows.reduce((sum, row) => sum + Number(row.split(",")[2]), 0);
  assert.equal(owed.toFixed(2), "12300.00");
  const page = await member.get("/money?currency=EUR");
  const [, choices = ""] = /<select name="currency">(.*?)<\/select>/s.exec(page.text) ?? [];
  assert.deepEqual(
    [...choices.matchAll(/<option[^>]*>([^<]*)</g)].map(([, label]) => label),
    ["All currencies", "RON", "EUR"],
  );
  assert.match((await member.get("/money")).text, /12,300\.00 RON/);
});
