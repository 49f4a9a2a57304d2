import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startImportServer } from "../../exchange/imports/import-server.ts";
import { settled } from "../../exchange/pages/settled-import.ts";
import { poll } from "../../program.ts";
import { runWorker } from "../../running-worker.ts";

/** The workspace's own fields in lists: columns, filters, views, and the change of several records. */
const server = await startImportServer();
runWorker(server);
const EN = { "accept-language": "en" };

test("the list of companies shows fields as columns, is narrowed by them, also as a view, and a change sets one", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant, { role: "admin" });
  const options = [{ value: "gold", label: "Gold <1>" }, { value: "silver" }];
  for (const field of [
    { label: "Price list", kind: "choice", options },
    { label: "Credit", kind: "number" },
    { label: "VIP", kind: "yes_no" },
  ]) {
    const made = await tenant.post("/api/v1/custom-fields", { noun: "company", ...field });
    assert.equal(made.status, 201, made.text);
  }
  const ids: number[] = [];
  for (const custom of [{ price_list: "gold", credit: "2500" }, { price_list: "silver", vip: true }, {}]) {
    ids.push((await tenant.post("/api/v1/companies", { name: `Firm ${ids.length}`, custom })).body.data.id);
  }
  const shown = async (query: string) => {
    const { status, text } = await member.get(`/companies${query}`, EN);
    assert.equal(status, 200, text);
    return { text, names: [...text.matchAll(/href="\/companies\/\d+"[^>]*>(Firm \d)/g)].map(([, name]) => name) };
  };

  const plain = await shown("");
  assert.match(plain.text, /<select name="custom\[price_list\]">.*?Gold &lt;1&gt;/s);
  assert.match(plain.text, /name="column" value="custom\.price_list"> Price list/);
  await member.post("/companies/columns", { column: ["custom.price_list", "custom.credit"] });
  assert.match((await shown("")).text, /<td[^>]*>[^<]*Gold &lt;1&gt;/);

  assert.deepEqual((await shown("?custom%5Bprice_list%5D=gold")).names, ["Firm 0"]);
  assert.deepEqual((await shown("?custom%5Bprice_list%5D=silver&custom%5Bvip%5D=true&sort=-name")).names, ["Firm 1"]);
  assert.deepEqual((await shown("?custom%5Bcredit%5D=many")).names, []);
  const narrowed = await shown("?custom%5Bprice_list%5D=gold");
  assert.match(narrowed.text, /Price list: Gold &lt;1&gt;/);
  assert.match(narrowed.text, /name="filters" value="custom%5Bprice_list%5D=gold"/);
  const saved = await member.post("/companies/views", {
    filters: "custom%5Bprice_list%5D=gold",
    name: "Golden",
    for: "me",
  });
  assert.equal(saved.location, "/companies?custom%5Bprice_list%5D=gold");
  const file = (await member.get("/companies/export?custom%5Bprice_list%5D=gold", EN)).text;
  assert.deepEqual([file.includes("Firm 0"), file.includes("Firm 1")], [true, false]);

  const change = async (own_field: string, own_value: string) =>
    await member.post(
      "/companies/bulk",
      { id: String(ids[2]), own_field, own_value },
      { ...EN, "sec-fetch-site": "same-origin" },
    );
  const stored = async () => (await tenant.get(`/api/v1/companies/${ids[2]}`)).body.data.metadata;
  assert.equal((await change("custom.price_list", "gold <1>")).status, 303);
  assert.equal((await change("custom.vip", "Yes")).status, 303);
  assert.equal((await change("custom.credit", "1,250.50")).status, 303);
  assert.deepEqual(await stored(), { price_list: "gold", credit: "1250.5", vip: true });
  assert.equal((await change("custom.price_list", "bronze")).status, 422);
  assert.equal((await change("custom.nothing", "x")).status, 422);
  assert.equal((await change("custom.vip", "")).status, 303);
  assert.deepEqual(await stored(), { price_list: "gold", credit: "1250.5" });
  const undo = /action="(\/imports\/\d+\/undo)"/.exec((await shown("")).text)?.[1];
  assert.equal((await member.post(String(undo))).status, 303);
});

