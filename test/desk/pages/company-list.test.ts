import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer, type TestTenant } from "../../harness.ts";

const server = await startServer();

async function create(tenant: TestTenant, ...companies: Record<string, unknown>[]): Promise<string[]> {
  const ids: string[] = [];
  for (const company of companies) ids.push(String((await tenant.post("/api/v1/companies", company)).body.data.id));
  return ids;
}

/** The names of the rows, in their order. */
function namesIn(text: string): string[] {
  return [...text.matchAll(/<td class="name"[^>]*><a[^>]*>(.*?)<\/a>/g)].map(([, name = ""]) =>
    name.replaceAll(/<[^>]*>/g, ""),
  );
}

test("companies are listed by name, without regard to case and accents, or as it is asked for", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  await create(
    tenant,
    ...["Zebra", "élan", "Sibiu", "Șiret", "elan 2", "Acme", "știuca", "acme"].map((name) => ({ name })),
  );
  const byName = ["Acme", "acme", "élan", "elan 2", "Sibiu", "Șiret", "știuca", "Zebra"];
  const byAge = ["Zebra", "élan", "Sibiu", "Șiret", "elan 2", "Acme", "știuca", "acme"];
  for (const [sort, names] of [
    ["", byName],
    ["name", byName],
    ["-name", byName.toReversed()],
    ["id", byAge],
    ["-id", byAge.toReversed()],
    ["nonsense", byName],
  ] as const) {
    const all = await member.get(`/companies?sort=${sort}`);
    assert.deepEqual(namesIn(all.text), names, sort);
    const second = await member.get(`/companies?sort=${sort}&per_page=3&page=2`);
    assert.deepEqual(namesIn(second.text), names.slice(3, 6), sort);
    assert.match(second.text, /4–6 of 8/);
    const found = await member.get(`/companies?sort=${sort}&search=l`);
    assert.deepEqual(
      namesIn(found.text),
      names.filter((name) => /l/i.test(name)),
      sort,
    );
    const [one] = namesIn((await member.get(`/companies?sort=${sort}&search=e&per_page=1&page=2`)).text);
    assert.equal(one, names.filter((name) => /[eé]/i.test(name))[1], sort);
  }
});

test("a page that lies deep shows what lies there, in every order", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  await server.sql(
    `insert into companies (tenant_id, name, country, status)
     select $1, 'Company ' || lpad(((g * 7919) % 9001)::text, 4, '0'), 'Romania', case when g % 9 = 0 then 'churned' else 'active' end
     from generate_series(1, 9000) g`,
    [tenant.id],
  );
  const rows = await server.sql("select name from companies where tenant_id = $1 order by id", [tenant.id]);
  const byAge = rows.map(({ name }) => String(name));
  const byName = byAge.toSorted();
  for (const [sort, names] of [
    ["name", byName],
    ["-name", byName.toReversed()],
    ["-id", byAge.toReversed()],
  ] as const) {
    for (const page of [1, 82, 83, 89, 90]) {
      const { text } = await member.get(`/companies?sort=${sort}&per_page=100&page=${page}`);
      assert.deepEqual(namesIn(text), names.slice(100 * page - 100, 100 * page), `${sort} ${page}`);
    }
    const beyond = await member.get(`/companies?sort=${sort}&per_page=100&page=91`);
    const last = `?sort=${sort}&per_page=100&page=90`;
    assert.deepEqual([beyond.status, beyond.location], [303, last], "beyond the last is the last");
  }
});

test("filters by status and owner leave the others out, together with a search and an order", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const owner = await tenant.createUser("Ioana Mare");
  await create(
    tenant,
    { name: "A1", status: "active", assigned_to: owner },
    { name: "B1", status: "active" },
    { name: "C1", status: "churned", assigned_to: owner },
    { name: "D2", status: "active", assigned_to: owner },
  );
  for (const [query, names] of [
    ["status=active", ["A1", "B1", "D2"]],
    [`assigned_to=${owner}&sort=-name`, ["D2", "C1", "A1"]],
    [`assigned_to=${owner}&status=active`, ["A1", "D2"]],
    [`assigned_to=${owner}&status=active&search=1`, ["A1"]],
    ["status=nonsense", []],
    ["assigned_to=nobody", []],
  ] as const) {
    const { text, status } = await member.get(`/companies?${query}`);
    assert.equal(status, 200);
    assert.deepEqual(namesIn(text), names, query);
    assert.match(text, new RegExp(`id="total">${names.length}<`), query);
  }
  const { text } = await member.get(`/companies?assigned_to=${owner}&status=active`);
  assert.match(text, new RegExp(`<option value="${owner}" selected>Ioana Mare</option>`));
  assert.match(text, /<option value="active" selected>Active<\/option>/);
  assert.match(text, /<td title="Ioana Mare">Ioana Mare<\/td>/);
});

