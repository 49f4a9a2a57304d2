import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { violationsOf } from "../../kit/browser/accessibility.ts";
import { openPage } from "../../kit/browser/browser.ts";
import { administer } from "../../orders/wms/instance-calls.ts";
import { startWithWarehouse } from "../../orders/wms/warehouse.ts";

const server = await startWithWarehouse({ LIAISON_WMS_POLL: "1" });

/** A connected company with a contact, and an order that its warehouse has moved on since. */
async function someFirm(instance: string) {
  const tenant = await server.createTenant();
  const company = await server.connect(tenant, instance);
  await tenant.post(`/api/v1/companies/${company}/contacts`, { first_name: "Ioana", last_name: "Popescu" });
  const { id } = (await tenant.post(`/api/v1/companies/${company}/invoices`, { number: "TOLD-1" })).body.data;
  await tenant.post(`/api/v1/invoices/${id}/wms-order`);
  const { order_id: order } = await server.until(tenant, id, ({ state }) => state === "sent");
  for (const status of ["picking", "shipped"]) {
    await administer(server.simulator, "PUT", `/orders/${instance}/${order}`, { status });
    await server.until(tenant, id, ({ status: now }) => now === status);
  }
  return { tenant, company, member: await signedIn(server, tenant) };
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "with" : "without";
  test(`what happened at a company: a note, a call with somebody, and when to call again, ${how} JavaScript`, async () => {
    const { tenant, company, member } = await someFirm(javaScriptEnabled ? "north" : "south");
    const page = await openPage(server, { as: member, javaScriptEnabled });
    await page.goto(`/companies/${company}`);
    const happened = page.locator("#happened");
    const events = happened.locator(".events > li");

    // What the warehouse told is one line, which opens.
    const folded = happened.locator(".folded", { hasText: "Shipped: TOLD-1" });
    assert.equal(await folded.count(), 1);
    const change = folded.getByText("went from Picking to Shipped");
    assert.ok(await change.isHidden());
    await folded.getByText(/^Shipped: TOLD-1 · \d+ changes$/).click();
    await change.waitFor();

    if (javaScriptEnabled) {
      await page.keyboard.press("l");
      await page.keyboard.type("Wants two pallets more");
      await page.keyboard.press("Control+Enter");
    } else {
      await page.locator("#note").fill("Wants two pallets more");
      await page.getByRole("button", { name: "Add", exact: true }).click();
    }
    await page.getByText("Logged.").waitFor();
    await events.first().getByText("Wants two pallets more").waitFor();
    assert.match(await events.first().innerText(), /Ana Pop wrote a note/);

    await page.locator("#note").fill("Asked for a price");
    await page.locator(".kinds").getByText("Call out", { exact: true }).click();
    await page.getByLabel("With").selectOption({ label: "Ioana Popescu" });
    await page.getByLabel("Call back on").fill("2030-01-15");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    const call = events.filter({ hasText: "Asked for a price" });
    assert.match(await call.innerText(), /Ana Pop called Ioana Popescu/);
    await page.locator("#fact-callback_date").getByText("15 Jan 2030").waitFor();
    assert.equal((await tenant.get(`/api/v1/companies/${company}`)).body.data.callback_date, "2030-01-15");
    assert.equal(await page.locator("#note").inputValue(), "");
    if (javaScriptEnabled) assert.deepEqual(await violationsOf(page), []);
  });
}
