import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer, type TestTenant } from "../../harness.ts";

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

async function contactOf(of: TestTenant, company: number, first: string, last: string): Promise<string> {
  const { body } = await of.post(`/api/v1/companies/${company}/contacts`, { first_name: first, last_name: last });
  return `/contacts/${body.data.id}`;
}

/** The addresses of everything that was found, in its order. */
async function found(search: string, who = member): Promise<string[]> {
  const { text } = await who.get(`/find?q=${encodeURIComponent(search)}`);
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
  const { text } = await member.get("/find?q=tepes");
  assert.match(text, /Ștefan <mark>Țepeș<\/mark><\/span> <small>Pâinea Bună SRL<\/small>/);
});

test("whole words come before parts of words", async () => {
  const [part, whole] = [
    await company(tenant, "Hotel Brașov 35 SA", null),
    await company(tenant, "Hotel Brașov 3 SA", null),
  ];
  assert.deepEqual(await found("brasov 3"), [`/companies/${whole}`, `/companies/${part}`]);
});

test("a number is found with and without its hyphens, slashes and blanks", async () => {
  const { id } = (await tenant.post(`/api/v1/companies/${bread}/invoices`, { number: "FCT-000123/A" })).body.data;
  for (const typed of ["fct000123a", "FCT-000123/A", "000123-a", "FCT 000123 A"]) {
    assert.deepEqual(await found(typed), [`/invoices/${id}`], typed);
  }
});

test("a deleted company and its people are not found", async () => {
  assert.deepEqual(await found("ruina"), []);
  assert.deepEqual(await found("disparut"), []);
});

test("a wildcard, and a text that nothing can contain, find nothing", async () => {
  for (const search of ["%", "_", "x".repeat(256), "a\x1fb"]) assert.deepEqual(await found(search), []);
  assert.match((await member.get("/find?q=%25")).text, /Nothing found with the name, number, phone or words “%”/);
});

test("pages and actions are found by their names, those of admins by admins", async () => {
  assert.deepEqual(await found("histo"), ["/history"]);
  assert.deepEqual(await found("new comp"), ["/companies/new"]);
  assert.deepEqual(await found("sign out"), ["/sign-out"]);
  assert.deepEqual(await found("workspace"), []);
  assert.deepEqual(await found("workspace", admin), ["/workspace"]);
});

test("words are found in any order, each as a part of a word, and the best first", async () => {
  const own = await server.createTenant();
  const person = await signedIn(server, own);
  const [second, first] = [
    await company(own, "Nova Panificatia SA", null),
    await company(own, "Panificația Brașov SA", null),
  ];
  const deposit = await company(own, "Târgul Farmaciilor", { first_name: "Ana Maria", last_name: "Popescu" });
  for (const [typed, ids] of [
    ["brasov panif", [first]],
    ["panif brasov", [first]],
    ["panificatia", [first, second]],
    ["targu farm", [deposit]],
    ["turda nova", [second]],
    ["nova brasov", []],
  ] as const) {
    assert.deepEqual(
      await found(typed, person),
      ids.map((id) => `/companies/${id}`),
      typed,
    );
  }
  assert.equal((await found("popescu ana", person)).length, 1);
});

test("a contact who is not among the newest is found by how the name or the e-mail begins", async () => {
  const own = await server.createTenant();
  const person = await signedIn(server, own);
  const of = await company(own, "Farmacia Nouă", {
    first_name: "Ștefania",
    last_name: "Dragomirescu",
    email: "Orders.Nouă@x.example",
  });
  await server.sql(
    `insert into contacts (tenant_id, company_id, first_name, last_name)
     select $1, $2, 'Newer', 'Person ' || n from generate_series(1, 2000) n`,
    [own.id, of],
  );
  const [contact] = await server.sql("select min(id)::int as id from contacts where tenant_id = $1", [own.id]);
  for (const typed of ["stefania drag", "dragomirescu stef", "dragomi", "orders.nou"]) {
    assert.deepEqual(await found(typed, person), [`/contacts/${String(contact?.id)}`], typed);
  }
  assert.deepEqual(await found("farmacia", person), [`/companies/${of}`]);
  const newer = await contactOf(own, of, "Ana", "Dragomireanu");
  assert.deepEqual(await found("dragomire", person), [newer, `/contacts/${String(contact?.id)}`], "the newest first");
});