test("a choice is found by its value and set by its label, also where one option is called as another is stored", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant, { role: "admin" });
  const options = [
    { value: "silver", label: "Gold" },
    { value: "gold", label: "Platinum" },
    { value: "platinum", label: "Silver" },
  ];
  const field = { noun: "company", label: "Tier", kind: "choice", options };
  assert.equal((await tenant.post("/api/v1/custom-fields", field)).status, 201);
  const ids = new Map<string, number>();
  for (const { value, label } of options) {
    const made = await tenant.post("/api/v1/companies", { name: `Firm ${label}`, custom: { tier: value } });
    ids.set(value, made.body.data.id);
  }
  for (const { value, label } of options) {
    const { text } = await member.get(`/companies?custom%5Btier%5D=${value}`, EN);
    const names = [...text.matchAll(/href="\/companies\/\d+"[^>]*>(Firm \w+)/g)].map(([, name]) => name);
    assert.deepEqual(names, [`Firm ${label}`], value);
    const form = { id: String(ids.get("gold")), own_field: "custom.tier", own_value: label };
    assert.equal((await member.post("/companies/bulk", form)).status, 303);
    const { metadata } = (await tenant.get(`/api/v1/companies/${ids.get("gold")}`)).body.data;
    assert.deepEqual(metadata, { tier: value });
    await tenant.put(`/api/v1/companies/${ids.get("gold")}`, { custom: { tier: "gold" } });
  }
});

test("a value that files use for nothing is set by a change of ticked rows and of all that match alike", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant, { role: "admin" });
  const options = ["None", "full", "N/A"].map((value) => ({ value }));
  await tenant.post("/api/v1/custom-fields", { noun: "company", label: "Service", kind: "choice", options });
  await tenant.post("/api/v1/custom-fields", { noun: "company", label: "Memo", kind: "text" });
  const ids: number[] = [];
  for (const name of ["Ticked", "Matching"]) {
    const body = { name, custom: { service: "full", memo: "before" } };
    ids.push((await tenant.post("/api/v1/companies", body)).body.data.id);
  }
  const metadataOf = async (at: number) => (await tenant.get(`/api/v1/companies/${ids[at]}`)).body.data.metadata;
  for (const [own_field, own_value] of [
    ["custom.service", "None"],
    ["custom.memo", "-"],
    ["custom.service", "N/A"],
    ["custom.memo", "'5"],
    ["custom.memo", "#N/A"],
    ["custom.memo", ""],
  ] as const) {
    const chosen = { own_field, own_value };
    assert.equal((await member.post("/companies/bulk", { id: String(ids[0]), ...chosen })).status, 303);
    const all = { id: String(ids[1]), all: "1", rows: "1", matching: "search=Matching" };
    await settled(member, String((await member.post("/companies/bulk", { ...all, ...chosen })).location));
    const ticked = await metadataOf(0);
    assert.equal(ticked[own_field.slice("custom.".length)], own_value === "" ? undefined : own_value);
    assert.deepEqual(await metadataOf(1), ticked);
  }
});