test("what a search found is marked, also an e-mail address, which has no column", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  await create(tenant, { name: "Brașov Tools", email: "office@needle.example" });
  assert.match((await member.get("/companies?search=brasov")).text, /<mark>Brașov<\/mark> Tools/);
  assert.match((await member.get("/companies?search=needle")).text, /office@<mark>needle<\/mark>\.example/);
  assert.doesNotMatch((await member.get("/companies?search=tools")).text, /office@/);
});

test("an empty list says what to do next", async () => {
  const tenant = await server.createTenant();
  const [member, roman] = [await signedIn(server, tenant), await signedIn(server, tenant)];
  assert.match((await member.get("/companies")).text, /Create the first company/);
  assert.match(
    (await member.get("/companies?search=R%26D+%22x%22")).text,
    /<a class="button main" href="\/companies\/new\?name=R%26D%20%22x%22">Create “R&amp;D &quot;x&quot;”<\/a>/,
  );
  assert.match((await member.get("/companies/new?name=R%26D")).text, /value="R&amp;D"/);
  assert.match((await member.get("/companies?status=active")).text, /Clear filters/);
  assert.match((await roman.get("/companies?search=x", { "accept-language": "ro" })).text, /Nicio firmă nu are „x”/);
});

test("many companies at once get a status and an owner; one that was deleted meanwhile is named", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant, { name: "Dan Pop" });
  const ids = await create(tenant, { name: "A" }, { name: "B" }, { name: "Gone" }, { name: "D" });
  const to = "/companies?sort=-name";
  const form = { id: ids.slice(0, 2), status: "active", assigned_to: String(member.userId), to };
  const changed = await member.post("/companies/bulk", form);
  assert.equal(changed.status, 303);
  assert.equal(changed.location, to);
  assert.match((await member.get(to)).text, /2 companies were changed\./);
  for (const [index, status] of ["active", "active", "prospect", "prospect"].entries()) {
    const { body } = await tenant.get(`/api/v1/companies/${ids[index]}`);
    assert.equal(body.data.status, status);
    assert.equal(body.data.assigned_to, index < 2 ? member.userId : null);
  }

  await tenant.delete(`/api/v1/companies/${ids[2]}`);
  const partly = await member.post("/companies/bulk", { id: ids, assigned_to: "nobody" });
  assert.equal(partly.status, 409);
  // D had no owner before.
  assert.match(partly.text, /2 companies were changed\./);
  assert.match(partly.text, /1 company was left as it was:<\/p><ul><li>Gone: deleted in the meantime/);
  assert.equal((await tenant.get(`/api/v1/companies/${ids[0]}`)).body.data.assigned_to, null);

  const wrong = await member.post("/companies/bulk", { id: ids, assigned_to: "999999" });
  assert.equal(wrong.status, 422);
  assert.match(wrong.text, /no longer available: nothing was changed/);

  for (const count of [201, 10_000]) {
    const many = [...ids, ...Array.from({ length: count }, (_, index) => String(1_000_000 + index))];
    for (const path of ["/companies/bulk", "/companies/export"]) {
      const refused = await member.post(path, { id: many, status: "prospect" });
      assert.equal(refused.status, 422, `${count} at ${path}`);
      assert.match(refused.text, /Nothing was changed; go back and choose fewer at a time, 200 at most\./);
    }
  }
  const nothing = await member.post("/companies/bulk", { id: ids });
  assert.equal(nothing.location, "/companies");
  assert.match((await member.get("/companies")).text, /Nothing was changed/);
  const away = await member.post("/companies/bulk", { id: ids[0] ?? "", status: "active", to: "//evil.example" });
  assert.equal(away.location, "/companies");
});

