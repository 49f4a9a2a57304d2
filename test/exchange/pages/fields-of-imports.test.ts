import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn, type Member } from "../../doors/pages/visitor.ts";
import type { TestTenant } from "../../harness.ts";
import { poll } from "../../program.ts";
import { runWorker } from "../../running-worker.ts";
import { startImportServer } from "../imports/import-server.ts";
import { settled } from "./settled-import.ts";

/** Custom fields in files: known ones by their keys and labels, and new ones that an import makes of columns. */
const server = await startImportServer();
runWorker(server);
const FIELDS = "/api/v1/custom-fields";

async function person(role: "admin" | "member" = "admin"): Promise<{ tenant: TestTenant; member: Member }> {
  const tenant = await server.createTenant();
  return { tenant, member: await signedIn(server, tenant, { role }) };
}

/** Uploads a file of a kind with its proposed columns, and returns its address and the checked page. */
async function checked(member: Member, csv: string, kind = "companies"): Promise<{ path: string; text: string }> {
  const answer = await member.upload("/imports", { kind }, { "file.csv": Buffer.from(csv) });
  assert.equal(answer.status, 303, answer.text);
  const path = String(answer.location);
  const text = await settled(member, path);
  if (!text.includes('name="column.0"') || text.includes("/start")) return { path, text };
  const chosen = [...text.matchAll(/<select id="column\.\d+".*?<\/select>/gs)].map(
    ([select], index) => [`column.${index}`, /<option value="([^"]*)" selected>/.exec(select)?.[1] ?? ""] as const,
  );
  await member.post(`${path}/reading`, Object.fromEntries(chosen));
  return { path, text: await settled(member, path) };
}

async function metadataOf(tenant: TestTenant, list = "companies"): Promise<unknown[]> {
  const { data } = (await tenant.get(`/api/v1/${list}?per_page=100`)).body;
  return data.map(({ metadata }: { metadata: unknown }) => metadata);
}

test("values of a contact's own field do not make a list of companies one of contacts", async () => {
  const { tenant, member } = await person();
  const options = [{ value: "gold" }, { value: "silver" }];
  await tenant.post(FIELDS, { noun: "contact", label: "Price list", kind: "choice", options });
  const csv = "name,tax_id,Tier\nAlfa SRL,RO10,gold\nBeta SRL,RO11,silver\n";
  const { location } = await member.upload("/imports", {}, { "c.csv": Buffer.from(csv) });
  assert.match(await settled(member, String(location)), /<option value="companies" selected/);
});

test("a file's columns are known by the keys and the labels of fields, and an undo gives the values back", async () => {
  const { tenant, member } = await person();
  for (const noun of ["company", "contact"]) {
    const options = [{ value: "gold", label: "Aur" }, { value: "silver" }];
    await tenant.post(FIELDS, { noun, label: "Listă de prețuri", key: "price_list", kind: "choice", options });
    await tenant.post(FIELDS, { noun, label: "Since", kind: "date" });
    await tenant.post(FIELDS, { noun, label: "VIP", kind: "yes_no" });
  }
  await tenant.post("/api/v1/companies", { name: "A", tax_id: "RO1", custom: { price_list: "silver" } });
  const { path, text } = await checked(
    member,
    "name,tax_id,LISTA DE PRETURI,custom.since,vip\nA,RO1,Aur,25.11.2026,da\nB,RO2,silver,soon,nu\n",
  );
  assert.match(text, /Listă de prețuri/);
  await member.post(`${path}/start`);
  const done = await settled(member, path);
  assert.match(done, /1 created|created/i);
  assert.deepEqual(await metadataOf(tenant), [
    { price_list: "gold", since: "2026-11-25", vip: true },
    { price_list: "silver", vip: false },
  ]);
  await member.post(`${path}/undo`);
  await settled(member, path);
  assert.deepEqual(await metadataOf(tenant), [{ price_list: "silver" }]);
});

