import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { violationsOf } from "../../kit/browser/accessibility.ts";
import { openPage } from "../../kit/browser/browser.ts";

const server = await startServer();
const tenant = await server.createTenant();
const admin = await signedIn(server, tenant, { role: "admin" });
for (const name of ["Acme", "Brutăria Turda", "Carpat Lemn"]) await tenant.post("/api/v1/companies", { name });
await tenant.post("/api/v1/companies/2/contacts", { first_name: "Ioana", last_name: "Popescu" });

const focused = async (page: Page) => await page.evaluate<string>("document.activeElement.textContent.trim()");
const focusedId = async (page: Page) => await page.evaluate<string>("document.activeElement.id");
const firstChosen = (page: Page) => page.locator("#found ul:first-child li:first-child [aria-selected=true]");

test("j and k go through the rows, Enter opens one, e edits it", async () => {
  const page = await openPage(server, { as: admin });
  await page.goto("/companies");
  for (const [key, name] of [
    ["j", "Acme"],
    ["j", "Brutăria Turda"],
    ["j", "Carpat Lemn"],
    ["j", "Carpat Lemn"],
    ["k", "Brutăria Turda"],
  ] as const) {
    await page.keyboard.press(key);
    assert.equal(await focused(page), name);
  }
  await page.keyboard.press("Enter");
  await page.waitForURL("/companies/2");
  await page.keyboard.press("e");
  await page.waitForURL("/companies/2/edit");
});

test("x selects the row with the focus or the pointer, Shift x and Shift-click select the rows in between", async () => {
  const page = await openPage(server, { as: admin });
  await page.goto("/companies");
  const boxes = page.locator("tbody .check input");
  const selected = async () =>
    await page.evaluate<string>(
      `[...document.querySelectorAll("tbody .check input")].map((box) => box.checked).join(" ")`,
    );
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  assert.equal(await selected(), "true false false");
  assert.equal(await focused(page), "Acme");
  assert.equal(await page.locator("[data-selected]").textContent(), "1");
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("Shift+X");
  assert.equal(await selected(), "true true true");
  assert.equal(await page.locator("[data-selected]").textContent(), "3");
  await page.keyboard.press("x");
  await page.keyboard.press("k");
  await page.keyboard.press("k");
  await page.keyboard.press("Shift+X");
  assert.equal(await selected(), "false false false");
  await page.locator("h1").click();
  await page.locator("tbody tr").nth(1).hover();
  await page.keyboard.press("x");
  assert.equal(await selected(), "false true false");
  await boxes.nth(0).click();
  await boxes.nth(2).click({ modifiers: ["Shift"] });
  assert.equal(await selected(), "true true true");
  assert.equal(await page.evaluate<string>("String(getSelection())"), "");
});

test("a whole page offers all that match, heads stay in view, and a menu stands above them", async () => {
  const page = await openPage(server, { as: admin });
  await page.goto("/companies?per_page=2");
  const all = page.getByLabel("Select all 3");
  const count = async () => await page.locator("[data-selected]").textContent();
  await page.locator("tbody .check input").first().check();
  assert.equal(await all.isVisible(), false);
  await page.locator("[data-select-all]").check();
  await all.check();
  assert.equal(await count(), "3");
  await page.locator("tbody .check input").first().uncheck();
  assert.equal(await count(), "1");
  await page.locator("tbody .check input").first().check();
  assert.equal(await all.isChecked(), false);
  assert.deepEqual(await violationsOf(page), []);

  await page.goto("/companies");
  await page.setViewportSize({ width: 1280, height: 200 });
  await page.evaluate("scrollTo(0, 1000)");
  const tops = `[...document.querySelectorAll("th")].map((head) => head.getBoundingClientRect().top).join()`;
  assert.match(await page.evaluate<string>(tops), /^0(,0)+$/);
  await page.evaluate("scrollTo(0, 0)");
  await page.getByText("Columns", { exact: true }).click();
  const owner = page.locator("#columns").getByLabel("Owner");
  await owner.uncheck();
  await page.locator("#columns").getByRole("button", { name: "Save" }).click();
  await page.getByText("The columns were saved.").waitFor();
  assert.equal(await page.getByRole("columnheader", { name: "Owner" }).count(), 0);
});

