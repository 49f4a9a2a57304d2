import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { openPage } from "../../kit/browser/browser.ts";
import { listTrouble } from "../../kit/browser/list-trouble.ts";

/** How the list of orders looks, and that its menus work with and without JavaScript. */
const server = await startServer();
const tenant = await server.createTenant();
const member = await signedIn(server, tenant);
const company = (await tenant.post("/api/v1/companies", { name: "Panificația Brașov SA" })).body.data.id;
await server.sql("update companies set wms_subdomain = 'north', wms_api_key = 'key' where id = $1", [company]);
const today = Temporal.Now.plainDateISO("Europe/Bucharest");
for (const [number, issued, state] of [
  ["ORD-1", today.toString(), "wms_state = 'not_sent'"],
  [
    "ORD-2",
    "2019-04-16",
    `wms_state = 'failed', wms_error = '{"code":"refused","words":"SKU FLR-650 is not stocked here."}'`,
  ],
] as const) {
  const fields = { number, issued_on: issued, due_on: "2099-12-31", total: "1890.00", currency: "RON" };
  const { id } = (await tenant.post(`/api/v1/companies/${company}/invoices`, fields)).body.data;
  await server.sql(`update invoices set ${state} where id = $1`, [id]);
}

const boxOf = async (locator: {
  boundingBox: () => Promise<{ x: number; y: number; width: number; height: number } | null>;
}) => {
  const box = await locator.boundingBox();
  assert.ok(box);
  return box;
};

test("a row has 36 pixels, and that of an order in need its whole reason", async () => {
  const page = await openPage(server, { as: member, width: 1440 });
  await page.goto("/orders?sort=number");
  const heights = await page.evaluate<number[]>(
    "[...document.querySelectorAll('.list.orders tbody tr')].map((row) => Math.round(row.getBoundingClientRect().height))",
  );
  assert.equal(heights[0], 36);
  assert.equal((await boxOf(page.locator("tr", { hasText: "ORD-2" }).locator("small"))).height, 32);
});

test("the days by which a payment is late are one line, beside long reasons and actions too", async () => {
  const name = "Construcții Metalice și Industriale Maramureș SRL";
  const { id } = (await tenant.post("/api/v1/companies", { name })).body.data;
  const due = today.subtract({ days: 81 }).toString();
  const fields = {
    number: "LONG-2026-00300",
    issued_on: "2019-04-16",
    due_on: due,
    total: "128190.00",
    status: "issued",
  };
  const late = (await tenant.post(`/api/v1/companies/${id}/invoices`, fields)).body.data.id;
  await server.sql(
    "update invoices set wms_state = 'sent', wms_order_id = 7, wms_order_number = 'WO-7', wms_status = 'cancelled', wms_instance = 'north.localhost' where id = $1",
    [late],
  );
  for (const locale of ["en", "ro"]) {
    const page = await openPage(server, { as: member, width: 1440, locale });
    await page.goto("/orders?state=attention");
    const days = page.locator("tr", { hasText: "LONG-2026-00300" }).locator("td .late");
    assert.match((await days.textContent()) ?? "", /^81 /);
    assert.ok((await boxOf(days)).height < 26, locale);
    assert.deepEqual(await listTrouble(page), []);
    await page.close();
  }
});

test("on a telephone an item has number and state, company and total, reason, button; tabs scroll within themselves", async () => {
  const page = await openPage(server, { as: member, width: 390 });
  await page.goto("/orders?state=refused");
  const row = page.locator("tr", { hasText: "ORD-2" });
  const [number, state, name, total, reason, button] = await Promise.all(
    ["td.name", ".state", "td.wide", "td.number", "small", "td.action > button"].map(
      async (selector) => await boxOf(row.locator(selector)),
    ),
  );
  assert.ok(number && state && name && total && reason && button);
  const middle = ({ y, height }: { y: number; height: number }) => y + height / 2;
  assert.ok(Math.abs(middle(number) - middle(state)) < 4, "number and state");
  assert.ok(Math.abs(middle(name) - middle(total)) < 4, "company and total");
  assert.ok(middle(number) < middle(name) && middle(name) < middle(reason));
  // The button stands beside the reason, at the end of the item.
  assert.ok(button.y >= total.y + total.height - 1 && button.x >= reason.x + reason.width);
  const actions = await boxOf(row.locator("td.action"));
  assert.ok(button.height >= 44 && Math.abs(actions.x + actions.width - total.x - total.width) < 2);
  const item = await boxOf(row);
  assert.ok(item.height <= 112, `the item is ${item.height} px high`);
  const [outer, inner] = await page.evaluate<[number, number]>(
    "(() => { const tabs = document.querySelector('.order-tabs nav'); return [document.documentElement.scrollWidth, tabs.scrollWidth - tabs.clientWidth]; })()",
  );
  assert.equal(outer, 390);
  assert.ok(inner > 0, "the tabs have more room than they need");
  const file = page.getByRole("link", { name: "Export", exact: true });
  assert.equal(await file.count(), 0);
  await page.locator(".order-tabs").getByRole("button", { name: "More" }).click();
  await file.waitFor();
});

for (const javaScriptEnabled of [true, false]) {
  test(`the menu of dates narrows the list, and a chip removes that, ${javaScriptEnabled ? "while one chooses" : "without JavaScript"}`, async () => {
    const page = await openPage(server, { as: member, javaScriptEnabled, width: 1440 });
    await page.goto("/orders");
    await page.locator("summary", { hasText: "Dates" }).click();
    await page.getByLabel("This month").check();
    if (!javaScriptEnabled) await page.getByRole("button", { name: "Filter" }).click();
    await page.getByRole("link", { name: "Issued: This month" }).waitFor();
    assert.equal(await page.getByRole("link", { name: "ORD-2" }).count(), 0);
    await page.getByRole("link", { name: "ORD-1" }).waitFor();
    await page.getByRole("link", { name: "Issued: This month" }).click();
    await page.getByRole("link", { name: "ORD-2" }).waitFor();

    await page.locator("summary", { hasText: "Dates" }).click();
    assert.ok(await page.getByLabel("From", { exact: true }).isHidden());
    await page.getByLabel("From … to").check();
    await page.getByLabel("To", { exact: true }).fill("2020-01-01");
    if (!javaScriptEnabled) await page.getByRole("button", { name: "Filter" }).click();
    await page.getByRole("link", { name: "Issued: until 1 Jan 2020" }).waitFor();
    assert.equal(await page.getByRole("link", { name: "ORD-1" }).count(), 0);
    await page.getByRole("link", { name: "ORD-2" }).waitFor();
  });
}