test("an undo brings back no value of a field that was deleted since, although another has its key now", async () => {
  const { tenant, member } = await person();
  const define = async (key: string, kind: string) =>
    (await tenant.post(FIELDS, { noun: "company", label: key, kind })).body.data.id;
  const [route] = [await define("route", "text"), await define("van", "text")];
  await tenant.post("/api/v1/companies", { name: "A", tax_id: "RO1", custom: { route: "north", van: "7" } });
  const { path } = await checked(member, "name,tax_id,custom.route,custom.van\nA,RO1,,8\n");
  await member.post(`${path}/reading`, {
    ...Object.fromEntries(["name", "tax_id", "custom.route", "custom.van"].map((name, at) => [`column.${at}`, name])),
    clears_empty: "1",
  });
  await settled(member, path);
  await member.post(`${path}/start`);
  await settled(member, path);
  assert.deepEqual(await metadataOf(tenant), [{ van: "8" }]);
  await tenant.put(`${FIELDS}/${route}`, { archived: true });
  await tenant.delete(`${FIELDS}/${route}`);
  await server.sql("update jobs set run_at = now() where kind = 'purge-values'");
  await poll(
    "the key to be free",
    async () => (await tenant.post(FIELDS, { noun: "company", label: "route", kind: "number" })).status === 201,
  );
  await member.post(`${path}/undo`);
  await settled(member, path);
  assert.deepEqual(await metadataOf(tenant), [{ van: "7" }]);
});

test("an import that runs when its field is deleted leaves no value of it", async () => {
  const { tenant, member } = await person();
  const made = await tenant.post(FIELDS, { noun: "company", label: "Route", kind: "text" });
  const field = `${FIELDS}/${made.body.data.id}`;
  const { path } = await checked(member, "name,tax_id,custom.route\nA,RO1,north\n");
  const lock = await server.locking("lock table import_rows in share mode");
  await member.post(`${path}/start`);
  await lock.blocking();
  await tenant.put(field, { archived: true });
  assert.equal((await tenant.delete(field)).status, 200);
  const purges = "select run_at > now() as waits from jobs where kind = 'purge-values' and tenant_id = $1";
  const runNow = async () =>
    await server.sql("update jobs set run_at = now() where kind = 'purge-values' and tenant_id = $1", [tenant.id]);
  await runNow();
  // It was looked at: it is gone, or waits again.
  await poll("the job", async () => (await server.sql(purges, [tenant.id])).every(({ waits }) => waits === true));
  await lock.release();
  await settled(member, path);
  await runNow();
  await poll("its end", async () => (await server.sql(purges, [tenant.id])).length === 0);
  const left = await server.sql("select name, metadata from companies where tenant_id = $1", [tenant.id]);
  assert.deepEqual(left, [{ name: "A", metadata: null }]);
});

test("a column that matches nothing becomes a field, of the kind of its values, and an undo archives it", async () => {
  const { tenant, member } = await person();
  const rows = ["gold,2500,25.11.2026,da,Line 1", "silver,0,2026-11-26,nu,Line 2", "gold,99.5,,,Line 3"];
  const lines = rows.map((row, at) => `Company ${at},RO9${at},${row}`);
  const csv = `name,tax_id,Price list,Ceiling,Started,Trusted,Memo\n${lines.join("\n")}\n`;
  let { path, text } = await checked(member, csv);
  assert.match(text, /Price list: not known here\.[\s\S]*?Make a field of it[\s\S]*?Choice: gold, silver/);
  for (const name of ["Price list", "Ceiling", "Started", "Trusted", "Memo"]) {
    const index = new RegExp(`name="make" value="(\\d)">Make a field of it<span class="hidden"> \\(${name}\\)`).exec(
      text,
    );
    await member.post(`${path}/reading`, { make: index?.[1] ?? "" });
    text = await settled(member, path);
    assert.match(text, new RegExp(`New field: ${name} \\(`), name);
  }
  assert.equal((await tenant.get(FIELDS)).body.total, 0);
  assert.match((await member.get(`${path}?rows=create`)).text, /gold/);
  await member.post(`${path}/start`);
  await settled(member, path);
  const defined = (await tenant.get(FIELDS)).body.data as { key: string; kind: string }[];
  assert.deepEqual(
    defined.map(({ key, kind }) => [key, kind]),
    [
      ["price_list", "choice"],
      ["ceiling", "number"],
      ["started", "date"],
      ["trusted", "yes_no"],
      ["memo", "text"],
    ],
  );
  assert.deepEqual(await metadataOf(tenant), [
    { price_list: "gold", ceiling: "2500", started: "2026-11-25", trusted: true, memo: "Line 1" },
    { price_list: "silver", ceiling: "0", started: "2026-11-26", trusted: false, memo: "Line 2" },
    { price_list: "gold", ceiling: "99.5", memo: "Line 3" },
  ]);
  const asked = (await member.get(`${path}/undo`)).text;
  assert.match(asked, /5 fields that this import made are archived: Price list, /);
  await member.post(`${path}/undo`);
  await settled(member, path);
  assert.equal((await tenant.get(FIELDS)).body.total, 0);
  assert.equal((await tenant.get(`${FIELDS}?archived=true`)).body.total, 5);
  assert.equal((await tenant.get("/api/v1/companies")).body.total, 0);
});