test("/ goes to the search, Escape clears it and leaves it, n begins a new company", async () => {
  const page = await openPage(server, { as: admin });
  await page.goto("/companies");
  await page.keyboard.press("/");
  const search = page.locator("main input[type=search]");
  await page.keyboard.type("jnk/?");
  assert.equal(await search.inputValue(), "jnk/?");
  await page.keyboard.press("Escape");
  assert.equal(await search.inputValue(), "");
  await page.keyboard.press("Escape");
  assert.equal(await focusedId(page), "");
  await page.keyboard.press("n");
  await page.waitForURL("/companies/new");
  await page.locator("#name").focus();
  await page.keyboard.type("ne?");
  assert.equal(await page.locator("#name").inputValue(), "ne?");
  assert.equal(new URL(page.url()).pathname, "/companies/new");
});

test("? says what the keys do, and they do nothing until it is closed", async () => {
  const page = await openPage(server, { as: admin });
  await page.goto("/companies");
  await page.keyboard.press("?");
  await page.locator("dialog[open] #shortcuts").waitFor();
  assert.deepEqual(await violationsOf(page), []);
  await page.keyboard.press("n");
  await page.keyboard.press("Escape");
  await page.locator("#shortcuts").waitFor({ state: "detached" });
  assert.equal(new URL(page.url()).pathname, "/companies");
});

test("without JavaScript the page that finds everything lists the keys", async () => {
  const page = await openPage(server, { as: admin, javaScriptEnabled: false });
  await page.goto("/companies");
  await page.getByRole("link", { name: "Find" }).click();
  await page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor();
  await page.locator("main input[type=search]").fill("popescu");
  await page.keyboard.press("Enter");
  await page.waitForURL("/find?q=popescu");
  assert.equal(await page.locator("main .found a").getAttribute("href"), "/contacts/1");
});

for (const key of ["Control+k", "Meta+k"]) {
  test(`${key} finds a company as one types, and Enter opens it; the address stays until then`, async () => {
    const page = await openPage(server, { as: admin });
    await page.goto("/companies/1");
    await page.keyboard.press(key);
    await page.getByRole("option", { name: "New company" }).waitFor();
    assert.deepEqual(await violationsOf(page), []);
    await page.keyboard.type("BRUTARIA");
    await page.getByRole("option", { name: "Brutăria Turda", selected: true }).waitFor();
    assert.equal(await focusedId(page), "find");
    assert.equal(new URL(page.url()).pathname, "/companies/1");
    assert.deepEqual(await violationsOf(page), []);
    await page.keyboard.press("Enter");
    await page.waitForURL("/companies/2");
  });
}

test("a user who types and presses Enter at once opens the typed company", async () => {
  const page = await openPage(server, { as: admin });
  await page.goto("/companies/1");
  await page.keyboard.press("Control+k");
  await page.getByRole("option", { name: "New company" }).waitFor();
  await page.keyboard.type("carpat");
  await page.keyboard.press("Enter");
  await page.waitForURL("/companies/3");
});

test("Ctrl K offers what the record in view does, and what was opened last", async () => {
  const page = await openPage(server, { as: await signedIn(server, tenant) });
  await page.goto("/companies/3");
  await page.goto("/companies/1");
  await page.keyboard.press("Control+k");
  await page.getByRole("option", { name: "Edit", selected: true }).waitFor();
  assert.deepEqual(await page.locator("#finder [aria-label='Recently opened'] a").allTextContents(), [
    "Acme ",
    "Carpat Lemn ",
  ]);
  await page.keyboard.type("dele");
  await page.getByRole("option", { name: "Delete", selected: true }).waitFor();
  assert.equal(await page.getByRole("option").count(), 1);
  assert.deepEqual(await violationsOf(page), []);
  await page.keyboard.press("Enter");
  await page.waitForURL("/companies/1/delete");
});

test("Ctrl K finds words in any order, an invoice by its number, a phone, and what has a letter wrong", async () => {
  const made = await tenant.post("/api/v1/companies/2/invoices", { number: "DMO-2026-0122" });
  await tenant.put("/api/v1/companies/3", { phone: "+40 264 555 022" });
  const page = await openPage(server, { as: admin });
  await page.goto("/companies");
  for (const [typed, name, path] of [
    ["turda brut", "Brutăria Turda", "/companies/2"],
    ["0122", "DMO-2026-0122", `/invoices/${made.body.data.id}`],
    ["0264.555.022", "Carpat Lemn", "/companies/3"],
    ["capat", "Carpat Lemn", "/companies/3"],
  ] as const) {
    await page.keyboard.press("Control+k");
    await page.keyboard.type(typed);
    await page.getByRole("option", { name, selected: true }).waitFor();
    assert.deepEqual(await violationsOf(page), []);
    await page.keyboard.press("Enter");
    await page.waitForURL(path);
  }
});

