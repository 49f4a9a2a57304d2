import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { openPage } from "../../kit/browser/browser.ts";

const server = await startServer();
const tenant = await server.createTenant();
const member = await signedIn(server, tenant, { role: "admin" });

let firms = 50_000_000;

/** A PNG of one pixel. */
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

/** The width of A4 between its margins, in CSS pixels. */
const A4 = Math.round(((210 - 2 * 12) / 25.4) * 96);

/** What is shown on paper though it is of no use there, cut texts, and amounts and days of more than one line. */
const WRONG_ON_PAPER = `(() => {
  const isShown = (element) => element.checkVisibility() && element.getClientRects().length > 0;
  const main = document.querySelector("main");
  const controls = [...main.querySelectorAll("button, input, textarea, select, .button, .switch")].filter(isShown);
  const wrong = controls.map((element) => "shown: " + element.outerHTML.slice(0, 80));
  for (const element of main.querySelectorAll("h1, h2, h3, dt, dd, th, td, a, p, li, small, .things span")) {
    if (!isShown(element) || element.closest(".hidden, details:not([open]) > :not(summary)")) continue;
    const { overflowX, display } = getComputedStyle(element);
    const isCut = overflowX !== "visible" && display !== "inline" && element.scrollWidth > element.clientWidth + 1;
    if (isCut || element.getBoundingClientRect().right > innerWidth + 1) wrong.push("cut: " + element.textContent.trim());
  }
  const whole = "td:is(.number, .date), td:is(.number, .date) :is(a, span, time)";
  for (const amount of [...main.querySelectorAll(whole)].filter((each) => each.childElementCount === 0)) {
    const range = document.createRange();
    range.selectNodeContents(amount);
    const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
    if (lines.size > 1) wrong.push("broken: " + amount.textContent.trim());
  }
  return wrong;
})()`;

for (const colorScheme of ["light", "dark"] as const) {
  test(`a company prints on one sheet, without controls, and nothing is cut: ${colorScheme}`, async () => {
    const values = {
      name: "Băcănia Transilvană și Fiii SRL",
      email: "comenzi@bacania-transilvana.example",
      phone: "+40 264 555 010",
      website: "https://bacania-transilvana.example/contact",
      address: "Strada Memorandumului 28, etajul 2",
      fiscal_address: "Strada Memorandumului 28, etajul 2, Cluj-Napoca",
      city: "Cluj-Napoca",
      county: "Cluj",
      registration_number: "J12/1234/2015",
      industry: "Comerț cu amănuntul",
      notes: "Plătește la timp. Preferă livrarea dimineața.",
      status: "active",
    };
    const { id } = (await tenant.post("/api/v1/companies", values)).body.data;
    const people = [
      ["Ioana", "Popescu", "Purchasing manager"],
      ["Mihai", "Dragomirescu-Bălăceanu", "Director general"],
      ["Ana", "Pop", "Contabilă"],
      ["Dan", "Rus", "Gestionar"],
      ["Vlad", "Ionescu", "Șofer"],
    ];
    for (const [first_name, last_name, position] of people) {
      const more = { email: `${first_name?.toLowerCase()}@bacania-transilvana.example`, phone: "+40 722 555 012" };
      await tenant.post(`/api/v1/companies/${id}/contacts`, { first_name, last_name, position, ...more });
    }
    for (let n = 0; n < 7; n++) {
      const invoice = { number: `DMO-2026-09${n}-${id}`, total: "115243.40", currency: "RON", issued_on: "2026-11-25" };
      await tenant.post(`/api/v1/companies/${id}/invoices`, invoice);
      await member.post(`/companies/${id}/activities`, { kind: "call", note: `Wants ${n} pallets more, by Friday.` });
    }
    await server.sql(
      `update invoices set wms_order_id = id, wms_order_number = 'WO-50001', wms_instance = 'sud.localhost', wms_status = 'cancelled'
       where company_id = $1`,
      [id],
    );
    for (const n of [1, 2]) {
      const address = { type: "delivery", label: `Magazin ${n}`, address: `Strada Lungă ${n}`, city: "Brașov" };
      await tenant.post(`/api/v1/companies/${id}/addresses`, address);
    }
    const page = await assertOneSheet(`/companies/${id}`, colorScheme);
    for (const act of ["Statement", "Connect"])
      assert.equal(await page.getByRole("link", { name: act }).filter({ visible: true }).count(), 0, act);
  });

  test(`an invoice prints on one sheet, without controls, and nothing is cut: ${colorScheme}`, async () => {
    const name = "Băcănia Transilvană și Fiii SRL, punct de lucru Cluj-Napoca";
    const { id } = (await tenant.post("/api/v1/companies", { name, tax_id: `RO${++firms}` })).body.data;
    const lines = Array.from({ length: 20 }, (_, at) => ({
      sku: `FLR-650-${at}`,
      description: "Făină albă de grâu tip 650, sac de 25 kg",
      quantity: "40",
      unit_price: "64.125",
    }));
    const fields = { total: "51300", currency: "RON", issued_on: "2026-11-25", due_on: "2026-12-25", lines };
    const number = `DMO-2026-0900-${colorScheme}`;
    const invoice = (await tenant.post(`/api/v1/companies/${id}/invoices`, { number, ...fields })).body.data;
    for (const status of ["new", "picking"]) {
      await server.sql(
        `update invoices set wms_order_id = id, wms_order_number = 'WO-50001', wms_instance = 'sud.localhost', wms_status = $2,
           wms_synced_at = now(), updated_at = moment_after(updated_at) where id = $1`,
        [invoice.id, status],
      );
    }
    const png = Uint8Array.from(Buffer.from(PIXEL, "base64"));
    assert.equal((await member.upload("/workspace/logo", {}, { "a.png": png })).status, 303);
    await member.post("/workspace", { tax_id: "RO18000000", iban: "RO49AAAA1B31007593840000", bank: "Banca Exemplu" });
    const page = await assertOneSheet(`/invoices/${invoice.id}`, colorScheme);
    const shown = await page.locator("main").innerText();
    for (const text of [
      "Invoice",
      "RO18000000",
      `RO${firms}`,
      "within 30 days",
      "RO49AAAA1B31007593840000, Banca Exemplu",
    ])
      assert.ok(shown.includes(text), text);
    assert.equal(await page.locator("#way").filter({ visible: true }).count(), 0);
    // The screen does not load the picture; printing does, before the paper is made.
    const onScreen = await openPage(server, { as: member });
    await onScreen.goto(`/invoices/${invoice.id}`);
    const isLoaded = `(() => { const { complete, naturalWidth } = document.querySelector(".parties img"); return complete && naturalWidth > 0; })()`;
    assert.equal(await onScreen.evaluate(isLoaded), false);
    await onScreen.pdf();
    assert.equal(await onScreen.evaluate(isLoaded), true);
  });
}

