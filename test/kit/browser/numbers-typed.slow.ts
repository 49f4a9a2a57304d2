import assert from "node:assert/strict";
import { test } from "node:test";
import { numberCases } from "../../doors/pages/number-cases.ts";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { violationsOf } from "./accessibility.ts";
import { openPage } from "./browser.ts";

const server = await startServer();
const tenant = await server.createTenant();
const member = await signedIn(server, tenant);
const { id } = (await tenant.post("/api/v1/companies", { name: "Acme" })).body.data;
const path = `/invoices/new?company=${id}`;

for (const locale of ["en", "ro"] as const) {
  test(`numbers are read while they are typed as the server reads them: ${locale}`, async () => {
    const page = await openPage(server, { as: member, locale });
    await page.goto(path);
    await page.locator('[name="lines.0.quantity"]').fill("1000000");
    // A field of one line drops a line break.
    const cases = numberCases.filter(({ language, typed }) => language === locale && !typed.includes("\n"));
    // Typed within the page: a round trip for each of them takes seconds.
    const amounts = await page.evaluate<string[]>(`${JSON.stringify(cases)}.map(({ typed }) => {
      const price = document.getElementById("lines.0.unit_price");
      price.value = typed;
      price.dispatchEvent(new InputEvent("input", { bubbles: true }));
      return price.closest("tr").querySelector("td:last-child output").textContent;
    })`);
    const shown = cases.map(({ read }) =>
      typeof read === "string"
        ? (Number(read) * 1_000_000).toLocaleString(locale === "ro" ? "ro-RO" : "en-GB", { minimumFractionDigits: 2 })
        : "",
    );
    const typed = cases.map((each) => each.typed);
    assert.deepEqual(
      amounts.map((amount, at) => [typed[at], amount]),
      shown.map((amount, at) => [typed[at], amount]),
    );
  });
}

test("an ambiguous number has its reading beside the field, and a refused one has both readings", async () => {
  const page = await openPage(server, { as: member, locale: "ro" });
  await page.goto(path);
  const price = page.locator('[name="lines.0.unit_price"]');
  const read = page.locator('[id="lines.0.unit_price-read"]');
  await page.locator("#number").fill("RO-1");
  await page.locator('[name="lines.0.description"]').fill("Făină");
  await page.locator('[name="lines.0.quantity"]').fill("2");
  for (const [typed, said] of [
    ["1.234", "= 1.234,00"],
    ["12.5", "= 12,50"],
    ["1.234,50", ""],
    ["12,5", ""],
    ["1,234", "1.234,00 / 1,234?"],
  ] as const) {
    await price.fill(typed);
    assert.equal(await read.textContent(), said, typed);
  }
  await page.getByRole("button", { name: "Creează" }).click();
  const line = page.locator("tbody tr").first();
  const said = "„Preț unitar” poate însemna 1.234,00 sau 1,234. Scrieți 1234 sau 1,2340.";
  await line.getByText(said).waitFor();
  assert.equal(await price.inputValue(), "1,234");
  assert.match((await price.getAttribute("aria-describedby")) ?? "", /^lines\.0\.unit_price-error /);
  assert.deepEqual(await violationsOf(page), []);
  await price.fill("1.234");
  await page.locator("[data-sum]", { hasText: "2.468,00" }).waitFor();
  await page.getByRole("button", { name: "Creează" }).click();
  await page.locator(".sum", { hasText: "2.468,00 RON" }).waitFor();
});

test("a day is pasted as people write it", async () => {
  const page = await openPage(server, { as: member });
  await page.goto(path);
  await page.evaluate(`
    const data = new DataTransfer();
    data.setData("text", " 25.12.2026 ");
    const paste = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
    document.getElementById("due_on").dispatchEvent(paste);
  `);
  assert.equal(await page.locator("#due_on").inputValue(), "2026-12-25");
});