for (const [noun, list] of [
  ["company", "companies"],
  ["contact", "contacts"],
  ["invoice", "orders"],
] as const) {
  test(`/${list} narrowed by a field that is archived meanwhile has, writes and changes nothing, and says so`, async () => {
    const tenant = await server.createTenant();
    const member = await signedIn(server, tenant, { role: "admin" });
    const define = async (label: string) =>
      (await tenant.post("/api/v1/custom-fields", { noun, label, kind: "text" })).body.data;
    const [route, remark] = [await define("Route"), await define("Remark")];
    const company = (await tenant.post("/api/v1/companies", { name: "R-0", custom: {} })).body.data.id;
    const of = noun === "company" ? "/api/v1/companies" : `/api/v1/companies/${company}/${noun}s`;
    const ids: number[] = [];
    for (const n of [1, 2]) {
      const body = {
        name: `R-${n}`,
        first_name: "Ana",
        last_name: `R-${n}`,
        number: `R-${n}`,
        issued_on: "2026-03-01",
      };
      const made = await tenant.post(of, { ...body, custom: { route: n === 1 ? "n" : "s" } });
      assert.equal(made.status, 201, made.text);
      ids.push(made.body.data.id);
    }
    const matching = "custom%5Broute%5D=n";
    assert.match((await member.get(`/${list}?${matching}`, EN)).text, /R-1/);
    await tenant.put(`/api/v1/custom-fields/${route.id}`, { archived: true });

    const { text } = await member.get(`/${list}?${matching}`, EN);
    assert.doesNotMatch(text.replaceAll(/<\/?mark>/g, ""), /R-[12]/);
    assert.match(text, /class="chip" href="\/\w+">.*Archived or deleted field \(custom\[route\]\): n/);
    assert.doesNotMatch((await member.get(`/${list}/export?${matching}`, EN)).text, /R-[12]/);
    const chosen = { id: String(ids[0]), all: "1", rows: "1", matching };
    const change = { own_field: `custom.${remark.key}`, own_value: "seen" };
    const { location } = await member.post(`/${list}/bulk`, { ...chosen, ...change });
    assert.match(String(location), /^\/imports\/\d+$/);
    await poll("the change", async () => !(await member.get(String(location), EN)).text.includes("data-refresh"));
    const api = noun === "company" ? "companies" : `${noun}s`;
    for (const id of ids) assert.equal((await tenant.get(`/api/v1/${api}/${id}`)).body.data.metadata, null);
  });
}

/** The lists of contacts and of orders, with the API's path of one of their rows. */
const others = [
  { noun: "contact", list: "contacts", of: (company: number) => `/api/v1/companies/${company}/contacts` },
  { noun: "invoice", list: "orders", of: (company: number) => `/api/v1/companies/${company}/invoices` },
] as const;

