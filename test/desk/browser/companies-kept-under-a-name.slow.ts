import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { violationsOf } from "../../kit/browser/accessibility.ts";
import { openPage } from "../../kit/browser/browser.ts";
import { signIn } from "../../kit/browser/sign-in.ts";

const server = await startServer();

test("a list is sorted by its heads, narrowed as one types, kept under a name, and found again; Back restores", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant);
  for (const [name, city, date] of [
    ["Acme", "Cluj-Napoca", "2026-12-03"],
    ["Brick", "Turda", "2026-12-01"],
    ["Carpat", "Cluj-Napoca", "2026-12-02"],
    ["Dacia", "Cluj-Napoca", null],
  ]) {
    await tenant.post("/api/v1/companies", { name, city, callback_date: date });
  }
  const page = await openPage(server);
  const path = () => page.url().slice(server.url.length);
  const rows = async () => (await page.locator(".list td.name a").allTextContents()).join(" ");
  await page.goto("/companies");
  await signIn(page, tenant.slug, member.email);
  await page.waitForURL("/companies");

  await page.getByRole("link", { name: "Call back", exact: true }).click();
  await page.waitForURL("/companies?sort=callback_date");
  assert.equal(await rows(), "Brick Carpat Acme Dacia");
  await page.getByRole("link", { name: "Call back", exact: true }).click();
  await page.waitForURL("/companies?sort=-callback_date");
  assert.equal(await rows(), "Acme Carpat Brick Dacia");
  await page.goBack();
  assert.equal(path(), "/companies?sort=callback_date");
  assert.equal(await rows(), "Brick Carpat Acme Dacia");

  await page.getByText("Filters", { exact: true }).click();
  await page.getByRole("textbox", { name: "City" }).pressSequentially("cluj");
  await page.locator("#total", { hasText: "3" }).waitFor();
  assert.equal(await rows(), "Carpat Acme Dacia");
  assert.equal(path(), "/companies?city=cluj&sort=callback_date");
  assert.deepEqual(await violationsOf(page), []);
  await page.locator("select[name=callback]").selectOption("Planned");
  await page.locator("#total", { hasText: "2" }).waitFor();
  await page.getByRole("link", { name: "Remove filter: Call back: Planned" }).waitFor();
  await page.keyboard.press("Escape");

  await page.getByText("Save view").first().click();
  await page.getByLabel(/^Name/).fill("To call in Cluj");
  assert.deepEqual(await violationsOf(page), []);
  await page.keyboard.press("Enter");
  await page.getByText("“To call in Cluj” is in the navigation.").waitFor();
  assert.equal(path(), "/companies?city=cluj&callback=set&sort=callback_date");
  assert.equal(await page.getByText("Save view").first().isVisible(), false);

  await page.goto("/today");
  await page.getByRole("link", { name: "To call in Cluj" }).click();
  await page.waitForURL(/callback=set/);
  assert.equal(await rows(), "Carpat Acme");
  await page.getByRole("link", { name: "Remove filter: City: cluj" }).click();
  await page.waitForURL("/companies?callback=set&sort=callback_date");
  assert.equal(await rows(), "Brick Carpat Acme");
  await page.goBack();
  assert.equal(await rows(), "Carpat Acme");

  await page.getByRole("link", { name: "Edit To call in Cluj" }).click();
  await page.getByLabel(/^Name/).fill("Cluj");
  await page.keyboard.press("Enter");
  await page.locator("#views").getByRole("link", { name: "Cluj", exact: true }).waitFor();
  await page.getByRole("link", { name: "Edit Cluj" }).click();
  await page.getByText("Delete view").first().click();
  await page.getByRole("button", { name: "Delete view" }).click();
  await page.getByText("Deleted. The list is still here").waitFor();
  assert.equal(await rows(), "Carpat Acme");
  assert.equal(await page.locator("#views a").count(), 0);
  await page.context().close();
});
