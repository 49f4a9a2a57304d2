import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { signedIn } from "../../doors/pages/visitor.ts";
import { violationsOf } from "../../kit/browser/accessibility.ts";
import { openPage } from "../../kit/browser/browser.ts";
import { startWithWarehouse } from "../wms/warehouse.ts";

/** The place of the goods, and a cancelled invoice whose order goes on, fit each window and pass axe-core. */
const server = await startWithWarehouse();
const tenant = await server.createTenant();
const member = await signedIn(server, tenant);

const bare = await server.connect(tenant, "goods");
await tenant.put(`/api/v1/companies/${bare}`, { name: "Panificația Brașov SA", address: null, city: "Brașov" });
const firm = await server.connect(tenant, "goods-of-two");
for (const [label, address, city] of [
  ["Magazin Nord", "Strada Lungă 1", "Brașov"],
  ["Magazin Sud", "Strada Turnului 22", "Sibiu"],
])
  await tenant.post(`/api/v1/companies/${firm}/addresses`, {
    type: "delivery",
    label,
    address,
    city,
    contact_name: "Ion",
    phone: "+40 721 555 100",
    delivery_notes: "Ramp 3, call ahead",
  });
const lines = [{ description: "Pallet", quantity: "2", unit_price: "10.50" }];
const made = async (company: string, number: string) =>
  (await tenant.post(`/api/v1/companies/${company}/invoices`, { number, lines, total: "21" })).body.data.id as number;
const [unsent, sent] = [await made(bare, "BARE-1"), await made(firm, "SENT-1")];
await tenant.post(`/api/v1/invoices/${sent}/wms-order`);
await server.until(tenant, sent, ({ state }) => state === "sent");
const open = await made(firm, "OPEN-1");
await tenant.post(`/api/v1/invoices/${open}/wms-order`);
await server.until(tenant, open, ({ state }) => state === "sent");
await tenant.put(`/api/v1/invoices/${sent}`, { status: "cancelled" });

const pages = [
  [`/invoices/new?company=${firm}`, /Magazin Nord, Strada Lungă 1, Brașov/],
  [`/invoices/new?company=${bare}`, /“Brașov”|„Brașov”/],
  [`/invoices/${unsent}`, /SKU|cod de produs/],
  [`/invoices/${sent}`, /WO-\d+/],
  [`/invoices/${open}/cancel`, /there too|și la depozit/],
  ["/orders?state=attention", /still in the warehouse|încă în depozit/],
  ["/orders?missing=street", /BARE-1/],
  ["/orders", /class="point"/],
  ["/today?whose=all", /still in the warehouse|încă în depozit/],
] as const;
const MOST_BYTES = 25_600;
/** The reasons of orders in attention that are cut. */
const CUT = `[...document.querySelectorAll("#needs .reason, .why small.point, .reasons .why small, .reasons .why .state")]
  .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)
  .map((one) => one.textContent)`;

for (const language of ["en", "ro"] as const)
  for (const colorScheme of ["light", "dark"] as const)
    for (const width of [1440, 390])
      test(`pages of goods: ${language}, ${colorScheme}, ${width} px`, async () => {
        const page = await openPage(server, { as: member, colorScheme, width, locale: language });
        for (const [path, expected] of pages) {
          await page.goto(`${server.url}${path}`);
          const content = await page.content();
          assert.match(content, expected, path);
          assert.ok(gzipSync(content).length < MOST_BYTES, path);
          assert.deepEqual(await violationsOf(page), [], path);
          const isWide = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
          assert.equal(isWide, false, path);
          assert.deepEqual(await page.evaluate<string[]>(CUT), [], path);
          if (process.env.LIAISON_TEST_PICTURES !== undefined)
            await page.screenshot({
              path: `${process.env.LIAISON_TEST_PICTURES}/${language}-${colorScheme}-${width}-${path.replaceAll(/\W/g, "_")}.png`,
              fullPage: true,
            });
        }
        await page.close();
      });