test("where nothing fits, one letter may be wrong, of companies and of people", async () => {
  const own = await server.createTenant();
  const person = await signedIn(server, own);
  const id = await company(own, "Mobila Aradului SRL", { first_name: "Gheorghe", last_name: "Ionescu" });
  const contact = (await found("ionescu", person))[0];
  for (const typed of ["mobils", "mobla", "mobiila", "mboila", "aradului mobyla", "mobila aradlui", "obila arajului"]) {
    assert.deepEqual(await found(typed, person), [`/companies/${id}`], typed);
  }
  assert.deepEqual(await found("ionecsu georghe", person), [], "two letters are wrong");
  assert.deepEqual(await found("gheorghe ionecsu", person), [contact]);
  for (const typed of ["mbilx", "arr", "srll srll srll"]) assert.deepEqual(await found(typed, person), [], typed);
});

test("words in any order, and with a letter wrong, are found in a large tenant too, also behind the companies that are walked", async () => {
  const own = await server.createTenant();
  const person = await signedIn(server, own);
  await server.sql(
    `insert into companies (tenant_id, name, country, city)
     select $1, 'Transilvania Foods ' || n, 'Romania', 'Turda' from generate_series(1, 5200) n`,
    [own.id],
  );
  const [rare, other] = [await company(own, "Hotelul Zimbrul Auriu", null), await company(own, "Zidaria Nouă", null)];
  for (const [typed, ids] of [
    ["auriu zimbrul", [rare]],
    ["zinbrul", [rare]],
    ["zimbrull turda hotelu", [rare]],
    ["zidarai", [other]],
    ["turda zidxria", [other]],
    ["zimbxyz", []],
    ["transilvbcde zimbrul", []],
  ] as const) {
    assert.deepEqual(
      await found(typed, person),
      ids.map((id) => `/companies/${id}`),
      typed,
    );
  }
  for (const typed of ["foods transil", "transilvanai", "fodos turda", "5123"]) {
    const all = await found(typed, person);
    assert.equal(all.length, typed === "5123" ? 1 : 6, typed);
  }
});

test("an invoice is found by the end of its number or of its order's", async () => {
  const own = await server.createTenant();
  const person = await signedIn(server, own);
  const of = await company(own, "Hotel Central", null);
  const made = await own.post(`/api/v1/companies/${of}/invoices`, { number: "DMO-2026-0122" });
  const path = `/invoices/${made.body.data.id}`;
  const plain = await own.post(`/api/v1/companies/${of}/invoices`, { number: "A-7" });
  await server.sql(
    "update invoices set wms_instance = 'north', wms_order_id = 51044, wms_order_number = 'WO-51044' where id = $1",
    [made.body.data.id],
  );
  await server.sql("update invoices set wms_instance = 'north', wms_order_id = 60001 where id = $1", [
    plain.body.data.id,
  ]);
  for (const typed of ["DMO-2026-0122", "dmo-2026-0122", "0122", "WO-51044", "51044", "044"]) {
    assert.deepEqual(await found(typed, person), [path], typed);
  }
  assert.match(
    (await person.get("/find?q=51044")).text,
    /<small>Hotel Central · WO-<mark>51044<\/mark><\/small><span class="state waiting">/,
  );
  assert.deepEqual(await found("60001", person), [`/invoices/${plain.body.data.id}`]);
  for (const typed of ["22", "DMO", "%", "012_", "9".repeat(30)])
    assert.deepEqual(await found(typed, person), [], typed);
  assert.deepEqual(await found("0122"), [], "another tenant's");
  await server.sql(
    "update invoices set wms_instance = null, wms_order_id = null, wms_order_number = null where tenant_id = $1",
    [own.id],
  );
  assert.deepEqual(await found("51044", person), []);
});

test("without a search what one opened last is first", async () => {
  const person = await signedIn(server, tenant);
  await person.get(`/companies/${bread}`);
  await person.get("/contacts/1");
  assert.deepEqual((await found("", person)).slice(0, 2), ["/contacts/1", `/companies/${bread}`]);
});

