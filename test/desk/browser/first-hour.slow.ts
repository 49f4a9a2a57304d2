import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { createTenantWithAdmin } from "../../../src/people/operators/create-tenant.ts";
import { workbook } from "../../exchange/imports/workbooks.ts";
import { openPage } from "../../kit/browser/browser.ts";
import { administer } from "../../orders/wms/instance-calls.ts";
import { startWithWarehouse } from "../../orders/wms/warehouse.ts";

/** What somebody does from the invitation's link to the first shipped order. */
const MOST_ACTIONS = 15;
const COMPANIES = 500;

const server = await startWithWarehouse({ LIAISON_WMS_POLL: "1" });
/** The firm's own list, with the heads that a Romanian program writes. */
const list = workbook([
  {
    name: "Clienți",
    rows: [
      ["Denumire", "CUI", "Localitate", "Telefon", "Stare"],
      ...Array.from({ length: COMPANIES }, (_, at) => [
        `Panificația ${at} SRL`,
        `RO${18_000_000 + at}`,
        "Cluj-Napoca",
        `0264 555 ${String(at).padStart(3, "0")}`,
        "Activ",
      ]),
    ],
  },
]);

/** Counts clicks, files and keys that act; a typed value is none, but may be typed only once. */
function person(page: Page) {
  const [typed, done]: [Set<string>, string[]] = [new Set(), []];
  return {
    done,
    type: async (selector: string, value: string) => {
      assert.ok(!typed.has(value), `${value} is typed twice`);
      typed.add(value);
      await page.fill(selector, value);
    },
    press: async (key: string, why: string) => {
      done.push(why);
      await page.keyboard.press(key);
    },
    click: async (name: string | RegExp, role: "link" | "button" = "button") => {
      done.push(String(name));
      await page.getByRole(role, { name }).first().click();
    },
    choose: async (selector: string, file: Parameters<Page["setInputFiles"]>[1]) => {
      done.push("the file");
      await page.setInputFiles(selector, file);
    },
  };
}

test("a firm comes from its own workbook of 500 companies to a shipped order in 15 actions, and types nothing twice", async () => {
  const made = await createTenantWithAdmin(
    server.deps,
    { slug: "firma", name: "Firma SRL", country: "Romania", email: "ana@firma.example", by: "command" },
    null,
  );
  const page = await openPage(server, { width: 1440 });
  const { type, press, click, choose, done } = person(page);
  await page.goto(`/invitations/${made?.token}`);
  done.push("the invitation's link");
  await type("#name", "Ana Pop");
  await type("#password", "violet harbour 91");
  await press("Enter", "the account");

  await click("Import your companies", "link");
  await choose("input[type=file]", {
    name: "clienti.xlsx",
    mimeType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    buffer: list,
  });
  await click("Continue");
  const start = page.getByRole("button", { name: `Import ${COMPANIES} companies` });
  const check = page.locator("form button.main").first();
  await start.or(check).waitFor();
  if (!(await start.isVisible())) await click(/^Check/);
  await start.waitFor();
  await click(`Import ${COMPANIES} companies`);
  await page.getByText(`${COMPANIES} created`).waitFor();

  await click("Today", "link");
  await click("Connect your warehouse", "link");
  await type("#wms_subdomain", "north");
  await type("#wms_api_key", "key-of-the-warehouse");
  await press("Enter", "the connection");
  await page.getByText("The connection is saved.").waitFor();

  await click("Today", "link");
  await click("Send the first order", "link");
  await page.waitForURL("/invoices/new");
  await page.locator("#search:focus").waitFor();
  await type("#search", "panificatia 42 ");
  await page.locator("#companies a").first().waitFor();
  await press("Enter", "its company");
  await page.waitForURL(/company=\d+/);
  await type("#number", "F-0001");
  await type("[name='lines.0.description']", "Flour, type 650");
  await type("[name='lines.0.quantity']", "40");
  await type("[name='lines.0.unit_price']", "64");
  await press("Control+Shift+Enter", "create and send");
  const state = (word: string) => page.locator("#way .state", { hasText: word });
  await state("New").waitFor();
  const [order] = await server.orders("north");
  await administer(server.simulator, "PUT", `/orders/north/${order?.order_id}`, { status: "shipped" });
  await state("Shipped").waitFor();
  assert.ok(done.length <= MOST_ACTIONS, `${done.length} actions: ${done.join(", ")}`);
});
