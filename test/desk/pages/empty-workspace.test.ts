import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";

const server = await startServer();
const tenant = await server.createTenant();
const admin = await signedIn(server, tenant, { role: "admin" });

for (const path of [
  "/companies",
  "/companies?deleted=1",
  "/companies?search=nord",
  "/companies/alike",
  "/companies/alike?state=not",
  "/contacts",
  "/imports",
  "/invoices/new",
  "/invoices/new?search=nord",
  "/money",
  "/money?overdue=1",
  "/money/reminders",
  "/orders",
  "/orders?search=nord",
  "/sales",
  "/sales?period=month",
  "/warehouse/reconfirm",
  "/webhooks",
  "/workspace/fields",
]) {
  test(`an empty page offers the next step: ${path}`, async () => {
    const { status, text } = await admin.get(path);
    assert.equal(status, 200);
    const [, href = ""] = /<div class="empty">[^]*?<a class="button main" href="([^"]+)">/.exec(text) ?? [];
    assert.ok(href !== "" && href !== path, `the step of ${path} is “${href}”`);
    assert.equal((await admin.get(href.replaceAll("&amp;", "&"))).status, 200);
  });
}

test("orders have tabs as soon as there is an invoice", async () => {
  const own = await server.createTenant();
  const member = await signedIn(server, own);
  const tabs = async (query: string) => /<div class="order-tabs">/.test((await member.get(`/orders${query}`)).text);
  for (const query of ["", "?state=attention"]) assert.equal(await tabs(query), false, query);
  const { id } = (await own.post("/api/v1/companies", { name: "Acme" })).body.data;
  await own.post(`/api/v1/companies/${id}/invoices`, { number: "A-1", issued_on: "2026-11-20", total: "1.00" });
  for (const query of ["", "?state=attention"]) assert.equal(await tabs(query), true, query);
});

test("the report of an empty workspace says nothing of what it leaves out", async () => {
  assert.doesNotMatch((await admin.get("/sales")).text, /Left out/);
});

test("a company that the form of an invoice lacks is created, and the form is next", async () => {
  const { text } = await admin.get("/invoices/new?search=Nord+Food");
  const [, path = ""] = /href="(\/companies\/new\?[^"]+)"/.exec(text) ?? [];
  const form = await admin.get(path.replaceAll("&amp;", "&"));
  assert.match(form.text, /value="Nord Food" id="name"/);
  assert.match(form.text, /<a class="button" href="\/invoices\/new"/);
  const next = /name="next" value="(\w+)"/.exec(form.text)?.[1] ?? "";
  const refused = await admin.post("/companies", { name: "", next });
  assert.equal(refused.status, 422);
  assert.match(refused.text, /name="next" value="invoice"/);
  const created = await admin.post("/companies", { name: "Nord Food", status: "active", next });
  assert.match(created.location ?? "", /^\/invoices\/new\?company=\d+$/);
  assert.equal((await admin.get(created.location ?? "")).status, 200);
  assert.match(
    (await admin.post("/companies", { name: "Nord", status: "active" })).location ?? "",
    /^\/companies\/\d+$/,
  );
});

test("a list of companies leads to an import", async () => {
  await tenant.post("/api/v1/companies", { name: "Acme" });
  assert.match((await admin.get("/companies")).text, /<a href="\/imports\/new">Import a list<\/a>/);
});
