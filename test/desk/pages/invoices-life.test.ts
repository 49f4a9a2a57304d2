import assert from "node:assert/strict";
import { test } from "node:test";
import { dayAfter } from "../../../src/platform/dates.ts";
import { assertHarmless, hostileTexts } from "../../doors/pages/hostile-texts.ts";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer, type TestTenant } from "../../harness.ts";

/** What people do with an invoice in the pages: create, copy, edit, issue, pay, cancel. */
const server = await startServer({ LIAISON_WMS_URL: "https://{subdomain}.wms.example/api/v1" });
const tenant = await server.createTenant();
const member = await signedIn(server, tenant);
const colleague = await signedIn(server, tenant, { name: "Ion Rus" });
const romanian = { "sec-fetch-site": "same-origin", "accept-language": "ro" };
let numbers = 0;

async function company(name = "Acme", of: TestTenant = tenant): Promise<number> {
  return (await of.post("/api/v1/companies", { name })).body.data.id;
}
async function connected(name: string): Promise<number> {
  const id = await company(name);
  await server.sql("update companies set wms_subdomain = 'north', wms_api_key = 'key' where id = $1", [id]);
  return id;
}
async function invoice(fields: object = {}, of?: number): Promise<number> {
  const number = `L-${++numbers}`;
  const path = `/api/v1/companies/${of ?? (await company())}/invoices`;
  return (await tenant.post(path, { number, ...fields })).body.data.id;
}
const stored = async (id: number) => (await tenant.get(`/api/v1/invoices/${id}`)).body.data;
const valueOf = (text: string, id: string) =>
  new RegExp(`<input[^>]* value="([^"]*)" id="${id}"`).exec(text)?.[1] ??
  new RegExp(`<input id="${id.replaceAll(".", "\\.")}"[^>]* value="([^"]*)"`).exec(text)?.[1];
const chosenIn = (text: string, name: string) =>
  new RegExp(`<select id="${name}"[^]*?<option value="([^"]*)" selected`).exec(text)?.[1];
/** The fields of an edit form as they are shown. */
const shownIn = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/<input (?=[^>]*name="([\w.-]+)")(?=[^>]*value="([^"]*)")[^>]*>/g)].map(([, name, value]) => [
      name,
      value,
    ]),
  ) as Record<string, string>;

const PALLET = { sku: "P-80", description: "Pallet", quantity: "2", unit_price: "6.25" };

test("a new invoice begins with the next number, today, the company's term and its currency", async () => {
  const fresh = await server.createTenant();
  const visitor = await signedIn(server, fresh);
  const of = await company("Fresh", fresh);
  const first = (await visitor.get(`/invoices/new?company=${of}`)).text;
  const today = dayAfter(0, "Europe/Bucharest");
  assert.deepEqual(
    [valueOf(first, "number"), valueOf(first, "issued_on"), valueOf(first, "due_on"), chosenIn(first, "currency")],
    ["", today, dayAfter(30, "Europe/Bucharest"), "RON"],
  );
  const path = `/api/v1/companies/${of}/invoices`;
  await fresh.post(path, { number: "A-0098", issued_on: "2026-11-01", due_on: "2026-12-01", currency: "EUR" });
  await fresh.post(path, { number: "A-0099", issued_on: "2026-11-20", currency: "USD" });
  const next = (await visitor.get(`/invoices/new?company=${of}`)).text;
  const due = dayAfter(30, "Europe/Bucharest");
  assert.deepEqual(
    [valueOf(next, "number"), valueOf(next, "issued_on"), valueOf(next, "due_on"), chosenIn(next, "currency")],
    ["A-0100", today, due, "USD"],
  );
  // The number and the terms are of the workspace.
  const other = (await visitor.get(`/invoices/new?company=${await company("Other", fresh)}`)).text;
  assert.deepEqual([valueOf(other, "number"), valueOf(other, "due_on")], ["A-0100", due]);
  // An invoice that was due before it was issued is no habit.
  await fresh.post(path, { number: "A-0100", issued_on: "2026-11-20", due_on: "2026-11-10", currency: "EUR" });
  const behind = (await visitor.get(`/invoices/new?company=${of}`)).text;
  assert.equal(valueOf(behind, "due_on"), valueOf(next, "due_on"));
  assert.doesNotMatch(next, /id="status"/);
});

