import assert from "node:assert/strict";
import { test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { violationsOf } from "./accessibility.ts";
import { openPage } from "./browser.ts";

const server = await startServer();
const tenant = await server.createTenant();
const admin = await signedIn(server, tenant, { role: "admin" });
const values = {
  name: "Acme",
  tax_id: "RO123453",
  email: "office@acme.example",
  phone: "+40 264 555 010",
  city: "Turda",
};
const { id } = (await tenant.post("/api/v1/companies", values)).body.data;

/** What is selected once the mouse was drawn over an element's text. */
async function drawnOver(page: Page, over: Locator): Promise<string> {
  const box = await over.boundingBox();
  assert.ok(box !== null);
  const middle = box.y + Math.min(box.height / 2, 16);
  await page.mouse.move(box.x + 1, middle);
  await page.mouse.down();
  await page.mouse.move(box.x + Math.min(box.width, 140), middle, { steps: 5 });
  await page.mouse.up();
  return await page.evaluate<string>("getSelection().toString().trim()");
}

test("a fact and a cell of a list are selected with the mouse, and a click still edits the one and opens the other", async () => {
  const page = await openPage(server, { as: admin });
  await page.goto(`/companies/${id}`);
  assert.match(await drawnOver(page, page.locator("#fact-tax_id")), /^RO12345/);
  assert.equal(page.url(), `${server.url}/companies/${id}`);
  await page.locator("#fact-city").click({ position: { x: 10, y: 14 } });
  await page.locator("#city:focus").waitFor();
  await page.keyboard.press("Escape");
  await page.goto("/companies");
  const cell = page.locator("tbody tr").first().locator("td", { hasText: "Turda" });
  assert.match(await drawnOver(page, cell), /^Turda/);
  assert.equal(page.url(), `${server.url}/companies`);
  await page.mouse.click(5, 5);
  await cell.click({ position: { x: 10, y: 10 } });
  await page.waitForURL(`/companies/${id}`);
});

test("a phone, an e-mail, a fiscal id, a key and an invitation are copied by a button, which says so", async () => {
  const page = await openPage(server, { as: admin });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const copied = async () => await page.evaluate<string>("navigator.clipboard.readText()");
  await page.goto(`/companies/${id}`);
  for (const [field, name] of [
    ["tax_id", "Fiscal id"],
    ["email", "E-mail"],
    ["phone", "Phone"],
  ] as const) {
    await page.locator(`#fact-${field}`).hover();
    await page
      .locator(`#fact-${field}`)
      .getByRole("button", { name: `Copy ${name}` })
      .click();
    await page.locator(`#fact-${field} [role=status]`, { hasText: "Copied" }).waitFor();
    assert.equal(await copied(), values[field]);
  }
  assert.deepEqual(await violationsOf(page), []);
  await page.goto("/keys/new");
  await page.getByLabel("Name").fill("ERP");
  await page.getByRole("checkbox").first().check();
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByRole("button", { name: "Copy The key" }).click();
  assert.equal(await copied(), await page.locator("#token").innerText());
  await page.goto("/users/new");
  await page.getByLabel("E-mail").fill("dan@example.com");
  await page.getByRole("button", { name: "Create links" }).click();
  await page.getByRole("button", { name: "Copy Link" }).click();
  assert.match(await copied(), /\/invitations\//);
  assert.deepEqual(await violationsOf(page), []);
});

test("without JavaScript there is no button that would do nothing", async () => {
  const page = await openPage(server, { as: admin, javaScriptEnabled: false });
  await page.goto(`/companies/${id}`);
  assert.equal(await page.locator(".copy").first().isVisible(), false);
  await page.locator("#edit-city").click();
  await page.locator("#city").waitFor();
});
