import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { signedIn } from "../../doors/pages/visitor.ts";
import { violationsOf } from "../../kit/browser/accessibility.ts";
import { openPage } from "../../kit/browser/browser.ts";
import { signIn } from "../../kit/browser/sign-in.ts";
import { administer } from "../../orders/wms/instance-calls.ts";
import { startWithWarehouse } from "../../orders/wms/warehouse.ts";
import { poll } from "../../program.ts";

/**
 * Pages look at an order every ten seconds; this is longer than that, the worker's second and a slow machine take
 * together.
 */
const FOLLOWED = { timeout: 45_000 };
const DAY_MS = 86_400_000;

const server = await startWithWarehouse({ LIAISON_WMS_POLL: "1" });
const day = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

/** A member with two companies to call, an order that the warehouse has lost, and an invoice that was not sent. */
async function morning(instance: string) {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const company = await server.connect(tenant, instance);
  const [called, postponed] = ["Acme", "Beta"].map(async (name) => {
    const values = { name, phone: "+40 264 555 010", assigned_to: member.userId, callback_date: day(-3) };
    return String((await tenant.post("/api/v1/companies", values)).body.data.id);
  });
  const [lost, unsent] = await Promise.all(
    ["DAY-1", "DAY-2"].map(async (number) => {
      const { body } = await tenant.post(`/api/v1/companies/${company}/invoices`, { number, total: "10.00" });
      return body.data.id as number;
    }),
  );
  await tenant.put(`/api/v1/companies/${company}`, { name: "Connected", assigned_to: member.userId });
  await tenant.post(`/api/v1/invoices/${lost}/wms-order`);
  const { order_id: order } = await server.until(tenant, lost ?? 0, ({ state }) => state === "sent");
  await administer(server.simulator, "PUT", `/orders/${instance}/${order}`, { vanished: true });
  const isGone = async () => (await member.get("/today")).text.includes("Missing in the warehouse");
  await poll("the order's loss", isGone);
  return { tenant, member, called: (await called) ?? "", postponed: (await postponed) ?? "", unsent: unsent ?? 0 };
}

/** Waits for a word of a row; without JavaScript somebody looks again. */
async function see(page: Page, row: string, word: string, looksAgain: boolean): Promise<void> {
  const seen = page.locator("main", { hasText: row }).getByText(word, { exact: true }).first();
  if (!looksAgain) return await seen.waitFor(FOLLOWED);
  await poll(`${row}: ${word}`, async () => (await seen.isVisible()) || (await page.reload(), await seen.isVisible()));
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "with" : "without";
  test(`a day from today: call, put an order right, send an invoice and follow it, ${how} JavaScript`, async () => {
    const instance = javaScriptEnabled ? "north" : "south";
    const { tenant, member, called, postponed, unsent } = await morning(instance);
    const dateOf = async (id: string) => (await tenant.get(`/api/v1/companies/${id}`)).body.data.callback_date;
    const page = await openPage(server, { javaScriptEnabled });

    await page.goto("/");
    await signIn(page, tenant.slug, member.email);
    await page.waitForURL("/today");
    await page.locator("h2", { hasText: "Call 2" }).waitFor();
    if (javaScriptEnabled) assert.deepEqual(await violationsOf(page), []);
    const row = (name: string) => page.locator(".things li", { hasText: name });
    await row("Acme").locator("summary", { hasText: "Called" }).click();
    if (javaScriptEnabled) assert.deepEqual(await violationsOf(page), []);
    await row("Acme").getByRole("textbox").first().fill("Wants two pallets more.");
    await row("Acme").getByRole("button", { name: "Save the call" }).click();
    await page.getByText("The call with Acme is saved.").waitFor();
    await row("Beta").locator("summary", { hasText: "More" }).click();
    await page.getByRole("button", { name: "Next week Beta" }).click();
    await page.getByText(/^Beta: on /).waitFor();
    assert.equal(await page.locator("#calls").count(), 0);
    assert.equal(await dateOf(called), null);
    assert.ok([day(6), day(7), day(8)].includes(await dateOf(postponed)));

    // An invoice's own page has a frame around the reason; a row has none.
    if (javaScriptEnabled) {
      const style = 'getComputedStyle(document.querySelector("#needs .reason"))';
      assert.equal(await page.evaluate(`${style}.borderInlineStartWidth`), "0px");
    }
    await page.getByRole("button", { name: "Accept as is DAY-1" }).click();
    await page.getByText("Accepted as it is, until the order moves again.").waitFor();
    assert.equal(await page.locator("#needs").count(), 0);

    await page.getByRole("button", { name: "Send DAY-2" }).click();
    await page.getByText("Sending 1 invoice to the warehouse.").waitFor();
    await page.getByText("All done for today.").waitFor();
    await page.goto(`/invoices/${unsent}`);
    await see(page, "DAY-2", "New", !javaScriptEnabled);
    const { order_id: order } = await server.until(tenant, unsent, ({ state }) => state === "sent");
    await administer(server.simulator, "PUT", `/orders/${instance}/${order}`, { status: "picking" });
    await see(page, "DAY-2", "Picking", !javaScriptEnabled);

    await page.goto("/today");
    await page.locator(".opened").getByRole("link", { name: "DAY-2" }).click();
    await page.getByRole("heading", { level: 1, name: "DAY-2" }).waitFor();
  });
}

test("Today by keyboard: j and k go through all rows, Enter opens one, d does its first action", async () => {
  const { member } = await morning("keys");
  const page = await openPage(server, { as: member });
  await page.goto("/today");
  const at = async (name: string) => await page.locator(".what a:focus", { hasText: name }).waitFor();
  for (const [key, name] of [
    ["j", "Acme"],
    ["j", "Beta"],
    ["j", "DAY-1"],
    ["j", "DAY-2"],
    ["j", "DAY-2"],
    ["k", "DAY-1"],
    ["k", "Beta"],
    ["k", "Acme"],
  ] as const) {
    await page.keyboard.press(key);
    await at(name);
  }
  await page.keyboard.press("d");
  await page.locator(".things li", { hasText: "Acme" }).getByRole("textbox").first().waitFor();
  await page.keyboard.press("Escape");
  await page.goto("/today");
  for (const name of ["Acme", "Beta", "DAY-1", "DAY-2"]) {
    await page.keyboard.press("j");
    await at(name);
  }
  await page.keyboard.press("d");
  await page.getByText("Sending 1 invoice to the warehouse.").waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Acme" }).waitFor();
  await page.keyboard.press("?");
  await page.locator("dialog[open]").getByText("Do the row’s first action").waitFor();
});

test("a call is saved by Ctrl Enter in its row; a typed note is there again after another row's button", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  const due = Temporal.Now.plainDateISO().subtract({ days: 12 }).toString();
  const values = { callback_date: due, assigned_to: member.userId };
  await tenant.post("/api/v1/companies", { name: "Called SRL", ...values });
  await tenant.post("/api/v1/companies", { name: "Other SRL", ...values });
  const page = await openPage(server, { as: member });
  await page.goto("/today?whose=mine");
  const row = page.locator(".things li", { hasText: "Called SRL" });
  const note = row.locator("textarea");
  await row.locator(".log > summary").click();
  await note.fill("Asked for the price list");
  await page.getByRole("button", { name: "No answer Other SRL" }).click();
  await page.getByText("Other SRL: on").waitFor();
  assert.equal(await note.inputValue(), "Asked for the price list");
  await note.press("Control+Enter");
  await page.getByText("The call with Called SRL is saved.").waitFor();
});