test("without a company the form finds one while typing; an earlier address leads to the form", async () => {
  const of = await company("Panificația Brașov");
  const found = (await member.get("/invoices/new?search=brasov")).text;
  assert.match(found, new RegExp(`<a href="/invoices/new\\?company=${of}">`));
  assert.match(found, /<input id="search"[^>]* autofocus/);
  assert.match((await member.get("/invoices/new?search=nobody-at-all")).text, /No company matches “nobody-at-all”\./);
  await member.get(`/companies/${of}`);
  assert.match(
    (await member.get("/invoices/new")).text,
    new RegExp(`Recently opened[^]*/invoices/new\\?company=${of}"`),
  );
  assert.equal((await member.get(`/companies/${of}/invoices/new`)).location, `/invoices/new?company=${of}`);
  for (const id of ["999999", "x", String(await company("Theirs", await server.createTenant()))]) {
    assert.equal((await member.get(`/invoices/new?company=${id}`)).status, 404, id);
    assert.equal((await member.post("/invoices", { company: id, number: "N" })).status, 404, id);
  }
  for (const hostile of hostileTexts) {
    assertHarmless((await member.get(`/invoices/new?search=${encodeURIComponent(hostile)}`)).text, hostile);
  }
});

test("a new invoice is issued, and sent with it where it may be sent", async () => {
  const of = await connected("Sends");
  const form = { company: String(of), number: "SEND-1", "lines.0.description": "Pallet", "lines.0.quantity": "1" };
  const whole = { ...form, "lines.0.unit_price": "5" };
  assert.match((await member.get(`/invoices/new?company=${of}`)).text, /name="send"/);
  assert.doesNotMatch((await member.get(`/invoices/new?company=${await company()}`)).text, /name="send"/);
  const created = await member.post("/invoices", { ...whole, status: "draft" });
  const { data } = (await tenant.get(`/api/v1${created.location}`)).body;
  assert.deepEqual([data.status, data.wms.state, data.company_id], ["issued", "not_sent", of]);
  const sent = await member.post("/invoices", { ...whole, number: "SEND-2", send: "1" });
  assert.equal((await tenant.get(`/api/v1${sent.location}`)).body.data.wms.state, "queued");
  assert.match((await member.get(sent.location ?? "")).text, /Sending 1 invoice to the warehouse\./);
  // A company without a warehouse: created, and the notice says that it was not sent.
  const kept = await member.post("/invoices", {
    ...whole,
    company: String(await company()),
    number: "SEND-3",
    send: "1",
  });
  assert.match((await member.get(kept.location ?? "")).text, /1 invoice could not be sent\./);
});

test("an invoice is edited as a whole until the warehouse may have it", async () => {
  const id = await invoice({ lines: [PALLET], total: "12.50", currency: "RON", issued_on: "2026-11-01" });
  const { text } = await member.get(`/invoices/${id}/edit`);
  const shown = shownIn(text);
  assert.deepEqual(
    [shown["lines.0.sku"], shown["lines.0.quantity"], shown["lines.0.unit_price"], shown.total],
    ["P-80", "2", "6.25", ""],
  );
  // Saved as it is, nothing changes.
  const history = async () => (await tenant.get(`/api/v1/invoices/${id}/history`)).body.total;
  const before = await history();
  assert.equal((await member.post(`/invoices/${id}/edit`, { ...shown, status: "issued" })).location, `/invoices/${id}`);
  assert.equal(await history(), before);
  const form = { ...shown, "lines.0.quantity": "4", due_on: "1.12.2026", status: "issued" };
  assert.equal((await member.post(`/invoices/${id}/edit`, form)).location, `/invoices/${id}`);
  const { total, due_on: due, lines } = await stored(id);
  assert.deepEqual([total, due, lines[0].quantity], ["25.00", "2026-12-01", "4"]);
  const wrong = await member.post(`/invoices/${id}/edit`, { ...form, "lines.0.quantity": "many", number: "" });
  assert.equal(wrong.status, 422);
  assert.match(wrong.text, /Number is required[^]*Line 1: Quantity must be a number/);
  assert.match(wrong.text, /id="lines\.0\.quantity"[^>]*value="many"/);
  const taken = await member.post(`/invoices/${id}/edit`, {
    ...form,
    version: "",
    number: (await stored(await invoice())).number,
  });
  assert.equal(taken.status, 422);
  assert.match(taken.text, /There is an invoice L-\d+ already/);
});