for (const { noun, list, of } of others) {
  test(`/${list} shows fields as columns, is narrowed by them, also as a file, and a change sets one, at once or in a job`, async () => {
    const tenant = await server.createTenant();
    const member = await signedIn(server, tenant, { role: "admin" });
    const none = await member.get(`/${list}`, EN);
    assert.doesNotMatch(none.text, /formaction="\/(?:contacts|orders)\/bulk"/);
    for (const field of [
      { label: "Route <1>", key: "route", kind: "choice", options: [{ value: "n", label: "North" }, { value: "s" }] },
      { label: "Since", kind: "date" },
      { label: "Remark", kind: "text" },
    ]) {
      const made = await tenant.post("/api/v1/custom-fields", { noun, ...field });
      assert.equal(made.status, 201, made.text);
    }
    const company = (await tenant.post("/api/v1/companies", { name: "Firm" })).body.data.id;
    const remark = `<b>${"ț".repeat(900)}`;
    const ids: number[] = [];
    for (const custom of [{ route: "n", since: "2026-03-01", remark }, { route: "s" }, { route: "n" }, {}]) {
      const named =
        noun === "contact" ? { first_name: "Ana", last_name: `R-${ids.length}` } : { number: `R-${ids.length}` };
      const issued = noun === "contact" ? {} : { issued_on: "2026-03-01", total: "5", currency: "RON" };
      const made = await tenant.post(of(company), { ...named, ...issued, custom });
      assert.equal(made.status, 201, made.text);
      ids.push(made.body.data.id);
    }
    const shown = async (query: string, language = "en") => {
      const { status, text } = await member.get(`/${list}${query}`, { "accept-language": language });
      assert.equal(status, 200, text);
      const names = [
        ...text.replaceAll(/<\/?mark>/g, "").matchAll(/href="\/(?:contacts|invoices)\/\d+"[^>]*>(?:Ana )?(R-\d)/g),
      ].map(([, name]) => name);
      return { text, names };
    };

    assert.match((await shown("")).text, /<select name="custom\[route\]">.*?North/s);
    await member.post(`/${list}/columns`, { column: ["custom.route", "custom.since", "custom.remark"] });
    const columns = (await shown("")).text;
    assert.match(columns, /<th[^>]*>Route &lt;1&gt;/);
    assert.match(columns, /<td[^>]*>[^<]*North/);
    assert.match(columns, /1 Mar(?:ch)? 2026/);
    // The beginning of a long value: a row of a list stays small.
    assert.match(columns, /&lt;b&gt;ț{150,200}[^ț]/);

    assert.deepEqual((await shown(`?custom%5Broute%5D=n&sort=${list === "orders" ? "number" : "name"}`)).names, [
      "R-0",
      "R-2",
    ]);
    assert.deepEqual((await shown("?custom%5Broute%5D=North&custom%5Bsince%5D=2026-03-01")).names, ["R-0"]);
    assert.deepEqual((await shown("?custom%5Bsince%5D=01.03.2026", "ro")).names, ["R-0"]);
    assert.deepEqual((await shown("?custom%5Broute%5D=n&search=R-2")).names, ["R-2"]);
    const nothing = await shown("?custom%5Bsince%5D=never");
    assert.deepEqual(nothing.names, []);
    assert.match((await shown("?custom%5Broute%5D=n")).text, /Route &lt;1&gt;: North/);
    const file = (await member.get(`/${list}/export?custom%5Broute%5D=n`, EN)).text;
    assert.deepEqual(
      [0, 1, 2].map((at) => file.includes(`R-${at}`)),
      [true, false, true],
    );

    const stored = async (at: number) =>
      (await tenant.get(`/api/v1/${noun === "contact" ? "contacts" : "invoices"}/${ids[at]}`)).body.data.metadata;
    const changed = await member.post(`/${list}/bulk`, {
      id: [ids[1], ids[3]].map(String),
      own_field: "custom.route",
      own_value: "north",
    });
    assert.equal(changed.status, 303, changed.text);
    assert.deepEqual([await stored(1), await stored(3)], [{ route: "n" }, { route: "n" }]);
    const notice = (await shown("")).text;
    assert.match(notice, /2 (?:contacts|invoices) were changed\./);
    const undo = /action="(\/imports\/\d+\/undo)"/.exec(notice)?.[1];
    assert.equal((await member.post(String(undo))).status, 303);
    await poll("the undo", async () => (await stored(3)) === null);
    assert.deepEqual(await stored(1), { route: "s" });
    const since = { own_field: "custom.since", own_value: "2026-04-02" };
    assert.equal((await member.post(`/${list}/bulk`, { id: String(ids[0]), ...since })).status, 303);
    assert.match((await member.get("/imports", EN)).text, /Since: 2 Apr(?:il)? 2026/);

    const wrong = await member.post(
      `/${list}/bulk`,
      { id: String(ids[1]), own_field: "custom.route", own_value: "x<y" },
      { ...EN, "sec-fetch-site": "same-origin" },
    );
    assert.equal(wrong.status, 422);
    assert.match(
      wrong.text,
      /“x&lt;y” is no value of the field “Route &lt;1&gt;”: nothing was changed\. It can be: North, s\./,
    );
    const unticked = await member.post(`/${list}/bulk`, { own_field: "custom.route", own_value: "n" });
    assert.equal(unticked.location, `/${list}`);

    const [query, rows] = ["custom%5Broute%5D=n", [ids[0], ids[2]].map(String)];
    const job = await member.post(`/${list}/bulk`, {
      id: rows,
      all: "1",
      rows: String(rows.length),
      matching: query,
      own_field: "custom.remark",
      own_value: "seen",
    });
    assert.match(String(job.location), /^\/imports\/\d+$/);
    await poll("the change", async () => (await stored(2))?.remark === "seen");
    assert.deepEqual(await stored(2), { route: "n", remark: "seen" });
    assert.deepEqual(await stored(1), { route: "s" });
    assert.equal((await stored(0))?.remark, "seen");
  });
}