test("the list of orders prints whole: reasons wrap, nothing else does, and the sum is below", async () => {
  const name = "Băcănia Transilvană și Fiii SRL";
  const { id } = (await tenant.post("/api/v1/companies", { name })).body.data;
  const words = JSON.stringify({
    code: "refused",
    words: "SKU FLR-650 is not stocked here, and SKU GRO-001 is sold out.",
  });
  for (let n = 100; n < 120; n++) {
    const fields = { number: `PRN-2026-0${n}`, total: "115243.40", currency: "EUR", issued_on: "2026-11-25" };
    const invoice = (await tenant.post(`/api/v1/companies/${id}/invoices`, fields)).body.data;
    await server.sql("update invoices set wms_state = 'failed', wms_error = $2 where id = $1", [invoice.id, words]);
  }
  const page = await openPage(server, { as: member, width: A4 });
  await page.goto("/orders?state=refused");
  await page.emulateMedia({ media: "print" });
  assert.deepEqual(await page.evaluate<string[]>(WRONG_ON_PAPER), []);
  const row = page.locator("tbody tr", { hasText: "PRN-2026-0100" });
  const heightOf = async (cell: string) => (await row.locator(cell).boundingBox())?.height ?? 0;
  const line = await heightOf("td.number > *, td.name a");
  assert.ok(line < 24, `the number has ${line} px`);
  assert.ok(((await row.boundingBox())?.height ?? 0) < 80);
  assert.equal(await page.locator(".export").filter({ visible: true }).count(), 0);
  assert.equal(await page.locator(".sums").textContent(), "Sum: 2,304,868.00 EUR");
  const sheets = (await page.pdf({ preferCSSPageSize: true })).toString("latin1").match(/\/Type\s*\/Page\b/g);
  assert.ok((sheets?.length ?? 0) <= 2, `${sheets?.length} sheets`);
  await server.sql("update invoices set due_on = '2026-11-26' where tenant_id = $1", [tenant.id]);
  await page.goto(`/orders?state=overdue&assigned_to=0`);
  assert.deepEqual(await page.evaluate<string[]>(WRONG_ON_PAPER), []);
  assert.ok(((await row.boundingBox())?.height ?? 0) < 80);
  assert.ok(await page.getByText("Clear filters").isHidden());
  await page.goto("/today?whose=all");
  assert.deepEqual(await page.evaluate<string[]>(WRONG_ON_PAPER), []);
});

