import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { signedIn } from "../../doors/pages/visitor.ts";
import { violationsOf } from "../../kit/browser/accessibility.ts";
import { openPage } from "../../kit/browser/browser.ts";
import { listTrouble } from "../../kit/browser/list-trouble.ts";
import { administer } from "../../orders/wms/instance-calls.ts";
import { startWithWarehouse } from "../../orders/wms/warehouse.ts";

/** Pages that show an order follow it by themselves, and disturb no user who works on them. */
const server = await startWithWarehouse({ LIAISON_WMS_POLL: "1" });
/** Longer than ten seconds, a second's question and a slow machine take together. */
const FOLLOWED = { timeout: 45_000 };

async function sent(instance: string) {
  const tenant = await server.createTenant();
  const company = await server.connect(tenant, instance);
  const invoices = await Promise.all(
    ["FOLLOW-1", "FOLLOW-2"].map(async (number) => {
      const { body } = await tenant.post(`/api/v1/companies/${company}/invoices`, {
        number,
        total: "123456.50",
        currency: "RON",
        issued_on: "2025-11-20",
      });
      return body.data.id as number;
    }),
  );
  const id = invoices[0] ?? 0;
  await tenant.post(`/api/v1/invoices/${id}/wms-order`);
  const { order_id: orderId } = await server.until(tenant, id, ({ state }) => state === "sent");
  const change = async (order: object) =>
    await administer(server.simulator, "PUT", `/orders/${instance}/${orderId}`, order);
  return { company, id, change, member: await signedIn(server, tenant) };
}

const inRow = (page: Page, word: string) =>
  page.locator("tr", { hasText: "FOLLOW-1" }).getByText(word, { exact: true });

test("an invoice follows its order while a text in it is selected and after its number was copied; the selection stays", async () => {
  const { id, member, change } = await sent("marked");
  const page = await openPage(server, { as: member });
  await page.goto(`/invoices/${id}`);
  await page.locator("#way .current", { hasText: "New" }).waitFor();
  await page.locator("#way").getByRole("button", { name: "Copy Order number" }).click();
  await page.locator("#way .copy.done").waitFor();
  await page.locator("h1").dblclick();
  const selected = async () => await page.evaluate<string>("getSelection().toString().trim()");
  const before = await selected();
  assert.ok(before.length > 0);
  for (const [status, word] of [
    ["picking", "Picking"],
    ["shipped", "Shipped"],
  ] as const) {
    await change({ status });
    await page.locator("#way header").getByText(word, { exact: true }).waitFor(FOLLOWED);
    assert.equal(await selected(), before);
  }
});

test("a list follows an order that moves, is lost and is put right; focus and ticks stay", async () => {
  const { member, change } = await sent("moves");
  const page = await openPage(server, { as: member });
  await page.goto("/orders");
  await inRow(page, "New").waitFor();
  const tick = page.getByRole("checkbox", { name: "Select FOLLOW-2" });
  await tick.check();
  await page.getByRole("link", { name: "FOLLOW-2" }).focus();
  await change({ status: "picking" });
  await inRow(page, "Picking").waitFor(FOLLOWED);
  assert.ok(await tick.isChecked());
  assert.equal(await page.evaluate<string>("document.activeElement.textContent"), "FOLLOW-2");

  assert.ok(await page.locator("#in-need").isHidden());
  await change({ vanished: true });
  await inRow(page, "Missing in the warehouse").waitFor(FOLLOWED);
  assert.equal(await page.locator("#in-need").textContent(), "1");
  assert.deepEqual(await violationsOf(page), []);
  await page.locator("#in-need").click();
  await page.locator("tr", { hasText: "FOLLOW-1" }).locator("summary").click();
  await page.getByRole("button", { name: "Accept as is FOLLOW-1" }).click();
  await page.getByText("Accepted as it is, until the order moves again.").waitFor();
  await page.getByText("Nothing needs attention.").waitFor();
  assert.ok(await page.locator("#in-need").isHidden());
});

test("a company and an invoice follow an order that is cancelled; sent again, it is looked up first", async () => {
  const { company, id, member, change } = await sent("typed");
  const page = await openPage(server, { as: member });
  await page.goto(`/companies/${company}`);
  await page.locator("#invoices").getByText("New", { exact: true }).waitFor();
  await change({ status: "cancelled" });
  await page.locator("#invoices").getByText("Cancelled by the warehouse", { exact: true }).waitFor(FOLLOWED);
  // With two buttons in a row its lists are as full as they come.
  for (const path of [`/companies/${company}`, "/orders", "/today?whose=all"]) {
    await page.goto(path);
    for (const width of [1440, 1280, 1040, 960, 768, 360]) {
      await page.setViewportSize({ width, height: 800 });
      assert.deepEqual(await listTrouble(page), [], `${path} at ${width} px`);
    }
  }
  // The longest buttons and delays are Romanian.
  const romanian = await openPage(server, { as: member, locale: "ro-RO", width: 1440 });
  await romanian.goto(`/companies/${company}`);
  assert.deepEqual(await listTrouble(romanian), []);
  await romanian.setViewportSize({ width: 360, height: 800 });
  await romanian.goto("/orders");
  assert.deepEqual(await listTrouble(romanian), []);
  await page.goto(`/invoices/${id}`);
  await page.locator("#way").getByText("The warehouse cancelled the order").waitFor();
  await page.getByRole("button", { name: "Send again" }).click();
  await page.getByText("The order is being looked up, and is sent again if the warehouse does not have it.").waitFor();
  // The warehouse has it, cancelled as before.
  await page.locator("#way").getByText("Cancelled by the warehouse", { exact: true }).waitFor(FOLLOWED);
});
