import assert from "node:assert/strict";
import { test } from "node:test";
import { startServer, type TestTenant } from "../harness.ts";
import { signedIn } from "./visitor.ts";

const server = await startServer();
const tenant = await server.createTenant();
const others = await server.createTenant();
const member = await signedIn(server, tenant);
const admin = await signedIn(server, tenant, { role: "admin" });

async function company(of: TestTenant, name: string, contact: Record<string, string> | null): Promise<number> {
  const { id } = (await of.post("/api/v1/companies", { name, city: "Turda" })).body.data;
  if (contact !== null) await of.post(`/api/v1/companies/${id}/contacts`, contact);
  return id;
}

/** The addresses of everything that was found, in its order. */
async function found(search: string, who = member): Promise<string[]> {
  const { text } = await who.get(`/find?search=${encodeURIComponent(search)}`);
  const list = text.slice(text.indexOf('id="found"'), text.indexOf("</main>"));
  return [...list.matchAll(/(?:href|action)="([^"]+)"/g)].map(([, address = ""]) => address);
}

const bread = await company(tenant, "Pâinea Bună SRL", {
  first_name: "Ștefan",
  last_name: "Țepeș",
  email: "st@x.example",
});
const gone = await company(tenant, "Ruină SRL", { first_name: "Radu", last_name: "Dispărut" });
await tenant.delete(`/api/v1/companies/${gone}`);
await company(others, "Pâinea altora", { first_name: "Ștefania", last_name: "Altora" });

test("a company is found by a part of its name, without accents", async () => {
  assert.deepEqual(await found("painea"), [`/companies/${bread}`]);
});

test("a contact is found by its whole name or its e-mail, whatever its company, and says which that is", async () => {
  assert.deepEqual(await found("stefan tepes"), ["/contacts/1"]);
  assert.deepEqual(await found("ST@X"), ["/contacts/1"]);
  const { text } = await member.get("/find?search=tepes");
  assert.match(text, /Ștefan <mark>Țepeș<\/mark><\/span> <small>Pâinea Bună SRL<\/small>/);
});

test("what is deleted, or of a company that is, is not found", async () => {
  assert.deepEqual(await found("ruina"), []);
  assert.deepEqual(await found("disparut"), []);
});

test("a wildcard, and a text that nothing can contain, find nothing", async () => {
  for (const search of ["%", "_", "x".repeat(256), "a\x1fb"]) assert.deepEqual(await found(search), []);
  assert.match((await member.get("/find?search=%25")).text, /No company, contact, page or action has “%” in its name/);
});

test("pages and actions are found by their names, those of admins by admins", async () => {
  assert.deepEqual(await found("histo"), ["/history"]);
  assert.deepEqual(await found("new comp"), ["/companies/new"]);
  assert.deepEqual(await found("sign out"), ["/sign-out"]);
  assert.deepEqual(await found("workspace"), []);
  assert.deepEqual(await found("workspace", admin), ["/workspace"]);
});

test("without a search all pages and actions are there", async () => {
  const everything = await found("");
  assert.deepEqual(everything.slice(-5), ["/companies/new", "/profile", "/profile", "/profile", "/sign-out"]);
  assert.ok(everything.includes("/companies") && everything.includes("/profile"));
});