test("every other list prints whole, with its filters as a line", async () => {
  const name = "Băcănia Transilvană și Fiii SRL, punct de lucru Cluj-Napoca";
  const fields = { name, tax_id: `RO${++firms}`, city: "Cluj-Napoca", phone: "+40 264 555 010", status: "active" };
  const { id } = (await tenant.post("/api/v1/companies", fields)).body.data;
  const person = { first_name: "Mihai", last_name: "Dragomirescu-Bălăceanu", position: "Director general" };
  const reached = { email: "mihai.dragomirescu@bacania-transilvana.example", phone: "+40 722 555 012" };
  await tenant.post(`/api/v1/companies/${id}/contacts`, { ...person, ...reached });
  const dates = { issued_on: "2026-09-25", due_on: "2026-10-25" };
  const sold = { number: "LST-2026-0100", status: "issued", total: "1115243.40", currency: "RON", ...dates };
  await tenant.post(`/api/v1/companies/${id}/invoices`, sold);
  const csv = `name,city\n${"Comerț cu amănuntul și cu ridicata ".repeat(3)},Cluj-Napoca\n`;
  await member.upload("/imports", { kind: "companies" }, { "furnizori-si-clienti-2026-toamna.csv": csv });
  const page = await openPage(server, { as: member, width: A4 });
  const lists = [
    ["/companies?status=active&assigned_to=0", ["Status: Active", "Owner: Without an owner"]],
    ["/contacts", ["Dragomirescu"]],
    ["/money?overdue=1&assigned_to=0&currency=RON", ["Owner: Nobody’s · Currency: RON · Overdue only", "1,115,243.40"]],
    ["/sales?from=2026-09-01&to=2026-10-31&currency=RON", ["Currency: RON", "1,115,243.40"]],
    ["/history?type=company&action=created&by=command&to=2026-01-01", ["What: Companies · Who: The command line"]],
    ["/history", ["LST-2026-0100"]],
    ["/imports", ["furnizori-si-clienti-2026-toamna.csv"]],
    ["/money", ["1,115,243.40 RON"]],
    ["/sales?from=2026-09-01&to=2026-09-30", ["1,115,243.40 RON"]],
  ] as const;
  for (const [list, expected] of lists) {
    await page.goto(list);
    await page.emulateMedia({ media: "screen" });
    assert.equal(await page.locator(".printed").filter({ visible: true }).count(), 0, list);
    await page.emulateMedia({ media: "print" });
    const paper = await page.locator("main").innerText();
    for (const text of expected) assert.ok(paper.includes(text), `${list}: ${text} in ${paper}`);
    assert.deepEqual(await page.evaluate<string[]>(WRONG_ON_PAPER), [], list);
    if (process.env.LIAISON_TEST_PICTURES !== undefined)
      await page.screenshot({ path: `${process.env.LIAISON_TEST_PICTURES}/print${list.replaceAll(/\W/g, "_")}.png` });
  }
});

test("a company prints what happened in the last 30 days", async () => {
  const { id } = (await tenant.post("/api/v1/companies", { name: "Old and new" })).body.data;
  for (const note of ["New note", "Old note"]) await member.post(`/companies/${id}/activities`, { kind: "call", note });
  await server.sql(
    "update activities set at = now() - interval '31 days' where company_id = $1 and note = 'Old note'",
    [id],
  );
  const page = await openPage(server, { as: member, width: A4 });
  await page.goto(`/companies/${id}`);
  await page.emulateMedia({ media: "print" });
  assert.ok(await page.getByText("New note").isVisible());
  assert.ok(await page.getByText("Old note").isHidden());
});

async function assertOneSheet(path: string, colorScheme: "light" | "dark"): Promise<Page> {
  const page = await openPage(server, { as: member, width: A4, colorScheme });
  await page.goto(path);
  await page.emulateMedia({ media: "print", colorScheme });
  assert.deepEqual(await page.evaluate<string[]>(WRONG_ON_PAPER), []);
  assert.equal(await page.evaluate("getComputedStyle(document.querySelector('h1')).color"), "rgb(21, 24, 28)");
  const sheets = (await page.pdf({ preferCSSPageSize: true })).toString("latin1").match(/\/Type\s*\/Page\b/g);
  assert.equal(sheets?.length, 1);
  return page;
}