test("another tenant's companies are none of those that are changed or exported", async () => {
  const [tenant, others] = [await server.createTenant(), await server.createTenant()];
  const member = await signedIn(server, tenant);
  const [id = ""] = await create(others, { name: "Theirs" });
  const changed = await member.post("/companies/bulk", { id, status: "churned" });
  assert.equal(changed.status, 409);
  assert.doesNotMatch(changed.text, /Theirs/);
  assert.equal((await others.get(`/api/v1/companies/${id}`)).body.data.status, "prospect");
  assert.doesNotMatch((await member.post("/companies/export", { id })).text, /Theirs/);
});

test("the export has what the list shows, on all of its pages, or what was ticked", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const ids = await create(
    tenant,
    { name: "Brașov 1", status: "active", phone: "+40 264 555 010" },
    { name: "Cluj", status: "active" },
    { name: "Brașov 2", status: "churned", notes: 'a\n"b"' },
  );
  const lines = (text: string) => text.trimEnd().split("\r\n").slice(1);
  const all = await member.get("/companies/export");
  assert.equal(all.headers.get("content-type"), "text/csv; charset=utf-8");
  assert.equal(all.headers.get("content-disposition"), 'attachment; filename="companies.csv"');
  assert.match(all.text, /^id,name,tax_id,/);
  assert.equal(lines(all.text).length, 3);
  assert.match(all.text, /\+40 264 555 010/);
  assert.equal(lines((await member.get("/companies/export?search=brasov")).text).length, 2);
  const found = lines((await member.get("/companies/export?search=brasov&status=churned")).text);
  assert.equal(found.length, 1);
  assert.match(found[0] ?? "", new RegExp(`^${ids[2]},Brașov 2,`));
  assert.deepEqual(lines((await member.get("/companies/export?status=nonsense")).text), []);
  const ticked = lines((await member.post("/companies/export", { id: ids.slice(0, 2) })).text);
  assert.deepEqual(
    ticked.map((line) => line.split(",")[1]),
    ["Brașov 1", "Cluj"],
  );
});

test("the turnover of a listed company begins on the day after the day of a year ago", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const [id] = await create(tenant, { name: "A" });
  const yearAgo = Temporal.Now.plainDateISO("Europe/Bucharest").subtract({ years: 1 });
  for (const [number, issued_on, total] of [
    ["F-1", yearAgo.subtract({ days: 1 }), "1000"],
    ["F-2", yearAgo, "200"],
    ["F-3", yearAgo.add({ days: 1 }), "30"],
    ["F-4", yearAgo.add({ years: 1 }), "4"],
  ] as const) {
    const body = { number, issued_on: String(issued_on), total, currency: "RON", status: "paid" };
    assert.equal((await tenant.post(`/api/v1/companies/${id}/invoices`, body)).status, 201);
  }
  assert.match((await member.get("/companies")).text, /data-label="Turnover, 12 months"[^>]*>34\.00 RON</);
});