test("a description of several lines stays as it is when another cell is edited", async () => {
  const description = "Pallet\nused";
  const id = await invoice({ lines: [{ ...PALLET, description }, PALLET], total: "25.00" });
  const path = `/invoices/${id}/edit`;
  const shown = shownIn((await member.get(path)).text);
  assert.equal(shown["lines.0.description"], "Pallet used");
  for (const form of [shown, { ...shown, "lines.1.quantity": "4" }]) {
    assert.equal((await member.post(path, form)).status, 303);
    assert.equal((await stored(id)).lines[0].description, description);
  }
  assert.equal((await stored(id)).total, "37.50");
});

test("in Romanian, numbers stand in the form as they are read there, and come back unchanged", async () => {
  const lines = [{ ...PALLET, quantity: "1.234", unit_price: "1234.5" }];
  const id = await invoice({ lines, total: "1500.75", currency: "RON" });
  const { text } = await member.get(`/invoices/${id}/edit`, romanian);
  const shown = shownIn(text);
  assert.deepEqual(
    [shown["lines.0.quantity"], shown["lines.0.unit_price"], shown.total],
    ["1,2340", "1234,5", "1500,75"],
  );
  await member.post(`/invoices/${id}/edit`, { ...shown, status: "issued" }, romanian);
  assert.deepEqual([(await stored(id)).lines, (await stored(id)).total], [lines, "1500.75"]);
});

test("once the warehouse may have it, dates change, its status by buttons alone, and the rest is shown with the reason", async () => {
  const of = await connected("Kept");
  const id = await invoice({ lines: [PALLET], total: "12.50", currency: "RON" }, of);
  const open = shownIn((await member.get(`/invoices/${id}/edit`)).text);
  await member.post(`/invoices/${id}/send`);
  // Opened before it was sent: the lines are refused, and the form says why.
  const late = await member.post(`/invoices/${id}/edit`, { ...open, "lines.0.quantity": "9", status: "issued" });
  assert.equal(late.status, 409);
  assert.match(late.text, /Meanwhile the invoice was sent to the warehouse\./);
  const { text } = await member.get(`/invoices/${id}/edit`);
  assert.match(text, /The warehouse has this invoice or may have it[^]*Pallet/);
  assert.doesNotMatch(text, /name="(?:number|total|currency|lines\.0\.sku)"/);
  const form = { ...shownIn(text), status: "paid", due_on: "2026-12-24" };
  assert.equal((await member.post(`/invoices/${id}/edit`, form)).status, 303);
  const { status, due_on: due, lines } = await stored(id);
  assert.deepEqual([status, due, lines[0].quantity], ["issued", "2026-12-24", "2"]);
  assert.doesNotMatch(text, /id="status"/);
});

