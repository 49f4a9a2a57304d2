import assert from "node:assert/strict";
import { test } from "node:test";
import { decimal } from "../../../src/kit/web/language.ts";
import { assertHarmless, hostileTexts } from "../../doors/pages/hostile-texts.ts";
import { numberCases } from "../../doors/pages/number-cases.ts";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";

const server = await startServer();
const tenant = await server.createTenant();
const member = await signedIn(server, tenant);
const company = async () => (await tenant.post("/api/v1/companies", { name: "Acme" })).body.data.id as number;
const create = async (id: number, form: Record<string, string>, headers?: Record<string, string>) =>
  await member.post("/invoices", { company: String(id), ...form }, headers);

const two = {
  "lines.0.description": "Pallet",
  "lines.0.sku": "P-80",
  "lines.0.quantity": "2",
  "lines.0.unit_price": "6,25",
  "lines.1.description": "",
  "lines.2.description": "Film",
  "lines.2.quantity": "0.5",
  "lines.2.unit_price": "3",
};

test("an invoice is written by hand, with its lines, and their sum where no total is typed", async () => {
  const id = await company();
  const form = { number: "H-1", issued_on: "2026-11-20", currency: "RON", total: "", ...two };
  const answer = await create(id, form);
  assert.equal(answer.status, 303);
  const { data } = (await tenant.get(`/api/v1${answer.location}`)).body;
  assert.equal(data.total, "14.00");
  assert.deepEqual(
    data.lines.map(({ description, quantity, unit_price: price }: Record<string, string>) => [
      description,
      quantity,
      price,
    ]),
    [
      ["Pallet", "2", "6.25"],
      ["Film", "0.5", "3"],
    ],
  );
  const page = (await member.get(answer.location ?? "")).text;
  assert.match(page, /data-label="Amount">12\.50 RON<[^]*data-label="Amount">1\.50 RON<[^]*Sum<[^]*14\.00 RON/);
  const typed = await create(id, { ...form, number: "H-2", total: "15,5" });
  assert.equal((await tenant.get(`/api/v1${typed.location}`)).body.data.total, "15.5");
});

for (const language of ["en", "ro"] as const) {
  test(`numbers of an invoice are read in the page's language, and refused with both readings: ${language}`, async () => {
    const own = numberCases.filter((each) => each.language === language);
    assert.ok(own.length >= 60, `${own.length} texts`);
    const id = await company();
    const headers = { "sec-fetch-site": "same-origin", "accept-language": language };
    const line = (price: string, total = "") => ({
      total,
      "lines.0.description": "Pallet",
      "lines.0.quantity": "1",
      "lines.0.unit_price": price,
    });
    for (const [at, { typed, read }] of own.entries()) {
      for (const [field, form] of [
        ["unit_price", line(typed)],
        ["total", line("1", typed)],
      ] as const) {
        if (typed === "") continue;
        const number = `${language} ${field} ${at}`;
        const answer = await create(id, { number, ...form }, headers);
        if (typeof read === "string") {
          assert.equal(answer.status, 303, `${typed} as ${field}`);
          const { data } = (await tenant.get(`/api/v1${answer.location}`)).body;
          assert.equal(Number(field === "total" ? data.total : data.lines[0].unit_price), Number(read), typed);
        } else {
          assert.equal(answer.status, 422, `${typed} as ${field}`);
          const said =
            language === "ro" ? /poate însemna ([\d.,-]+) sau ([\d.,-]+)\. / : /can mean ([\d.,-]+) or ([\d.,-]+)\. /;
          const found = said.exec(answer.text)?.slice(1) ?? null;
          assert.deepEqual(found, read && read.map((each) => decimal(language, each)), typed);
        }
      }
    }
  });
}

