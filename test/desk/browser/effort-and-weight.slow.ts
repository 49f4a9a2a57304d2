import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { createDemo } from "../../../src/operation/demo/create-demo.ts";
import { signedIn, visitor } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { violationsOf } from "../../kit/browser/accessibility.ts";
import { openPage } from "../../kit/browser/browser.ts";
import { poll } from "../../program.ts";

/** Bytes of a page with its files, below the 25,600 that every page promises: a page of more rows has the rest. */
const MOST = 25_100;

/** The clicks, keys, bytes and movements of the pages that people use all day. */
const server = await startServer();
const tenant = await server.createTenant();
const member = await signedIn(server, tenant, { name: "Ana Pop" });
const day = (days: number) => Temporal.Now.plainDateISO().add({ days }).toString();
const values = {
  name: "Băcănia Transilvană SRL",
  tax_id: "RO123",
  phone: "+40 264 555 010",
  email: "comenzi@bacania.example",
  city: "Cluj-Napoca",
  assigned_to: member.userId,
  callback_date: day(-3),
};
const { id } = (await tenant.post("/api/v1/companies", values)).body.data;
for (const first_name of ["Ioana", "Ștefan"]) {
  await tenant.post(`/api/v1/companies/${id}/contacts`, { first_name, last_name: "Lupu", phone: "+40 722 555 012" });
}
const line = { sku: "FLR-650", description: "Flour, type 650, 25 kg", quantity: "40", unit_price: "64.00" };
for (const [number, status] of [
  ["INV-0001", "paid"],
  ["INV-0002", "issued"],
]) {
  const dates = { issued_on: day(-40), due_on: day(-10) };
  const invoice = { number, status, ...dates, currency: "RON", total: "2560.00", lines: [line] };
  await tenant.post(`/api/v1/companies/${id}/invoices`, invoice);
}
await member.post(`/companies/${id}/activities`, { kind: "call", note: "Wants two pallets more." });

test("an invoice of five lines takes two clicks from its company, and the keys of its text", async () => {
  const page = await openPage(server, { as: member, width: 1440 });
  await page.goto(`/companies/${id}`);
  await page.locator("#invoices header").getByRole("link", { name: "Add" }).click();
  await page.locator("#number:focus").waitFor();
  // The field has the focus before the page's script is there.
  await page.waitForLoadState();
  await page.keyboard.press("Enter");
  for (let at = 0; at < 5; at++) {
    await page.locator(`[id="lines.${at}.sku"]:focus`).waitFor();
    for (const [index, text] of ["", `Line ${at}`, "2", "", "10"].entries()) {
      if (index > 0) await page.keyboard.press("Tab");
      await page.keyboard.type(text);
    }
    if (at < 4) await page.keyboard.press("Enter");
  }
  await page.getByRole("button", { name: "Create", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "INV-0003" }).waitFor();
  await page.locator(".sum", { hasText: "100.00 RON" }).waitFor();
});

test("a call with a call-back takes one key, its text, and Ctrl Enter", async () => {
  const page = await openPage(server, { as: member, width: 1440 });
  await page.goto(`/companies/${id}`);
  await page.keyboard.press("b");
  await page.keyboard.type("Asked for the price list");
  await page.keyboard.press("Control+Enter");
  await page.locator("#happened").getByText("Asked for the price list").waitFor();
  const [row] = await server.sql(
    `select a.kind, c.callback_date > current_date as later, extract(isodow from c.callback_date)::int as weekday
    from activities a join companies c on c.tenant_id = a.tenant_id and c.id = a.company_id
    where a.tenant_id = $1 and a.company_id = $2 and a.note = 'Asked for the price list'`,
    [tenant.id, id],
  );
  assert.deepEqual([row?.kind, row?.later], ["call", true]);
  assert.ok(Number(row?.weekday) <= 5);
  await page.close();
});

test("people and invoices are within the first screen of 1440 x 900", async () => {
  const page = await openPage(server, { as: member, width: 1440 });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`/companies/${id}`);
  for (const part of ["#contacts", "#invoices"]) {
    const box = await page.locator(part).boundingBox();
    assert.ok(box !== null && box.y + box.height <= 900, `${part} ends at ${box && box.y + box.height}`);
  }
});

/** Somebody of the demo, whose rows are as long as those of a firm. */
const shop = await startServer();
const demo = await createDemo(shop.deps);
const andreea = visitor(shop);
await andreea.post("/sign-in", { workspace: "demo", email: demo?.email ?? "", password: demo?.password ?? "" });
const [{ oldest, largest }] = (await shop.sql(
  `select to_char(min(issued_on), 'YYYY-MM-DD') as oldest,
    (select company_id from invoices group by company_id order by count(*) desc limit 1) as largest from invoices`,
)) as [{ oldest: string; largest: string }];

for (const { path, as = member, at = server } of [
  { path: "/today?whose=all" },
  { path: `/companies/${id}` },
  { path: "/invoices/1" },
  { path: `/invoices/new?company=${id}` },
  { path: "/invoices/2/copy" },
  { path: "/companies/new" },
  ...[
    "/today?whose=all",
    "/orders",
    `/orders?from=${oldest}&to=${day(0)}&currency=RON`,
    "/orders?state=attention",
    "/orders?state=under_way",
    "/orders?state=unpaid",
    "/companies",
    "/companies/1?activity=changes",
    "/companies/2?activity=all",
    `/companies/${largest}/invoices`,
    "/contacts",
    "/contacts/1",
    "/invoices/1",
    "/money",
    "/sales",
    "/history",
  ].map((path) => ({ path, as: andreea, at: shop })),
]) {
  for (const locale of ["en-GB", ...(at === shop ? ["ro-RO"] : [])]) {
    const address = path.replaceAll(/\d+/g, "N");
    test(`${locale} ${address}: at most ${MOST} bytes, nothing moves, and nobody is kept out, in light and dark`, async () => {
      for (const { width, colorScheme } of [
        { width: 1440, colorScheme: "light" },
        { width: 390, colorScheme: "dark" },
      ] as const) {
        const page = await openPage(at, { as, width, locale, colorScheme });
        const network = await page.context().newCDPSession(page);
        await network.send("Network.enable");
        let bytes = 0;
        network.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength));
        assert.equal(await shiftByScripts(page, path), 0, `${width} px`);
        assert.ok(bytes > 0 && bytes <= MOST, `${bytes} bytes at ${width} px`);
        assert.deepEqual(await violationsOf(page), []);
        await page.close();
      }
    });
  }
}

/**
 * Opens a page and gives the layout shift from when its HTML was laid out until its scripts have run. What a browser
 * lays out before all HTML has come depends on how busy the machine is, so the scripts wait for the layout.
 */
async function shiftByScripts(page: Page, path: string): Promise<number> {
  const laidOut = Promise.withResolvers<undefined>();
  await page.route(/\.js$/, async (route) => {
    await laidOut.promise;
    await route.continue();
  });
  await page.goto(path, { waitUntil: "commit" });
  // Not by waitForFunction: the policy refuses it as soon as it has to look twice.
  await poll("the HTML", async () => await page.evaluate<boolean>(`document.readyState !== "loading"`));
  await page.evaluate(`${TWO_FRAMES}.then(() => {
    globalThis.shifts = 0;
    new PerformanceObserver((list) => { for (const { value } of list.getEntries()) globalThis.shifts += value; })
      .observe({ type: "layout-shift" });
  })`);
  laidOut.resolve(undefined);
  await page.waitForLoadState("load");
  return await page.evaluate<number>(`${TWO_FRAMES}.then(() => globalThis.shifts)`);
}

const TWO_FRAMES = "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))";