test("changed lines with a total that was typed earlier: the form asks which total is right", async () => {
  for (const [choice, total] of [
    ["lines", "50.00"],
    ["stored", "15.00"],
  ] as const) {
    const id = await invoice({ lines: [PALLET], total: "15.00", currency: "RON" });
    const path = `/invoices/${id}/edit`;
    const form = { ...shownIn((await member.get(path)).text), "lines.0.quantity": "8" };
    const asked = await member.post(path, form);
    assert.equal(asked.status, 422);
    assert.match(
      asked.text,
      /The lines are now 50\.00 RON[^]*value="lines" checked[^]*value="stored"> 15\.00 RON, as before/,
    );
    assert.equal((await stored(id)).lines[0].quantity, "2");
    const { total: _, ...again } = { ...shownIn(asked.text), total: "" };
    assert.equal((await member.post(path, { ...again, total_of: choice })).status, 303);
    const now = await stored(id);
    assert.deepEqual([now.lines[0].quantity, now.total], ["8", total]);
    const heading =
      /<header class="heading">[^]*?<\/header>/.exec((await member.get(`/invoices/${id}`)).text)?.[0] ?? "";
    assert.equal(heading.includes("The total differs from the lines"), choice === "stored");
    assert.match(heading, /Copy<\/span>|Copy Number/);
    const { number, company_id: of } = now;
    for (const list of ["/orders", `/companies/${of}/invoices`]) {
      const { text } = await member.get(list);
      const row = new RegExp(`<tr(?:(?!</tr>)[^])*>${number}<(?:(?!</tr>)[^])*</tr>`).exec(text)?.[0] ?? "";
      assert.equal(row.includes("The total differs from the lines"), choice === "stored", list);
    }
  }
});

test("a conflict of two people is shown field by field; untouched lines are the stored ones", async () => {
  const id = await invoice({ lines: [PALLET], total: "12.50", currency: "RON", due_on: "2026-12-01" });
  const mine = shownIn((await member.get(`/invoices/${id}/edit`)).text);
  const theirs = { ...mine, status: "issued", "lines.0.quantity": "5", due_on: "2026-12-20" };
  assert.equal((await colleague.post(`/invoices/${id}/edit`, theirs)).status, 303);
  const untouched = await member.post(`/invoices/${id}/edit`, { ...mine, status: "issued", due_on: "2026-12-31" });
  assert.equal(untouched.status, 409);
  assert.match(untouched.text, /Ion Rus changed this from 1 Dec 2026 to 20 Dec 2026\. This field shows your value/);
  assert.match(untouched.text, /Ion Rus changed this\. You did not change this field/);
  const again = shownIn(untouched.text);
  assert.deepEqual([again["lines.0.quantity"], again.due_on, again.total], ["5", "2026-12-31", ""]);
  const touched = await member.post(`/invoices/${id}/edit`, { ...mine, status: "issued", "lines.0.quantity": "7" });
  assert.equal(touched.status, 409);
  assert.match(touched.text, /Ion Rus changed this\. This field shows your value/);
  assert.equal(shownIn(touched.text)["lines.0.quantity"], "7");
  assert.equal((await member.post(`/invoices/${id}/edit`, { ...again, status: "issued" })).status, 303);
  const { lines, due_on: due, total } = await stored(id);
  assert.deepEqual([lines[0].quantity, due, total], ["5", "2026-12-31", "31.25"]);
});

test("more lines than a form has stay as they are", async () => {
  const lines = Array.from({ length: 201 }, () => PALLET);
  const id = await invoice({ lines });
  const { text } = await member.get(`/invoices/${id}/edit`);
  assert.match(text, /It has 201 lines, and a form has 200 at most\./);
  await member.post(`/invoices/${id}/edit`, { ...shownIn(text), status: "issued", number: `MANY-${id}` });
  assert.deepEqual([(await stored(id)).number, (await stored(id)).lines.length], [`MANY-${id}`, 201]);
  assert.match((await member.get(`/invoices/${id}/copy`)).text, /Only the first 200 of its 201 lines are here/);
});

test("a form with a line too many is rejected as a whole", async () => {
  const of = await company("Many lines");
  const form: Record<string, string> = { company: String(of), number: "TOO-MANY" };
  for (let at = 0; at <= 200; at++) {
    Object.assign(form, {
      [`lines.${at}.description`]: "A",
      [`lines.${at}.quantity`]: "1",
      [`lines.${at}.unit_price`]: "1",
    });
  }
  assert.equal((await member.post("/invoices", form)).status, 422);
  assert.equal((await server.sql("select id from invoices where number = 'TOO-MANY'")).length, 0);
});