test("a day is understood as people write it, and is in its field again where something else was wrong", async () => {
  const id = await company();
  const form = { number: "D-1", issued_on: "25.11.2026", due_on: "5.12.2026", ...two };
  const created = await create(id, form);
  const { data } = (await tenant.get(`/api/v1${created.location}`)).body;
  assert.deepEqual([data.issued_on, data.due_on], ["2026-11-25", "2026-12-05"]);
  const again = await create(id, form);
  assert.equal(again.status, 422);
  assert.ok(again.text.includes('value="2026-11-25"'));
  const company2 = await member.post(`/companies/${id}`, { callback_date: "1.12.2026" });
  assert.equal(company2.status, 303);
  assert.equal((await tenant.get(`/api/v1/companies/${id}`)).body.data.callback_date, "2026-12-01");
  const contact = { first_name: "Ioana", last_name: "Pop", birth_date: "14.3.1985" };
  const person = await member.post(`/companies/${id}/contacts`, contact);
  assert.equal((await tenant.get(`/api/v1${person.location}`)).body.data.birth_date, "1985-03-14");
  await member.post(`/companies/${id}/activities`, { kind: "note", note: "x", callback_date: "3.12.2026" });
  assert.equal((await tenant.get(`/api/v1/companies/${id}`)).body.data.callback_date, "2026-12-03");
});

test("the first button of the form is the one that creates, and a wrong line says why at its field", async () => {
  const id = await company();
  const form = { number: "", "lines.0.description": "Kept", "lines.0.quantity": "many" };
  const { text } = await create(id, form);
  const own = text.slice(text.indexOf('<form class="record invoice"'));
  assert.match(/<button(?! disabled)[^>]*>/.exec(own)?.[0] ?? "", /class="main"/);
  assert.match(own, /id="number"[^>]*autofocus|autofocus[^>]*id="number"/);
  const field = /<input id="lines\.0\.quantity"[^>]*>/.exec(own)?.[0] ?? "";
  assert.match(field, /aria-describedby="lines\.0\.quantity-error/);
  assert.match(own, /<p class="error" id="lines\.0\.quantity-error">Quantity must be a number/);
});

test("without JavaScript a button adds up, and has room for more lines; nothing is stored", async () => {
  const id = await company();
  const { status, text } = await create(id, { number: "H-3", ...two, more: "1" });
  assert.equal(status, 200);
  assert.match(text, /<output>12\.50<\/output>[^]*<output>1\.50<\/output>[^]*<output data-sum>14\.00<\/output>/);
  assert.match(text, /name="lines\.4\.description"/);
  assert.equal((await tenant.get(`/api/v1/companies/${id}/invoices`)).body.total, 0);
});

test("an invalid line has its error beside it and the typed text, and a taken number links to its holder", async () => {
  const id = await company();
  const wrong = await create(id, { number: "", "lines.0.description": "Kept", "lines.0.quantity": "many" });
  assert.equal(wrong.status, 422);
  for (const message of [
    "Number is required.",
    "Line 1: Quantity must be a number, such as 12.50.",
    "Line 1: Unit price is required.",
  ]) {
    assert.ok(wrong.text.includes(message), message);
  }
  assert.match(wrong.text, /id="lines\.0\.quantity"[^>]*value="many"[^>]*aria-invalid="true"/);
  const { id: holder } = (await tenant.post(`/api/v1/companies/${id}/invoices`, { number: "TAKEN" })).body.data;
  const taken = await create(id, { number: "TAKEN", ...two });
  assert.equal(taken.status, 422);
  assert.match(taken.text, new RegExp(`There is an invoice TAKEN already: <a href="/invoices/${holder}">`));
  assert.match(taken.text, /value="Pallet"/);
});

test("no text of an invoice runs a script", async () => {
  const id = await company();
  for (const hostile of hostileTexts) {
    const form = {
      number: hostile,
      currency: hostile,
      "lines.0.description": hostile,
      "lines.0.sku": hostile,
      more: "1",
    };
    assertHarmless((await create(id, form)).text, hostile);
  }
});