test("an import whose field is archived after the check writes nothing, says so, and goes on when it is back", async () => {
  const { tenant, member } = await person();
  const { id } = (await tenant.post(FIELDS, { noun: "company", label: "Route", kind: "text" })).body.data;
  const { path } = await checked(member, "name,custom.route\nA,North\n");
  await tenant.put(`${FIELDS}/${id}`, { archived: true });
  await member.post(`${path}/start`);
  assert.match(await settled(member, path), /archived or deleted meanwhile/);
  assert.deepEqual(await metadataOf(tenant), []);
  await tenant.put(`${FIELDS}/${id}`, { archived: false });
  assert.equal((await member.post(`${path}/retry`)).status, 303);
  await settled(member, path);
  assert.deepEqual(await metadataOf(tenant), [{ route: "North" }]);
});

test("an export that is older than a field is still known by its ids, and says which column is left out", async () => {
  const { tenant, member } = await person();
  const define = async (label: string) =>
    (await tenant.post(FIELDS, { noun: "company", label, kind: "text" })).body.data;
  const route = await define("Route");
  const body = { name: "A", email: "office@a.example", custom: { route: "North" } };
  const { id } = (await tenant.post("/api/v1/companies", body)).body.data;
  const csv = (await member.get("/export/companies.csv")).text.replace(`${id},A,`, `${id},B,`);
  await define("Later");
  await tenant.put(`${FIELDS}/${route.id}`, { archived: true });
  const { path, text } = await checked(member, csv);
  assert.match(text, /custom\.route/);
  await member.post(`${path}/start`);
  await settled(member, path);
  const { data } = (await tenant.get("/api/v1/companies")).body;
  assert.deepEqual(
    data.map(({ id: of, name }: { id: number; name: string }) => [of, name]),
    [[id, "B"]],
  );
});

