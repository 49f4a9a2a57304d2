import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { signedIn } from "../../doors/pages/visitor.ts";
import { violationsOf } from "../../kit/browser/accessibility.ts";
import { openPage } from "../../kit/browser/browser.ts";
import { poll } from "../../program.ts";
import { administer } from "../wms/instance-calls.ts";
import { startWithWarehouse } from "../wms/warehouse.ts";

const server = await startWithWarehouse({ LIAISON_WMS_POLL: "1", LIAISON_WMS_TIMEOUT: "30" }, { slowMs: 1_500 });

const LINES = [{ sku: "P-1", description: "Pallet", quantity: "2", unit_price: "617.25" }];

const stateOf = (page: Page, text: string) => page.locator("#way .state", { hasText: text });

/** The person looks again until it is there. */
async function lookUntil(page: Page, text: string): Promise<void> {
  const isThere = async () => await stateOf(page, text).isVisible();
  await poll(text, async () => (await isThere()) || (await page.reload(), await isThere()));
}

for (const javaScriptEnabled of [true, false]) {
  test(`somebody connects a company, sends its invoice, and follows its order, ${javaScriptEnabled ? "with" : "without"} JavaScript`, async () => {
    const tenant = await server.createTenant();
    const instance = javaScriptEnabled ? "north" : "south";
    const { id } = (await tenant.post("/api/v1/companies", { name: "Acme", tax_id: "RO18547290" })).body.data;
    const invoice = { number: "DMO-117", total: "1234.50", currency: "RON", issued_on: "2026-11-20", lines: LINES };
    await tenant.post(`/api/v1/companies/${id}/invoices`, invoice);
    const page = await openPage(server, { as: await signedIn(server, tenant, { role: "admin" }), javaScriptEnabled });
    const look = async () => assert.deepEqual(javaScriptEnabled ? await violationsOf(page) : [], []);

    await page.goto(`/companies/${id}`);
    await page.locator("#invoices").getByText("Not sent").waitFor();
    await page.locator(".heading details.menu summary").click();
    await page.getByRole("link", { name: "Warehouse connection" }).click();
    await page.getByLabel("Subdomain").fill(instance);
    await page.getByLabel("Key", { exact: true }).fill("key-of-the-warehouse");
    await page.keyboard.press("Enter");
    await page.getByText("The connection is saved.").waitFor();
    await page.getByRole("button", { name: "Test connection" }).click();
    await page.getByText("The connection works.").waitFor();
    await look();

    await page.getByRole("link", { name: "Show the invoices" }).click();
    await page.getByRole("checkbox", { name: "Select DMO-117" }).check();
    // The page is there before the order is.
    await server.faults({ slow: 1 });
    await page.getByRole("button", { name: "Send to warehouse" }).click();
    await page.getByText("1 invoice has no street").waitFor();
    await look();
    await page.getByRole("button", { name: "Send anyway" }).click();
    await page.getByText("Sending 1 invoice to the warehouse.").waitFor();
    await look();
    await page.getByRole("link", { name: "DMO-117" }).click();
    // With JavaScript the page follows the invoice by itself, and then its order.
    const see = async (word: string) =>
      javaScriptEnabled ? await stateOf(page, word).waitFor() : await lookUntil(page, word);
    await see("New");
    await server.faults({});
    assert.equal(await page.getByRole("button", { name: "Send" }).count(), 0);
    await look();

    const [order] = await server.orders(instance);
    await administer(server.simulator, "PUT", `/orders/${instance}/${order?.order_id}`, { status: "picking" });
    await see("Picking");
    // The steps are followed too, and the notice is outdated.
    await page.locator(".stepper .current", { hasText: "Picking" }).waitFor();
    assert.deepEqual(await page.locator(".stepper li > span").allTextContents(), [
      "New",
      "Picking",
      "Packed",
      "Shipped",
    ]);
    await page.locator(".notice").waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Acme" }).first().click();
    await page.locator("#invoices").getByText("Picking", { exact: true }).waitFor();
    // News of machines are folded.
    await page.locator("#happened").getByText("went from New to Picking").waitFor({ state: "attached" });
  });
}