for (const [from, step, to, button, said, sentence] of [
  ["draft", "issue", "issued", "Issue", "Issued.", "issued L"],
  ["issued", "pay", "paid", "Mark paid", "Marked as paid.", "marked L as paid"],
  ["paid", "unpay", "issued", "Undo the payment", "Marked as not paid.", "marked L as not paid"],
  ["draft", "cancel", "cancelled", "Cancel invoice", "Cancelled.", "cancelled L"],
  ["issued", "cancel", "cancelled", "Cancel invoice", "Cancelled.", "cancelled L"],
  ["cancelled", "reopen", "issued", "Reopen", "Reopened.", "reopened L"],
] as const) {
  test(`the status of an invoice changes by one button, and the history says it in a sentence: ${from} to ${to}`, async () => {
    const id = await invoice({ status: from });
    const page = (await member.get(`/invoices/${id}`)).text;
    assert.match(page, new RegExp(`(?:step" value="${step}"|/invoices/${id}/cancel")>${button}<`));
    assert.equal((await member.post(`/invoices/${id}/status`, { step })).location, `/invoices/${id}`);
    assert.equal((await stored(id)).status, to);
    assert.ok((await member.get(`/invoices/${id}`)).text.includes(said));
    const history = (await member.get("/history?type=invoice")).text;
    const [line = ""] = /<strong>Ana Pop<\/strong>[^]*?<\/li>/.exec(history) ?? [];
    assert.match(line, new RegExp(`</strong> ${sentence.replace("L", `<a href="/invoices/${id}">L-\\d+</a>`)}</div>`));
    assert.doesNotMatch(line, /→/);
    // Its own page has the same sentence, without a link to itself.
    const own = (await member.get(`/invoices/${id}`)).text;
    assert.match(own, new RegExp(`<strong>Ana Pop</strong> ${sentence.replace("L", String.raw`L-\d+`)}</div>`));
  });
}

test("a button that is outdated changes nothing and says so", async () => {
  for (const [status, steps] of Object.entries({
    draft: ["pay", "unpay", "reopen", "issued", "lost", "toString", ""],
    issued: ["issue", "unpay", "reopen"],
    paid: ["issue", "reopen", "pay", "cancel"],
    cancelled: ["issue", "unpay", "cancel"],
  })) {
    const id = await invoice({ status });
    for (const step of steps) {
      await member.post(`/invoices/${id}/status`, { step });
      const { text } = await member.get(`/invoices/${id}`);
      assert.match(text, /changed in the meantime\. Nothing was changed now\./, `${status}: ${step}`);
      assert.equal((await stored(id)).status, status, step);
    }
  }
});

test("cancelling asks, and says what the warehouse has", async () => {
  const id = await invoice();
  assert.match(
    (await member.get(`/invoices/${id}/cancel`)).text,
    /Cancel invoice L-\d+\?[^]*The warehouse does not have it\./,
  );
  await server.sql("update invoices set wms_state = 'queued' where id = $1", [id]);
  assert.match((await member.get(`/invoices/${id}/cancel`)).text, /It waits to be sent to the warehouse\./);
  await server.sql(
    "update invoices set wms_order_id = 7, wms_order_number = 'WO-7', wms_instance = 'north', wms_status = 'picking' where id = $1",
    [id],
  );
  const { text } = await member.get(`/invoices/${id}/cancel`);
  assert.match(text, /The warehouse has the order WO-7 \(Picking\)\.[^]*cancel it in the warehouse too\./);
  assert.match(text, /<button class="danger" name="step" value="cancel">/);
  assert.match(
    (await member.get(`/invoices/${id}/cancel`, romanian)).text,
    /Depozitul are comanda WO-7 \(În pregătire\)\./,
  );
});