test("the arrows choose, round and round; Escape closes at once", async () => {
  const page = await openPage(server, { as: await signedIn(server, tenant) });
  await page.goto("/companies");
  await page.getByRole("link", { name: "Find" }).click();
  await firstChosen(page).waitFor();
  await page.keyboard.press("ArrowUp");
  await page.getByRole("option", { name: "Sign out", selected: true }).waitFor();
  await page.keyboard.press("ArrowDown");
  await firstChosen(page).waitFor();
  await page.keyboard.type("nobody at all");
  await page.getByText("Nothing found with the name").waitFor();
  assert.deepEqual(await violationsOf(page), []);
  await page.keyboard.press("Escape");
  await page.locator("#finder").waitFor({ state: "hidden" });
});

test("g and a letter open a place, c a new company, and g alone nothing", async () => {
  const page = await openPage(server, { as: admin });
  await page.goto("/companies/1");
  for (const [key, path] of [
    ["t", "/today"],
    ["o", "/orders"],
    ["p", "/contacts"],
    ["c", "/companies"],
  ] as const) {
    await page.keyboard.press("g");
    await page.keyboard.press(key);
    await page.waitForURL(path);
  }
  await page.keyboard.press("c");
  await page.waitForURL("/companies/new");
});

test("] and [ open the records beside this one in the list that it was opened from", async () => {
  const page = await openPage(server, { as: admin });
  await page.goto("/companies");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.waitForURL("/companies/1");
  await page.getByText("1/3").waitFor();
  await page.keyboard.press("]");
  await page.waitForURL("/companies/2");
  await page.getByText("2/3").waitFor();
  await page.keyboard.press("[");
  await page.waitForURL("/companies/1");
  await page.goto("/contacts");
  await page.keyboard.press("]");
  assert.equal(new URL(page.url()).pathname, "/contacts");
});

test("a and v edit the owner and the status in place, and l in a row leads to the note", async () => {
  const page = await openPage(server, { as: admin });
  await page.goto("/companies/1");
  await page.keyboard.press("v");
  await page.locator("#fact-status select:focus").waitFor();
  await page.keyboard.press("Escape");
  await page.locator("#fact-status select").waitFor({ state: "detached" });
  await page.keyboard.press("a");
  await page.locator("#fact-assigned_to select:focus").waitFor();
  await page.goto("/companies");
  await page.keyboard.press("j");
  await page.keyboard.press("l");
  await page.waitForURL("/companies/1#note");
  await page.locator("#note:focus").waitFor();
});

test("u undoes what the notice offers to undo", async () => {
  const page = await openPage(server, { as: admin });
  const { id } = (await tenant.post("/api/v1/companies", { name: "Xilofon SRL" })).body.data;
  await page.goto(`/companies/${id}/delete`);
  await page.locator("main form button").first().click();
  await page.locator("#notice form button").waitFor();
  await page.keyboard.press("u");
  await page.waitForURL(`/companies/${id}`);
  assert.equal((await tenant.get(`/api/v1/companies/${id}`)).status, 200);
});

test("Ctrl K logs at a company that is named behind the verb", async () => {
  const page = await openPage(server, { as: admin });
  await page.goto("/companies");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("log brut");
  await page.getByRole("option", { name: "Log: Brutăria Turda", selected: true }).waitFor();
  assert.deepEqual(await violationsOf(page), []);
  await page.keyboard.press("Enter");
  await page.waitForURL("/companies/2#note");
  await page.locator("#note:focus").waitFor();
});

test("colours, language and signing out are among what is found", async () => {
  const page = await openPage(server, { as: await signedIn(server, tenant) });
  const act = async (name: string) => {
    await page.keyboard.press("Control+k");
    await firstChosen(page).waitFor();
    await page.keyboard.type(name);
    await page.keyboard.press("Enter");
  };
  await page.goto("/companies");
  await act("dark");
  await page.locator("html[data-theme=dark]").waitFor();
  assert.equal(await page.evaluate("getComputedStyle(document.documentElement).colorScheme"), "dark");
  await act("roman");
  await page.locator("html[lang=ro]").waitFor();
  await act("english");
  await page.locator("html[lang=en]").waitFor();
  await act("sign out");
  await page.waitForURL("/sign-in");
});
