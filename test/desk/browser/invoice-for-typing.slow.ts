import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { PASSWORD, signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { violationsOf } from "../../kit/browser/accessibility.ts";
import { heldBack, openPage } from "../../kit/browser/browser.ts";

/** The form of a new invoice, made for typing. */
const server = await startServer({ LIAISON_WMS_URL: "https://{subdomain}.wms.example/api/v1" });
const tenant = await server.createTenant();
const member = await signedIn(server, tenant);
const { id } = (await tenant.post("/api/v1/companies", { name: "Panificația Brașov" })).body.data;
await server.sql("update companies set wms_subdomain = 'north', wms_api_key = 'key' where id = $1", [id]);
const lines = [
  { sku: "P-80", description: "Pallet", quantity: "2", unit_price: "6.25" },
  { sku: "F-1", description: "Film", quantity: "1", unit_price: "1.234" },
];
await tenant.post(`/api/v1/companies/${id}/invoices`, { number: "T-1", lines });

const cell = (page: Page, line: number, name: string) => page.locator(`[name="lines.${line}.${name}"]`);
const paste = async (page: Page, text: string) =>
  await page.evaluate(
    `(() => {
      const data = new DataTransfer();
      data.setData("text", ${JSON.stringify(text)});
      document.activeElement.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    })()`,
  );

test("from any page: i, the company while typing, a line by its SKU, Ctrl Shift Enter creates and sends", async () => {
  const page = await openPage(server, { as: member });
  // The earlier lines arrive after the SKU is typed.
  const release = await heldBack(page, "**/invoices/earlier-lines");
  await page.goto("/contacts");
  await page.keyboard.press("i");
  await page.locator("#search:focus").waitFor();
  assert.deepEqual(await violationsOf(page), []);
  await page.keyboard.type("brasov");
  await page.keyboard.press("Enter");
  await page.locator("#number:focus").waitFor();
  await page.waitForLoadState();
  assert.equal(await page.locator("#number").inputValue(), "T-2");
  await page.keyboard.press("Enter");
  await page.locator('[id="lines.0.sku"]:focus').waitFor();
  const remark = page.locator("[data-no-sku]");
  await cell(page, 0, "description").fill("Pallet");
  await remark.filter({ hasText: "Lines without a SKU: 1.", visible: true }).waitFor();
  await cell(page, 0, "description").fill("");
  assert.ok(await remark.isHidden());
  await cell(page, 0, "sku").focus();
  await page.keyboard.type("P-80");
  release();
  await page.locator("#skus option[value=F-1]").waitFor({ state: "attached" });
  assert.equal(await cell(page, 0, "description").inputValue(), "Pallet");
  assert.equal(await cell(page, 0, "unit_price").inputValue(), "6.25");
  // Another SKU takes its place; what somebody typed stays.
  await cell(page, 0, "sku").fill("F-1");
  assert.equal(await cell(page, 0, "description").inputValue(), "Film");
  await cell(page, 0, "description").fill("Film, thick");
  await cell(page, 0, "sku").fill("P-80");
  assert.equal(await cell(page, 0, "description").inputValue(), "Film, thick");
  await cell(page, 0, "quantity").fill("4");
  await page.locator("[data-sum]", { hasText: "25.00" }).waitFor();
  assert.equal(await page.locator("[data-count]").textContent(), "1");
  assert.deepEqual(await violationsOf(page), []);
  await page.keyboard.press("Control+Shift+Enter");
  await page.getByRole("heading", { level: 1, name: "T-2" }).waitFor();
  await page.locator("#way .state", { hasText: "In the queue" }).waitFor();
});

test("e opens the form to edit, where Ctrl Enter saves", async () => {
  const invoice = (await tenant.post(`/api/v1/companies/${id}/invoices`, { number: "EDIT-1", lines })).body.data;
  const page = await openPage(server, { as: member });
  await page.goto(`/invoices/${invoice.id}`);
  assert.deepEqual(await violationsOf(page), []);
  await page.keyboard.press("e");
  await page.locator("#number:focus").waitFor();
  await cell(page, 1, "quantity").fill("3");
  assert.deepEqual(await violationsOf(page), []);
  await page.keyboard.press("Control+Enter");
  await page.locator(".sum", { hasText: "16.20" }).waitFor();
});

test("cells pasted from a spreadsheet become lines, and what does not fit is said", async () => {
  const page = await openPage(server, { as: member });
  await page.goto(`/invoices/new?company=${id}`);
  await cell(page, 0, "sku").focus();
  await paste(
    page,
    'P-80\tPallet\t2\t6.25\r\nF-1\t"Film, ""thin""\nand long"\t1\t1,234.50\r\nX\tCarriage\t1\t3\r\nY\tThanks\t1\t0\r\n',
  );
  assert.equal(await cell(page, 1, "description").inputValue(), 'Film, "thin" and long');
  assert.equal(await cell(page, 3, "sku").inputValue(), "Y");
  await page.locator("[data-sum]", { hasText: "1,250.00" }).waitFor();
  assert.equal(await page.locator("[data-count]").textContent(), "4");
  // From a later column on; one cell is a text like any other, which the browser pastes.
  await cell(page, 1, "quantity").focus();
  await paste(page, "5\t2\n6\t3\n");
  assert.deepEqual(
    [await cell(page, 1, "quantity").inputValue(), await cell(page, 2, "unit_price").inputValue()],
    ["5", "3"],
  );
  assert.equal(await cell(page, 2, "sku").inputValue(), "X");
  await cell(page, 0, "sku").focus();
  await paste(page, "S\tMany\t1\t1\n".repeat(250));
  await page.getByText("A form has 200 lines at most. The others were left out.").waitFor();
  assert.equal(await page.locator("[data-count]").textContent(), "200");
  await page.locator("[data-sum]", { hasText: "200.00" }).waitFor();
  await page.locator("#number").fill("PASTED");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("heading", { level: 1, name: "PASTED" }).waitFor();
  assert.equal(await page.locator(".list tbody tr").count(), 200);
});

test("a session that ends while somebody types loses no line", async () => {
  const person = await signedIn(server, tenant);
  const page = await openPage(server, { as: person });
  await page.goto(`/invoices/new?company=${id}`);
  await cell(page, 0, "sku").focus();
  await paste(page, Array.from({ length: 12 }, (_, at) => `K-${at}\tKept ${at}\t1\t1`).join("\n"));
  await page.context().clearCookies();
  await page.keyboard.press("Control+Enter");
  await page.getByText("Your session has ended").waitFor();
  await page.locator("#workspace").fill(tenant.slug);
  await page.locator("#email").fill(person.email);
  await page.locator("#password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByText("What you typed is here again").waitFor();
  assert.equal(await cell(page, 11, "description").inputValue(), "Kept 11");
  await page.locator("[data-sum]", { hasText: "12.00" }).waitFor();
});

test("Enter creates no invoice before the script is there that takes it to the lines", async () => {
  const page = await openPage(server, { as: member });
  const release = await heldBack(page, "**/lines*.js*");
  await page.goto(`/invoices/new?company=${id}`, { waitUntil: "commit" });
  await page.locator("#number:focus").waitFor();
  await page.keyboard.type("EARLY-1");
  await page.keyboard.press("Enter");
  release();
  await page.waitForLoadState();
  await page.keyboard.press("Enter");
  await page.locator('[id="lines.0.sku"]:focus').waitFor();
  assert.equal(await page.locator("#number").inputValue(), "EARLY-1");
});

test("without JavaScript the company is found by a search, and another page has more lines", async () => {
  const page = await openPage(server, { as: member, javaScriptEnabled: false });
  await page.goto("/orders");
  await page.getByRole("link", { name: "New invoice" }).click();
  await page.locator("#search").fill("brasov");
  await page.keyboard.press("Enter");
  await page.locator("main").getByRole("link", { name: "Panificația Brașov" }).click();
  await cell(page, 0, "description").fill("Pallet");
  await page.getByRole("button", { name: "More lines" }).click();
  await cell(page, 3, "description").waitFor();
});

for (const width of [1440, 390]) {
  test(`nothing of the form sticks out at ${width} px`, async () => {
    const page = await openPage(server, { as: member, width });
    for (const path of ["/invoices/new", `/invoices/new?company=${id}`]) {
      await page.goto(path);
      const beyond = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
      assert.ok(beyond <= 0, `${path}: ${beyond}`);
    }
  });
}