test("an invoice that is sent between the question and the button is not cancelled before a person has seen it", async () => {
  const id = await invoice();
  const seenIn = (text: string) => /name="seen" value="([^"]*)"/.exec(text)?.[1] ?? "";
  const asked = seenIn((await member.get(`/invoices/${id}/cancel`)).text);
  await server.sql(
    "update invoices set wms_state = 'sent', wms_attempt = 1, wms_order_id = 9, wms_order_number = 'WO-9', wms_instance = 'n', wms_status = 'new' where id = $1",
    [id],
  );
  for (const [headers, said] of [
    [
      undefined,
      /has changed in the meantime\. Nothing was cancelled yet\.[^]*The warehouse has the order WO-9 \(New\)\./,
    ],
    [romanian, /Încă nu s-a anulat nimic\.[^]*Depozitul are comanda WO-9/],
  ] as const) {
    const posted = { "sec-fetch-site": "same-origin", ...headers };
    const again = await member.post(`/invoices/${id}/status`, { step: "cancel", seen: asked }, posted);
    assert.equal(again.status, 409);
    assert.match(again.text, said);
    const [row] = await server.sql("select status from invoices where id = $1", [id]);
    assert.equal(row?.status, "issued");
    if (headers === undefined) continue;
    await member.post(`/invoices/${id}/status`, { step: "cancel", seen: seenIn(again.text) });
    const [after] = await server.sql("select status, wms_order_number from invoices where id = $1", [id]);
    assert.deepEqual(after, { status: "cancelled", wms_order_number: "WO-9" });
  }
});

test("cancelling does not ask to cancel an order that the warehouse shipped, cancelled or lost", async () => {
  const id = await invoice();
  const order = "wms_order_id = 8, wms_order_number = 'WO-8', wms_instance = 'north'";
  await server.sql(`update invoices set ${order}, wms_status = 'cancelled' where id = $1`, [id]);
  const cancelled = (await member.get(`/invoices/${id}/cancel`)).text;
  await server.sql("update invoices set wms_status = 'shipped' where id = $1", [id]);
  const shipped = (await member.get(`/invoices/${id}/cancel`)).text;
  assert.match(shipped, /The warehouse has the order WO-8 \(Shipped\)\./);
  assert.doesNotMatch(shipped, /in the warehouse too/);
  assert.match(cancelled, /The warehouse has the order WO-8 \(Cancelled\)\./);
  assert.doesNotMatch(cancelled, /in the warehouse too/);
  await server.sql("update invoices set wms_gone_at = now() where id = $1", [id]);
  assert.match((await member.get(`/invoices/${id}/cancel`)).text, /The warehouse no longer has this order\./);
});

test("a copy is the form of a new invoice, filled", async () => {
  const of = await company("Copied");
  const id = await invoice(
    { number: "C-7", lines: [PALLET], total: "99", currency: "EUR", issued_on: "2025-01-01" },
    of,
  );
  const { text } = await member.get(`/invoices/${id}/copy`);
  assert.match(text, /action="\/invoices"[^]*name="company" value="\d+"/);
  const shown = shownIn(text);
  assert.deepEqual(
    [shown.number, shown.issued_on, shown["lines.0.sku"], shown.total, chosenIn(text, "currency")],
    ["C-8", dayAfter(0, "Europe/Bucharest"), "P-80", "99", "EUR"],
  );
  const created = await member.post("/invoices", { ...shown, currency: "EUR" });
  const { data } = (await tenant.get(`/api/v1${created.location}`)).body;
  assert.deepEqual([data.number, data.total, data.lines, data.company_id], ["C-8", "99", [PALLET], of]);
});

