import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { violationsOf } from "../../kit/browser/accessibility.ts";
import { openPage } from "../../kit/browser/browser.ts";

const server = await startServer();
const tenant = await server.createTenant();
const member = await signedIn(server, tenant);

test("an invoice is written with the keyboard alone: Enter goes to the next line, Ctrl Enter creates", async () => {
  const { id } = (await tenant.post("/api/v1/companies", { name: "Acme" })).body.data;
  const page = await openPage(server, { as: member });
  await page.goto(`/companies/${id}/invoices/new`);
  await page.locator("#number:focus").waitFor();
  await page.keyboard.type(`KEYS-${id}`);
  await page.keyboard.press("Enter");
  for (const [at, words] of [
    ["P-80", "Pallet", "2", "", "6.25"],
    ["", "Film", "1", "", "3"],
    ["", "Carriage", "1", "", "1"],
    ["", "Thanks", "1", "", "0"],
  ].entries()) {
    await page.locator(`[id="lines.${at}.sku"]:focus`).waitFor();
    for (const [column, word] of words.entries()) {
      if (column > 0) await page.keyboard.press("Tab");
      await page.keyboard.type(word);
    }
    await page.keyboard.press("Enter");
  }
  await page.locator('[id="lines.4.sku"]:focus').waitFor();
  await page.keyboard.press("Control+Enter");
  await page.getByRole("heading", { level: 1, name: `KEYS-${id}` }).waitFor();
  assert.equal(await page.locator(".list.lines tbody tr, .list tbody tr").count(), 4);
});

for (const [width, javaScriptEnabled] of [
  [360, true],
  [1280, false],
] as const) {
  const how = `${width} px wide, ${javaScriptEnabled ? "with" : "without"} JavaScript`;
  test(`an invoice by hand: its lines are added up while they are typed, and stand on its page, ${how}`, async () => {
    const { id } = (await tenant.post("/api/v1/companies", { name: "Acme" })).body.data;
    const number = `HAND-${id}`;
    const page = await openPage(server, { as: member, width, javaScriptEnabled });
    const sum = page.locator("[data-sum]");
    const type = async (line: number, values: Record<string, string>) => {
      for (const [name, value] of Object.entries(values)) {
        await page.locator(`[name="lines.${line}.${name}"]`).fill(value);
      }
    };
    /** With JavaScript the sum follows what is typed; without it a button adds up. */
    const sumIs = async (expected: string) => {
      if (!javaScriptEnabled) await page.getByRole("button", { name: "More lines" }).click();
      await sum.getByText(expected, { exact: true }).waitFor();
    };

    await page.goto(`/companies/${id}`);
    await page.locator("#invoices").getByRole("link", { name: "Add" }).click();
    await page.getByLabel("Number").fill(number);
    await type(0, { description: "Pallet", sku: `P-${id}`, quantity: "1200", unit_price: "1,25" });
    await sumIs("1,500.00");
    await type(1, { description: "Film", quantity: "3", unit_price: "0.5" });
    await sumIs("1,501.50");
    // The last row made another one, or the button did.
    await type(2, { description: "Carriage", quantity: "1", unit_price: "98.5" });
    await type(3, { description: "Thanks", quantity: "1", unit_price: "0" });
    await sumIs("1,600.00");
    assert.equal(await page.locator("tbody tr").first().locator("output").textContent(), "1,500.00");
    if (javaScriptEnabled) assert.deepEqual(await violationsOf(page), []);

    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { level: 1, name: number }).waitFor();
    await page.locator(".sum", { hasText: "1,600.00 RON" }).waitFor();
    const rows = await page.locator(".list tbody tr").allInnerTexts();
    assert.deepEqual(
      rows.map((row) => /^\w+/.exec(row)?.[0]),
      ["Pallet", "Film", "Carriage", "Thanks"],
    );
  });
}
