import assert from "node:assert/strict";
import { test } from "node:test";
import { noteRun } from "../../../src/people/operators/installation-notes.ts";
import { statementTallies } from "../../../src/platform/postgres/statement-tallies.ts";
import { assertHarmless, escaped, hostileTexts } from "../../doors/pages/hostile-texts.ts";
import { operatorIn, PASSWORD, signedIn, visitor } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";

const server = await startServer();
const operator = await operatorIn(server);

const FORM = "/operator/tenants";
const create = async (form: Record<string, string>) => await operator.post(FORM, form);
const linkIn = (text: string) =>
  /<pre id="link"[^>]*>https?:\/\/[^/]+(\/invitations\/[\w-]{43})<\/pre>/.exec(text)?.[1];
const errorOf = (text: string, field: string) =>
  new RegExp(`<p class="error" id="${field}-error">([^<]*)`).exec(text)?.[1] ?? null;

test("an operator makes a tenant, and the link makes its first admin", async () => {
  const page = await create({ name: "Carpat Lemn SRL", slug: "", email: "ana@carpat.example", country: "" });
  assert.equal(page.status, 200);
  assert.match(page.text, /<h1>Carpat Lemn SRL is ready<\/h1>/);
  assert.match(page.text, /data-copy/);
  const link = linkIn(page.text);
  assert.ok(link);

  const ana = visitor(server);
  assert.match((await ana.get(link)).text, /You are invited to the workspace Carpat Lemn SRL, as: Admin\./);
  assert.equal((await ana.post(link, { name: "Ana Pop", password: PASSWORD })).location, "/today");
  assert.match((await ana.get("/workspace")).text, /carpat-lemn/);
  assert.match((await ana.get("/workspace")).text, /value="Romania"/);
  assert.equal((await visitor(server).get(link)).status, 404, "it works once");

  const history = (await ana.get("/history?type=invitation")).text;
  assert.match(history, /An operator/);
  const others = await ana.get("/history?type=invitation&by=operator");
  assert.match(others.text, /ana@carpat\.example/);
});

test("an open invitation by an operator stands in the list of users, and can be revoked", async () => {
  const { text } = await create({ name: "Nord Food", slug: "nord-food", email: "ion@nord.example" });
  const [row] = await server.sql("select id from tenants where slug = 'nord-food'");
  const admin = await signedIn(server, { id: String(row?.id) as never, slug: "nord-food" }, { role: "admin" });
  const users = (await admin.get("/users")).text;
  assert.match(users, /ion@nord\.example[^]*Those who run Liaison/);
  const [, revoke = ""] = /action="(\/users\/invitations\/\d+\/revoke)"/.exec(users) ?? [];
  assert.equal((await admin.post(revoke)).location, "/users");
  assert.equal((await visitor(server).get(String(linkIn(text)))).status, 404);
});

test("wrong input gets a message at its field, and nothing typed is lost", async () => {
  await server.createTenant({ slug: "taken-slug" });
  const typed = { name: "Café „Țara” & Co", slug: "taken-slug", email: "mia@cafe.example", country: "Moldova" };
  const taken = await create(typed);
  assert.equal(taken.status, 422);
  assert.match(String(errorOf(taken.text, "slug")), /There is a workspace with the short name taken-slug already/);
  for (const value of Object.values(typed)) assert.ok(taken.text.includes(`value="${escaped(value)}"`), value);

  for (const [form, field, message] of [
    [{ ...typed, slug: "a b" }, "slug", /can have a-z, 0-9 and single hyphens/],
    [{ ...typed, slug: "new" }, "slug", /cannot be “new”/],
    [{ ...typed, name: "株式会社", slug: "" }, "slug", /has no letters for a short name/],
    [{ ...typed, slug: "x".repeat(64) }, "slug", /at most 63 characters/],
    [{ ...typed, name: " ", slug: "" }, "name", /Name is required/],
    [{ ...typed, slug: "free", email: "mia" }, "email", /must be an e-mail address/],
    [{ ...typed, slug: "free", email: "" }, "email", /is required/],
    [{ ...typed, slug: "free", name: "x".repeat(256) }, "name", /at most 255 characters/],
  ] as const) {
    const answer = await create(form);
    assert.equal(answer.status, 422, field);
    assert.match(String(errorOf(answer.text, field)), message);
    assert.ok(answer.text.includes(`value="Moldova"`));
  }
  assert.deepEqual(await server.sql("select id from tenants where slug in ('free', 'new', 'a b')"), []);
  const proposed = await create({ ...typed, slug: "", email: "" });
  assert.ok(proposed.text.includes('value="cafe-tara-co"'), "the proposal can be changed");
  for (const text of hostileTexts) assertHarmless((await create({ ...typed, name: text, email: text })).text, text);
});