test("a copy of a cancelled invoice corrects it, and each names the other, on pages and at the API", async () => {
  const of = await company();
  const wrong = await invoice({ number: "WRONG-1", total: "5", status: "cancelled" }, of);
  const form = (await member.get(`/invoices/${wrong}/copy`)).text;
  assert.match(form, /This corrects WRONG-1, which is cancelled/);
  assert.match(form, new RegExp(`name="corrects" value="${wrong}"`));
  const made = async (fields: object) => {
    const number = `RIGHT-${++numbers}`;
    const sent = { company: String(of), number, total: "6", once: String(numbers).padStart(32, "0"), ...fields };
    const { status, location } = await member.post("/invoices", sent);
    return status === 303 ? Number(location?.split("/").at(-1)) : status;
  };
  const right = await made({ corrects: String(wrong) });
  assert.equal((await stored(right)).corrects_id, wrong);
  const listed = (await tenant.get(`/api/v1/companies/${of}/invoices`)).body.data;
  assert.deepEqual(
    listed.map(({ corrects_id: corrects }: { corrects_id?: number }) => corrects),
    [wrong, undefined],
  );
  assert.match(
    (await member.get(`/invoices/${right}`)).text,
    new RegExp(`Corrects <a [^>]*href="/invoices/${wrong}">WRONG-1<`),
  );
  const back = (await member.get(`/invoices/${wrong}`, { "accept-language": "ro" })).text;
  assert.match(back, new RegExp(`Corectată prin <a [^>]*href="/invoices/${right}">`));
  // Only a cancelled invoice of the same company, and of the same tenant, is corrected.
  const valid = await invoice({}, of);
  const elsewhere = await invoice({ status: "cancelled" });
  for (const corrects of [valid, elsewhere]) {
    assert.equal("corrects_id" in (await stored(await made({ corrects: String(corrects) }))), false);
  }
  assert.equal(await made({ corrects: "99999999" }), 404);
  assert.equal("corrects_id" in (await stored(await made({ corrects: "x" }))), false);
});

test("earlier lines are those of the workspace, each SKU once, the newest first", async () => {
  const [fresh, other] = [await server.createTenant(), await server.createTenant()];
  const visitor = await signedIn(server, fresh);
  const path = `/api/v1/companies/${await company("Lines", fresh)}/invoices`;
  await fresh.post(path, { number: "1", lines: [PALLET, { ...PALLET, sku: "F-1", description: "Film" }] });
  await fresh.post(path, {
    number: "2",
    lines: [
      { ...PALLET, unit_price: "1.234" },
      { ...PALLET, sku: undefined },
    ],
  });
  const theirs = `/api/v1/companies/${await company("Theirs", other)}/invoices`;
  await other.post(theirs, { number: "1", lines: [{ ...PALLET, sku: "SECRET" }] });
  assert.deepEqual(JSON.parse((await visitor.get("/invoices/earlier-lines")).text), [
    ["P-80", "Pallet", "1.2340", "", ""],
    ["F-1", "Film", "6.25", "", ""],
  ]);
});