test("a field that others define meanwhile is filled if it takes the same values, and stays theirs", async () => {
  const csv = "name,Tier\nA,gold\nB,silver\nC,gold\n";
  const choice = { kind: "choice", options: [{ value: "gold" }, { value: "silver" }] };
  for (const [field, isFilled] of [
    [choice, true],
    [{ kind: "text" }, false],
    [{ kind: "choice", options: [{ value: "gold" }] }, false],
  ] as const) {
    const { tenant, member } = await person();
    const { path } = await checked(member, csv);
    await member.post(`${path}/reading`, { make: "1" });
    assert.match(await settled(member, path), /New field: Tier \(/);
    assert.equal((await tenant.post(FIELDS, { noun: "company", label: "Tier", ...field })).status, 201);
    await member.post(`${path}/start`);
    const done = await settled(member, path);
    assert.equal(/has been made by somebody else/.test(done), !isFilled, done);
    const values = [{ tier: "gold" }, { tier: "silver" }, { tier: "gold" }];
    assert.deepEqual(await metadataOf(tenant), isFilled ? values : []);
    if (!isFilled) continue;
    assert.doesNotMatch((await member.get(`${path}/undo`)).text, /archived/);
    await member.post(`${path}/undo`);
    await settled(member, path);
    assert.equal((await tenant.get(FIELDS)).body.total, 1);
  }
});

test("options and fields whose names differ in punctuation or an ending alone are different ones", async () => {
  const { tenant, member } = await person();
  const options = ["A+", "A", "A-"].map((value) => ({ value }));
  await tenant.post(FIELDS, { noun: "company", label: "Rating", kind: "choice", options });
  const cities = [
    { value: "r1", label: "Rom" },
    { value: "r2", label: "Roma" },
  ];
  await tenant.post(FIELDS, { noun: "company", label: "Place", kind: "choice", options: cities });
  for (const key of ["plus", "minus"]) {
    const label = `Rate ${key === "plus" ? "+" : "-"}`;
    await tenant.post(FIELDS, { noun: "company", label, key, kind: "text" });
  }
  const rows = ["B1,A+,Rom,one", "B2,A,Roma,two", "B3,a-,ROM,three"];
  const { path } = await checked(member, `name,Rating,Place,Rate +\n${rows.join("\n")}\n`);
  await member.post(`${path}/start`);
  await settled(member, path);
  assert.deepEqual(await metadataOf(tenant), [
    { rating: "A+", place: "r1", plus: "one" },
    { rating: "A", place: "r2", plus: "two" },
    { rating: "A-", place: "r1", plus: "three" },
  ]);
  // Without its sign the word may mean any of them.
  assert.match((await checked(member, "name,Rating\nB4,(a)\n")).text, /\(a\)/);
  const made = await checked(member, "name,Grade\nC1,B+\nC2,B\nC3,B-\nC4,B-\n");
  assert.match(made.text, /Grade: not known here\.[\s\S]*?Choice: B\+, B, B-/);
});

test("an option that is called like a word for nothing is chosen, and such a word is nothing in other columns", async () => {
  const { tenant, member } = await person();
  const options = [{ value: "None" }, { value: "-" }, { value: "n", label: "N/A" }];
  await tenant.post(FIELDS, { noun: "company", label: "Discount", kind: "choice", options });
  await tenant.post(FIELDS, { noun: "company", label: "Memo", kind: "text" });
  const { path, text } = await checked(member, "name,Discount,Memo\nD1,None,None\nD2, - ,-\nD3,N/A,x\nD4,--,y\n");
  assert.match(text, /Discount 1 \(“--”\)/);
  await member.post(`${path}/start`);
  await settled(member, path);
  assert.deepEqual(await metadataOf(tenant), [
    { discount: "None" },
    { discount: "-" },
    { discount: "n", memo: "x" },
    { memo: "y" },
  ]);
});

test("only admins make fields of columns", async () => {
  const { tenant, member } = await person("member");
  const { path, text } = await checked(member, "name,Memo\nA,first\n");
  assert.doesNotMatch(text, /Make a field of it/);
  await member.post(`${path}/reading`, { make: "1" });
  await member.post(`${path}/start`);
  await settled(member, path);
  assert.equal((await tenant.get(FIELDS)).body.total, 0);
});

test("an export has a column for each field behind the others, and its import changes nothing", async () => {
  const { tenant, member } = await person();
  for (const field of [
    { label: "Route", kind: "text" },
    { label: "Credit", kind: "number" },
    { label: "VIP", kind: "yes_no" },
  ]) {
    await tenant.post(FIELDS, { noun: "company", ...field });
  }
  await tenant.post("/api/v1/companies", { name: "A", custom: { route: "=1+1", credit: "2500.5", vip: true } });
  await tenant.post("/api/v1/companies", { name: "B" });
  const csv = (await member.get("/companies/export")).text;
  const [head = "", first = "", second = ""] = csv.split("\r\n");
  assert.match(head, /,custom\.route,custom\.credit,custom\.vip$/);
  assert.match(first, /,'=1\+1,2500\.5,true$/);
  assert.match(second, /,,,$/);
  assert.match((await checked(member, csv)).text, /This import would change nothing\./);
});
