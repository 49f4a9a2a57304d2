import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { openPage } from "../../kit/browser/browser.ts";

/** How many clicks and keys it takes to change or export many rows, and the key that sends an order. */
const server = await startServer();
const tenant = await server.createTenant();
const member = await signedIn(server, tenant, { name: "Ana Pop" });
await tenant.createUser("Zoe Ene");
await server.sql(
  "insert into companies (tenant_id, name, country) select $1, 'C' || lpad(g::text, 3, '0'), 'Romania' from generate_series(1, 60) g",
  [tenant.id],
);
const company = (await tenant.post("/api/v1/companies", { name: "Acme" })).body.data.id;
await server.sql("update companies set wms_subdomain = 'north', wms_api_key = 'key' where id = $1", [company]);
await server.sql(
  `insert into invoices (tenant_id, company_id, number, status, total, currency, issued_on)
   select $1, $2, 'F-' || lpad(g::text, 4, '0'), 'issued', g + 0.1, case when g = 2 then 'EUR' else 'RON' end, '2026-11-01'
   from generate_series(1, 479) g`,
  [tenant.id, company],
);

/** Counts what a person does. */
function counted(page: Page) {
  const done = { clicks: 0, keys: 0 };
  return {
    done,
    click: async (...[selector, options]: Parameters<Page["click"]>) => {
      done.clicks += 1;
      await page.click(selector, options);
    },
    press: async (key: string) => {
      done.keys += 1;
      await page.keyboard.press(key);
    },
  };
}

const statesOf = async (number: string) => {
  const [row] = await server.sql("select wms_state as state from invoices where tenant_id = $1 and number = $2", [
    tenant.id,
    number,
  ]);
  return row?.state;
};

test("the owner of 20 companies is changed with 2 clicks and 2 keys", async () => {
  const page = await openPage(server, { as: member, width: 1440 });
  await page.goto("/companies?search=C0&per_page=20");
  const { done, click, press } = counted(page);
  await click("[data-select-all]");
  await press("a");
  await press("End");
  await click(".bulk button[formaction='/companies/bulk']");
  await page.getByText("20 companies were changed.").waitFor();
  assert.deepEqual(done, { clicks: 2, keys: 2 });
  const [row] = await server.sql(
    "select count(*)::int as n from companies c join users u on u.tenant_id = c.tenant_id and u.id = c.assigned_to where c.tenant_id = $1 and u.name = 'Zoe Ene'",
    [tenant.id],
  );
  assert.equal(row?.n, 20);
});

test("479 orders are selected and exported with 3 clicks", async () => {
  const page = await openPage(server, { as: member, width: 1440 });
  await page.goto("/orders");
  const { done, click } = counted(page);
  await click("[data-select-all]");
  await click(".bulk .all");
  const download = page.waitForEvent("download");
  await click(".bulk button[formaction='/orders/export']");
  const text = await readFile(await (await download).path(), "utf8");
  assert.deepEqual(done, { clicks: 3, keys: 0 });
  assert.equal(text.match(/\bF-\d{4}\b/g)?.length, 479);
});

test("the bar shows the sums of the selected totals by currency, exactly, in the language of the page", async () => {
  for (const [locale, sums] of [
    ["en", " · 4.20 RON · 2.10 EUR"],
    ["ro", " · 4,20 RON · 2,10 EUR"],
  ] as const) {
    const page = await openPage(server, { as: member, width: 1440, locale });
    await page.goto("/orders?sort=number");
    const box = page.locator("tbody .check input");
    for (const row of [0, 1, 2]) await box.nth(row).click();
    const shown = page.locator("span[data-sums]");
    assert.equal(await shown.textContent(), sums);
    await page.locator("[data-select-all]").click();
    const ofAll = await page.locator(".bulk .all input").getAttribute("data-sums");
    await page.locator(".bulk .all").click();
    assert.match(String(ofAll), /^ · [\d.,]+ RON · [\d.,]+ EUR$/);
    assert.equal(await shown.textContent(), ofAll);
  }
});

test("s sends the order of the row with the focus, on Orders, on Today and on the invoice's page, and no other", async () => {
  const page = await openPage(server, { as: member, width: 1440 });
  await page.goto("/orders?sort=number");
  await page.keyboard.press("s");
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("s");
  await page.getByText("Sending 1 invoice to the warehouse.").waitFor();
  assert.notEqual(await statesOf("F-0002"), "not_sent");
  assert.equal(await statesOf("F-0001"), "not_sent");

  await page.goto("/today?whose=all");
  await page.locator("#unsent .what a").first().focus();
  const first = (await page.locator("#unsent .what a").first().textContent()) ?? "";
  await Promise.all([page.waitForNavigation(), page.keyboard.press("s")]);
  assert.notEqual(await statesOf(first), "not_sent");

  await page.goto("/orders?sort=number");
  await page.getByRole("link", { name: "F-0001" }).click();
  await page.waitForURL(/\/invoices\/\d+$/);
  await Promise.all([page.waitForNavigation(), page.keyboard.press("s")]);
  assert.notEqual(await statesOf("F-0001"), "not_sent");
});

test("s opens the days to put off an order that may not be sent", async () => {
  await server.sql(
    `update invoices set wms_state = 'not_sent', wms_order_id = 9, wms_order_number = 'WO-9', wms_instance = 'north.localhost', wms_status = 'packed',
       wms_is_final = false, wms_synced_at = now(), wms_moved_at = now() - interval '9 days' where tenant_id = $1 and number = 'F-0400'`,
    [tenant.id],
  );
  const page = await openPage(server, { as: member, width: 1440 });
  for (const path of ["/orders?search=F-0400", "/today?whose=all"]) {
    await page.goto(path);
    const link = page.getByRole("link", { name: "F-0400", exact: true }).first();
    await link.focus();
    await page.keyboard.press("s");
    await page.getByRole("button", { name: "Put off until tomorrow" }).waitFor();
  }
  await page.goto("/orders?search=F-0400");
  await page.getByRole("link", { name: "F-0400", exact: true }).click();
  await page.waitForURL(/\/invoices\/\d+$/);
  await page.keyboard.press("s");
  await page.getByRole("button", { name: "Put off until tomorrow" }).waitFor();
});
