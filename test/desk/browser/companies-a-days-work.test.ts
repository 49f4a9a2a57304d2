import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { violationsOf } from "../../kit/browser/accessibility.ts";
import { openPage } from "../../kit/browser/browser.ts";
import { signIn } from "../../kit/browser/sign-in.ts";

const server = await startServer();

const names = ["Băcănia Transilvană", "Brutăria Turda", "Carpat Lemn", "Panificația Brașov"];

/** A tenant with the companies above, and a member of it. */
async function someFirm() {
  const tenant = await server.createTenant();
  for (const name of names) await tenant.post("/api/v1/companies", { name, tax_id: `RO${names.indexOf(name)}0001` });
  return { tenant, member: await signedIn(server, tenant) };
}

/** On a company's page: it is gone, and back again. */
async function deleteAndUndo(page: Page, name: string): Promise<void> {
  const path = pathOf(page);
  await page.locator(".heading details.menu summary").click();
  await page.getByRole("link", { name: "Delete" }).click();
  await page.waitForURL(`${path}/delete`);
  await page.getByRole("button", { name: /Delete/ }).click();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
}

const pathOf = (page: Page) => page.url().slice(server.url.length);
const focusedId = async (page: Page) => await page.evaluate<string>("document.activeElement.id");
const rows = async (page: Page) => await page.locator(".list td.name a").allTextContents();

test("a day's work: sign in, find as one types, look, correct a value where it stands, create, delete, undo", async () => {
  const { tenant, member } = await someFirm();
  const page = await openPage(server);

  await page.goto("/companies?status=prospect");
  assert.equal(pathOf(page), "/sign-in?to=%2Fcompanies%3Fstatus%3Dprospect");
  await signIn(page, tenant.slug, member.email);
  await page.waitForURL("/companies?status=prospect");
  assert.deepEqual(await rows(page), names);

  await page.keyboard.press("/");
  await page.keyboard.type("BRA", { delay: 20 });
  await page.waitForURL(/search=BRA/);
  await page.locator("#total", { hasText: "1" }).waitFor();
  assert.deepEqual(await rows(page), ["Panificația Brașov"]);
  assert.equal(await page.locator("mark").textContent(), "Bra");
  assert.equal(await focusedId(page), "search");
  const found = pathOf(page);

  await page.getByRole("link", { name: "Panificația Brașov" }).click();
  await page.getByRole("heading", { level: 1, name: "Panificația Brașov" }).waitFor();
  const company = pathOf(page);
  await page.goBack();
  assert.equal(pathOf(page), found);
  assert.equal(await page.locator("#search").inputValue(), "BRA");
  assert.deepEqual(await rows(page), ["Panificația Brașov"]);
  await page.goForward();
  await page.waitForURL(company);

  await page.locator("#fact-email").hover();
  await page.locator("#edit-email").click();
  const email = page.locator("form.in-place #email");
  await email.waitFor();
  assert.equal(await focusedId(page), "email");
  await page.keyboard.type("no address");
  await page.keyboard.press("Enter");
  await page.locator("#email-error").waitFor();
  assert.equal(await email.inputValue(), "no address");
  assert.equal(await email.getAttribute("aria-invalid"), "true");
  assert.equal(await focusedId(page), "email");
  assert.deepEqual(await violationsOf(page), []);
  await email.fill("office@panificatia.example");
  await page.keyboard.press("Enter");
  await page.locator("#fact-email").getByRole("link", { name: "office@panificatia.example" }).waitFor();
  assert.equal(await focusedId(page), "edit-email");
  assert.equal(pathOf(page), company);
  assert.equal((await tenant.get(`/api/v1${company}`)).body.data.email, "office@panificatia.example");

  await page.locator("#edit-city").focus();
  await page.keyboard.press("Enter");
  await page.locator("form.in-place #city").waitFor();
  await page.keyboard.type("Nowhere");
  await page.keyboard.press("Escape");
  await page.locator("form.in-place").waitFor({ state: "detached" });
  assert.equal((await tenant.get(`/api/v1${company}`)).body.data.city, null);

  await page.goto("/companies");
  await page.keyboard.press("n");
  await page.waitForURL("/companies/new");
  await page.getByLabel("Name").fill("Vinăria Dealu Mare");
  await page.getByLabel("Fiscal id").fill("ro00001");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByRole("link", { name: "Băcănia Transilvană" }).waitFor();
  assert.equal(await page.getByLabel("Name").inputValue(), "Vinăria Dealu Mare");
  await page.getByLabel("Fiscal id").fill("RO40001");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Vinăria Dealu Mare" }).waitFor();
  const made = pathOf(page);

  await deleteAndUndo(page, "Vinăria Dealu Mare");

  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL("/sign-in");
  await page.goto(made);
  assert.equal(pathOf(page), `/sign-in?to=${encodeURIComponent(made)}`);
});

test("a day's work with companies, without JavaScript", async () => {
  const { tenant, member } = await someFirm();
  const page = await openPage(server, { javaScriptEnabled: false });

  await page.goto("/companies");
  await signIn(page, tenant.slug, member.email);
  await page.waitForURL("/companies");

  await page.locator("#search").fill("bra");
  await page.keyboard.press("Enter");
  await page.waitForURL(/search=bra/);
  assert.deepEqual(await rows(page), ["Panificația Brașov"]);
  await page.getByRole("link", { name: "Panificația Brașov" }).click();
  const company = pathOf(page);

  await page.locator("#edit-email").click();
  await page.locator("#email").fill("no address");
  await page.keyboard.press("Enter");
  await page.locator("#email-error").waitFor();
  assert.equal(await page.locator("#email").inputValue(), "no address");
  await page.locator("#email").fill("office@panificatia.example");
  await page.keyboard.press("Enter");
  await page.locator("#fact-email").getByRole("link", { name: "office@panificatia.example" }).waitFor();
  assert.equal((await tenant.get(`/api/v1${company}`)).body.data.email, "office@panificatia.example");

  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await page.getByLabel("Name").fill("Panificația Brașov SA");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { level: 1, name: "Panificația Brașov SA" }).waitFor();

  await page.goto("/companies/new");
  await page.getByRole("button", { name: "Create company" }).click();
  await page.locator("#name-error").waitFor();
  await page.getByLabel("Name").fill("Vinăria Dealu Mare");
  await page.getByRole("button", { name: "Create company" }).click();
  await page.getByRole("heading", { level: 1, name: "Vinăria Dealu Mare" }).waitFor();

  await deleteAndUndo(page, "Vinăria Dealu Mare");

  await page.goto("/companies");
  await page.getByText("Columns", { exact: true }).click();
  await page.locator("#columns").getByLabel("Status").check();
  await page.locator("#columns").getByRole("button", { name: "Save" }).click();
  await page.getByText("The columns were saved.").waitFor();
  for (const name of names.slice(0, 2)) await page.getByRole("checkbox", { name: new RegExp(name) }).check();
  await page.locator(".bulk select[name=status]").selectOption("active");
  await page.locator(".bulk button.main").click();
  await page.locator(".list .status.active").nth(1).waitFor();

  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL("/sign-in");
});