test("a list says of each invoice that it does not offer to send why", async () => {
  const of = await connected("Reasons");
  const draft = await invoice({ status: "draft" }, of);
  const cancelled = await invoice({ status: "cancelled" }, of);
  const paid = await invoice({ status: "paid" }, of);
  const longPaid = await invoice({ status: "paid" }, of);
  await server.sql("update invoices set edited_at = now() - interval '91 days' where id = $1", [longPaid]);
  const elsewhere = await company("No warehouse");
  const unconnected = await invoice({}, elsewhere);
  const rowOf = (text: string, id: number) => {
    const [row] = text.match(new RegExp(`<tr[^>]*>(?:(?!</tr>)[^])*/invoices/${id}"[^]*?</tr>`)) ?? [];
    assert.ok(row, `there is no row of ${id}`);
    return row;
  };
  const lists = [`/companies/${of}/invoices`, "/orders?state=not_sent"];
  for (const path of lists) {
    const { text } = await member.get(path);
    for (const [id, why] of [
      [draft, '<span class="state neutral">Draft</span>'],
      [cancelled, '<span class="state neutral">Cancelled</span>'],
      [longPaid, "<small>Paid more than 90 days ago</small>"],
    ] as const) {
      assert.ok(rowOf(text, id).includes(why), `${path}: ${why}`);
      assert.doesNotMatch(rowOf(text, id), /\/send"/);
    }
    assert.match(rowOf(text, paid), /\/send"/);
    assert.doesNotMatch(rowOf(text, paid), /<small>/);
  }
  const { text } = await member.get("/orders?state=not_sent");
  assert.ok(
    rowOf(text, unconnected).includes(
      `<a class="inline" href="/companies/${elsewhere}/warehouse"><span class="state neutral">No warehouse</span></a>`,
    ),
  );
  // Its own page still offers it.
  assert.match((await member.get(`/invoices/${longPaid}`)).text, new RegExp(`/invoices/${longPaid}/send"`));
  assert.doesNotMatch((await member.get("/today?whose=all")).text, new RegExp(`id="unsent-${longPaid}"`));
});

for (const [how, status, is, main] of [
  ["a draft", "draft", "wms_state = 'not_sent'", "Issue"],
  ["not sent", "issued", "wms_state = 'not_sent'", "Send"],
  ["refused", "issued", "wms_state = 'failed', wms_error = 'No such SKU.'", "Try again"],
  ["sent and not paid", "issued", "wms_order_id = 5, wms_instance = 'n', wms_status = 'new'", "Mark paid"],
  ["cancelled there", "issued", "wms_order_id = 5, wms_instance = 'n', wms_status = 'cancelled'", "Send again"],
  ["cancelled", "cancelled", "wms_state = 'not_sent'", null],
  ["paid and sent", "paid", "wms_order_id = 5, wms_instance = 'n', wms_status = 'shipped'", null],
] as const) {
  test(`the first button of an invoice that is ${how} is ${main ?? "none"}`, async () => {
    const id = await invoice({ status }, await connected("Buttons"));
    await server.sql(`update invoices set ${is} where id = $1`, [id]);
    const { text } = await member.get(`/invoices/${id}`);
    const [, first = null] = /<form method="post" class="primary"><button[^>]*>([^<]*)/.exec(text) ?? [];
    assert.equal(first, main);
  });
}

test("the steps of an order are those it had, up to now, and the usual ones ahead", async () => {
  const id = await invoice();
  const step = async (status: string) =>
    await server.sql(
      `update invoices set wms_order_id = id, wms_instance = 'north', wms_status = $3, changed_by = 'worker', updated_at = moment_after(updated_at)
       where tenant_id = $1 and id = $2`,
      [tenant.id, id, status],
    );
  const steps = async () => {
    const { text } = await member.get(`/invoices/${id}`);
    return [...text.matchAll(/<li( class="\w+")?[^>]*><span>([^<]*)<\/span>(<small>)?/g)].map(
      ([, kind = "", name, time]) =>
        `${name}${kind.includes("done") ? " +" : kind.includes("current") ? " *" : ""}${time ? " @" : ""}`,
    );
  };
  assert.deepEqual(await steps(), []);
  await server.sql("update invoices set wms_state = 'queued' where id = $1", [id]);
  assert.deepEqual(await steps(), ["In the queue *", "New", "Picking", "Packed", "Shipped"]);
  await step("new");
  await step("picking");
  assert.deepEqual(await steps(), ["New + @", "Picking * @", "Packed", "Shipped"]);
  await step("at the ramp");
  assert.deepEqual(await steps(), ["New + @", "Picking + @", "At the ramp * @"]);
  await step("picking");
  assert.deepEqual(await steps(), ["New + @", "Picking * @", "Packed", "Shipped"]);
  await step("shipped");
  assert.deepEqual(await steps(), ["New + @", "Picking + @", "Shipped + @"]);
  // The only step of an order that was imported at its end says no more than its state.
  const imported = await invoice();
  await server.sql(
    "update invoices set wms_order_id = id, wms_instance = 'north', wms_status = 'shipped', wms_moved_at = now() where id = $1",
    [imported],
  );
  const { text } = await member.get(`/invoices/${imported}`);
  assert.doesNotMatch(text, /class="stepper"/);
  assert.match(text, /Shipped<\/span>[^]*Last update/);
});

test("a new invoice is found from everywhere: orders, a company, its invoices, and Ctrl K", async () => {
  const of = await company("From here");
  for (const [path, link] of [
    ["/orders", '<a class="button main" href="/invoices/new" aria-keyshortcuts="n i">'],
    [`/companies/${of}`, `href="/invoices/new?company=${of}" aria-keyshortcuts="i"`],
    [`/companies/${of}/invoices`, `href="/invoices/new?company=${of}" aria-keyshortcuts="n i"`],
    ["/find?q=new%20inv", '<a href="/invoices/new">'],
    ["/contacts", '<a hidden href="/invoices/new" aria-keyshortcuts="i">'],
  ] as const) {
    assert.ok((await member.get(path)).text.includes(link), path);
  }
});