test("of two that take one slug at once, one gets it, and no invitation is left of the other", async () => {
  const both = await Promise.all(
    ["one", "two"].map(async (who) => await create({ name: who, slug: "raced", email: `${who}@raced.example` })),
  );
  assert.deepEqual(
    both.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 422],
  );
  const rows = await server.sql(
    "select i.id from invitations i join tenants t on t.id = i.tenant_id where t.slug = 'raced'",
  );
  assert.equal(rows.length, 1);
});

test("the form speaks Romanian", async () => {
  const page = await operator.get(`${FORM}/new`, { "accept-language": "ro" });
  assert.match(page.text, /<h1>Spațiu de lucru nou<\/h1>/);
});

test("the operators' home shows what waits and what failed, and how the installation is", async () => {
  const tenant = await server.createTenant({ slug: "aaa-orders" });
  const { body } = await tenant.post("/api/v1/companies", { name: "Acme" });
  const states = ["failed", "failed", "queued", "unknown", "sent", "not_sent"];
  await server.sql(
    `insert into invoices (tenant_id, company_id, number, wms_state) select $1, $2, 'F-' || n, s
     from unnest($3::text[]) with ordinality as given (s, n)`,
    [tenant.id, body.data.id, states],
  );
  await server.sql(
    `insert into jobs (tenant_id, kind, subject, lane, run_at, enqueued_at)
     select $1, 'send-invoice', min(id), 'wms/nowhere', now() + interval '1 day', now() - interval '3 hours' from invoices where tenant_id = $1`,
    [tenant.id],
  );
  const home = (await operator.get(FORM)).text;
  const [row = ""] = /<tr>\n<td class="name"><a href="\/operator\/tenants\/aaa-orders"[^]*?<\/tr>/.exec(home) ?? [];
  assert.match(row, /data-label="Orders waiting">2<[^]*data-label="Orders failed"><span class="state wrong">2<\/span>/);
  assert.match(row, /data-label="Oldest wait"><time[^>]*>3 hr ago</);
  assert.match(
    home,
    /No backup yet:[^]*<code>liaison backup liaison\.backup<\/code>[^]*liaison doctor has not run yet/,
  );

  await noteRun(server.deps.database, "backup");
  await noteRun(server.deps.database, "doctor", { findings: 2 });
  assert.match(
    (await operator.get(FORM)).text,
    /Last backup: <time[^>]*>just now<\/time>[^]*<span class="state wrong">The doctor has 2 findings<\/span> <time/,
  );
  await noteRun(server.deps.database, "doctor", { findings: 0 });
  assert.match((await operator.get(FORM)).text, /The doctor found nothing <time/);
});

test("a thousand tenants are pages of a hundred, each a bounded number of statements", async () => {
  const statements = () => statementTallies.metrics()[0]?.samples.reduce((sum, { value }) => sum + value, 0) ?? 0;
  const before = statements();
  await operator.get(FORM);
  const withFew = statements() - before;
  await server.sql(
    "insert into tenants (slug, name) select 'many-' || lpad(n::text, 4, '0'), 'Many' from generate_series(1, 1000) n",
  );
  const since = statements();
  const page = await operator.get(`${FORM}?page=5`);
  assert.equal([...page.text.matchAll(/<td class="name">/g)].length, 100);
  assert.ok(withFew > 0 && statements() - since <= withFew + 100, `${statements() - since}, and ${withFew} with few`);
});