test("without a search all actions are there, and pages with one", async () => {
  const everything = await found("");
  assert.deepEqual(everything.slice(-7), [
    "/companies/new",
    "/invoices/new",
    "/profile",
    "/profile",
    "/profile",
    "/find#shortcuts",
    "/sign-out",
  ]);
  assert.ok(!everything.includes("/companies") && !everything.includes("/history"));
  assert.ok((await found("history")).includes("/history"));
});

test("a verb before a company or an invoice offers the act, in both languages", async () => {
  const made = await tenant.post(`/api/v1/companies/${bread}/invoices`, { number: "PB-2026-0777" });
  const invoice = made.body.data.id;
  assert.deepEqual((await found("log painea"))[0], `/companies/${bread}#note`);
  assert.deepEqual((await found("Notează pâinea"))[0], `/companies/${bread}#note`);
  assert.deepEqual((await found("new invoice for painea"))[0], `/invoices/new?company=${bread}`);
  assert.deepEqual((await found("factura painea"))[0], `/invoices/new?company=${bread}`);
  assert.deepEqual((await found("send 0777"))[0], `/invoices/${invoice}/send`);
  assert.deepEqual(await found("send"), []);
  assert.deepEqual(await found("log altora"), []);
});

test("a company that is found by its fiscal id says so", async () => {
  await tenant.post("/api/v1/companies", { name: "Moara Veche SRL", tax_id: "RO7654321" });
  const { text } = await member.get("/find?q=7654321");
  assert.match(text, /Moara Veche SRL<\/span> <small> · Fiscal id RO<mark>7654321<\/mark>/);
  assert.doesNotMatch((await member.get("/find?q=moara")).text, /Fiscal id/);
});

test("texts of custom fields are found by their beginnings, with the label and the value, and by nobody else", async () => {
  const own = await server.createTenant();
  const who = await signedIn(server, own);
  for (const [noun, label, kind] of [
    ["company", "Route <1>", "text"],
    ["contact", "Hobby", "text"],
    ["invoice", "Remark", "text"],
    ["company", "Since", "date"],
  ]) {
    assert.equal((await own.post("/api/v1/custom-fields", { noun, label, kind })).status, 201);
  }
  const made = async (path: string, body: object): Promise<number> => (await own.post(path, body)).body.data.id;
  const [long, since] = [`Șoseaua ${"x".repeat(300)}`, "2026-03-01"];
  const first = await made("/api/v1/companies", {
    name: "Soseaua SRL",
    custom: { route_1: "Șoseaua <Nord> 7", since },
  });
  const second = await made("/api/v1/companies", { name: "B", custom: { route_1: long } });
  const contact = { first_name: "Ana", last_name: "Pop", custom: { hobby: "șoseaua lungă" } };
  const person = await made(`/api/v1/companies/${first}/contacts`, contact);
  const invoice = await made(`/api/v1/companies/${first}/invoices`, { number: "F-1", custom: { remark: "SOSEAUA" } });
  const byValue = async (search: string) =>
    (await found(search, who)).filter((path) => !path.startsWith("/invoices/new"));

  const all = [`/companies/${first}`, `/companies/${second}`, `/contacts/${person}`, `/invoices/${invoice}`];
  assert.deepEqual(
    (await byValue("soseaua")).toSorted().filter((path, at, paths) => paths[at - 1] !== path),
    all.toSorted(),
  );
  assert.deepEqual(await byValue("Șoseaua <N"), [`/companies/${first}`]);
  assert.deepEqual(await byValue(long.slice(0, 200)), [`/companies/${second}`]);
  assert.deepEqual(
    [await byValue(`${long.slice(0, 200)}y`), await byValue("nord"), await byValue(since)],
    [[], [], []],
  );
  const { text } = await who.get("/find?q=soseaua+%3Cn", { "accept-language": "ro" });
  assert.match(text, /Route &lt;1&gt;: <mark>Șoseaua &lt;N<\/mark>ord&gt; 7/);
  assert.deepEqual(await found("soseaua"), []);
  assert.equal((await own.delete(`/api/v1/companies/${second}`)).status, 200);
  assert.ok(!(await byValue("soseaua")).includes(`/companies/${second}`));
});