test("the list shows what is owed in the currency of most invoices, and for how many days", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const [late, early] = await create(tenant, { name: "A" }, { name: "B" });
  const today = Temporal.Now.plainDateISO("Europe/Bucharest");
  const due = (days: number) => String(today.subtract({ days }));
  const invoices = [
    { of: late, total: "100", currency: "RON", status: "issued", due_on: due(3) },
    { of: late, total: "20.5", currency: "RON", status: "issued", due_on: due(-3) },
    { of: late, total: "7", currency: "EUR", status: "issued", due_on: due(40) },
    { of: late, total: "1000", currency: "RON", status: "draft", due_on: due(90) },
    { of: late, total: "2000", currency: "RON", status: "paid", due_on: due(90) },
    { of: late, total: "3000", currency: "RON", status: "cancelled", due_on: due(90) },
    { of: early, total: "9", currency: "RON", status: "issued", due_on: due(0) },
  ];
  for (const [index, { of, ...invoice }] of invoices.entries()) {
    const body = { number: `F-${index}`, issued_on: due(100), ...invoice };
    const made = await tenant.post(`/api/v1/companies/${of}/invoices`, body);
    assert.equal(made.status, 201, made.text);
    if (index === 0) {
      const payment = { amount: "60", paid_on: due(1) };
      assert.equal((await tenant.post(`/api/v1/invoices/${made.body.data.id}/payments`, payment)).status, 201);
    }
  }
  await member.post("/companies/columns", { column: ["owed", "days_late"] });
  const rows = (await member.get("/companies")).text.split("<tr").slice(2);
  assert.match(rows[0] ?? "", /data-label="Owed"[^>]*>≥ 60\.50 RON</);
  assert.match(rows[0] ?? "", /data-label="Days late"[^>]*><span class="late">40</);
  assert.match(rows[1] ?? "", /data-label="Owed"[^>]*>9\.00 RON</);
  assert.doesNotMatch(rows[1] ?? "", /class="late"/);
  // At the foot all that match are summed up, whether a page has them or not, in the shown columns.
  const sums = async (query: string) =>
    [...(await member.get(`/companies?${query}`)).text.matchAll(/<div class="sums">([^<]*)</g)].map(([, text]) => text);
  const [owed, turnover] = [
    "Owed, in all: 69.50 RON · 7.00 EUR",
    "Turnover, 12 months, in all: 2,129.50 RON · 7.00 EUR",
  ];
  assert.deepEqual(await sums(""), [owed]);
  await member.post("/companies/columns", { column: ["turnover", "owed"] });
  assert.deepEqual(await sums(""), [turnover, owed]);
  assert.deepEqual(await sums("per_page=1&page=2"), [turnover, owed]);
  const [id] = await create(tenant, { name: "C", status: "inactive" }, { name: "D", status: "inactive" });
  await tenant.post(`/api/v1/companies/${id}/invoices`, {
    number: "F-9",
    total: "5",
    currency: "RON",
    status: "issued",
  });
  for (const page of ["", "&per_page=1"]) {
    assert.deepEqual(await sums(`status=inactive${page}`), ["Owed, in all: 5.00 RON"], page);
    assert.deepEqual(await sums(`search=b${page}`), [
      "Turnover, 12 months, in all: 9.00 RON",
      "Owed, in all: 9.00 RON",
    ]);
  }
  assert.deepEqual(await sums("search=d"), []);
  assert.deepEqual(await sums("search=x&per_page=1"), []);
  assert.match(
    (await member.get("/companies", { "accept-language": "ro" })).text,
    />De încasat, în total: 74,50 RON · /,
  );
});

test("of more invoices of a company than are summed up, the sum is a lower bound", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const [id] = await create(tenant, { name: "A" }, { name: "B" });
  await server.sql(
    `insert into invoices (tenant_id, company_id, number, status, issued_on, total, currency)
     select $1, $2, 'M-' || n, 'issued', current_date, 1, 'RON' from generate_series(1, 300) n`,
    [tenant.id, id],
  );
  await member.post("/companies/columns", { column: ["owed"] });
  assert.match((await member.get("/companies")).text, />Owed, in all: ≥ 201\.00 RON</);
  assert.match((await member.get("/companies?per_page=1")).text, />Owed, in all: 300\.00 RON</);
});

test("a sum of debts is a lower bound where debts were left out, and invoices without a total hide no older ones", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const [cut, whole, older] = await create(tenant, { name: "Cut" }, { name: "Whole" }, { name: "Xenon" });
  const inserting = `insert into invoices (tenant_id, company_id, number, status, issued_on, total, paid, currency)`;
  await server.sql(
    `${inserting} select $1, $2, 'C-' || n, 'issued', current_date, case when n < 205 then 1 end, 0, 'RON' from generate_series(1, 205) n`,
    [tenant.id, cut],
  );
  await server.sql(
    `${inserting} select $1, $2, 'W-' || n, case when n > 60 then 'issued' else 'paid' end, current_date, 1, 0, 'RON' from generate_series(1, 210) n`,
    [tenant.id, whole],
  );
  await server.sql("update invoices set paid = 0 where tenant_id = $1 and status = 'paid'", [tenant.id]);
  await server.sql(
    `${inserting} select $1, $2, 'X-' || n, 'issued', current_date - 300 + n, case n when 1 then 7 end, 0, 'RON' from generate_series(1, 300) n`,
    [tenant.id, older],
  );
  await member.post("/companies/columns", { column: ["turnover", "owed"] });
  const { text } = await member.get("/companies?sort=name");
  const shown = (label: string) =>
    [...text.matchAll(new RegExp(`data-label="${label}"[^>]*>([^<]*)<`, "g"))].map(([, sum]) => sum);
  assert.deepEqual(shown("Owed"), ["≥ 201.00 RON", "210.00 RON", "7.00 RON"]);
  assert.deepEqual(shown("Turnover, 12 months"), ["≥ 201.00 RON", "210.00 RON", "7.00 RON"]);
  assert.match(text, /Owed, in all: ≥ 418\.00 RON/);
});
