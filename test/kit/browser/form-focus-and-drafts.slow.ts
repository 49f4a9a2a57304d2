import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { PASSWORD, signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { violationsOf } from "./accessibility.ts";
import { heldBack, openPage } from "./browser.ts";

const server = await startServer();
const tenant = await server.createTenant();
const admin = await signedIn(server, tenant, { role: "admin" });

const company = async (name: string, fields: Record<string, string> = {}) =>
  (await tenant.post("/api/v1/companies", { name, ...fields })).body.data.id as number;
const stored = async (id: number) => (await tenant.get(`/api/v1/companies/${id}`)).body.data;
const focused = async (page: Page, id: string) => await page.locator(`#${id}:focus`).waitFor();

test("each form's first field has the focus, after a refusal the first wrong one", async () => {
  const id = await company("Focus");
  const page = await openPage(server, { as: admin });
  await admin.post(`/companies/${id}/activities`, { kind: "note", note: "Said" });
  const [, activity] = /href="(\/activities\/\d+)"/.exec((await admin.get(`/companies/${id}`)).text) ?? [];
  await admin.post("/profile/second-factor");
  for (const [path, field] of [
    ["/companies/new", "name"],
    [`/companies/${id}/edit`, "name"],
    [`/companies/${id}/contacts/new`, "first_name"],
    [`/companies/${id}/addresses/new`, "type"],
    ["/keys/new", "name"],
    ["/users/new", "email"],
    [`/invoices/new?company=${id}`, "number"],
    ["/invoices/new", "search"],
    [String(activity), "note"],
    ["/profile/second-factor", "code"],
  ] as const) {
    await page.goto(path);
    await focused(page, field);
  }
  await page.goto("/companies/new");
  await focused(page, "name");
  await page.keyboard.type("Typed at once");
  await page.locator("#email").fill("no address");
  await page.getByRole("button", { name: "Create" }).click();
  await page.locator("#email[aria-invalid=true]").waitFor();
  await focused(page, "email");
  assert.deepEqual(await violationsOf(page), []);
  const plain = await openPage(server, { javaScriptEnabled: false });
  await plain.goto(`/sign-in?workspace=${tenant.slug}`);
  await focused(plain, "email");
  await plain.keyboard.type(admin.email);
  assert.equal(await plain.locator("#email").inputValue(), admin.email);
  await plain.locator("#password").fill("wrong password");
  await plain.keyboard.press("Enter");
  await plain.locator(".error").waitFor();
  await focused(plain, "password");
  await plain.keyboard.type(PASSWORD);
  await plain.keyboard.press("Enter");
  await plain.waitForURL((url) => !url.pathname.startsWith("/sign-in"));
});

test("a select in place saves when it changes, a text when one leaves it, and Escape takes both back", async () => {
  const id = await company("In place", { city: "Cluj" });
  const page = await openPage(server, { as: admin });
  await page.goto(`/companies/${id}`);
  await page.locator("#edit-status").click();
  await page.locator("#fact-status select").selectOption("active");
  await page.locator("#fact-status .status").waitFor();
  assert.equal((await stored(id)).status, "active");
  await page.locator("#edit-city").click();
  await focused(page, "city");
  await page.keyboard.type("Turda");
  await page.locator("#edit-county").click();
  await focused(page, "county");
  await page.locator("#fact-city", { hasText: "Turda" }).waitFor();
  assert.equal((await stored(id)).city, "Turda");
  // Who went on stays there.
  await focused(page, "county");
  await page.keyboard.type("nowhere");
  await page.keyboard.press("Escape");
  await page.locator("#edit-county").waitFor();
  assert.equal((await stored(id)).county, null);
  await page.locator("#edit-email").click();
  await focused(page, "email");
  await page.keyboard.type("no address");
  await page.locator("h1").click();
  await page.locator("#fact-email [aria-invalid=true]").waitFor();
  await page.locator("h1").click();
  assert.equal(await page.locator("#email").inputValue(), "no address", "what was refused stays");
});

test("without a connection a form stays, says so, and is sent when there is one again", async () => {
  const id = await company("Offline", { city: "Cluj" });
  const page = await openPage(server, { as: admin });
  let isBroken = false;
  // From the start: a page goes on for a while sending requests past a route that is added later.
  await page.route("**", async (route) => await (isBroken ? route.abort("aborted") : route.continue()));
  await page.goto(`/companies/${id}/edit`);
  await page.locator("#city").fill("Turda");
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("No connection, so nothing was saved").waitFor();
  assert.equal(await page.locator("#city").inputValue(), "Turda");
  assert.deepEqual(await violationsOf(page), []);
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Save" }).click();
  await page.waitForURL(`/companies/${id}`);
  assert.equal((await stored(id)).city, "Turda");
  await page.locator("#edit-county").click();
  await focused(page, "county");
  await page.keyboard.type("Cluj");
  // The browser's own message about the broken connection would fail another test.
  isBroken = true;
  await page.keyboard.press("Enter");
  await page.locator("#fact-county").getByText("No connection").waitFor();
  isBroken = false;
  await page.keyboard.press("Enter");
  await page.locator("#edit-county").waitFor();
  assert.equal((await stored(id)).county, "Cluj");
});

test("a session that ends while somebody types loses nothing: after signing in the form is there, filled", async () => {
  const person = await signedIn(server, tenant);
  const id = await company("Ended", { city: "Cluj" });
  const page = await openPage(server, { as: person });
  const signIn = async () => {
    await page.getByText("Your session has ended").waitFor();
    await page.locator("#workspace").fill(tenant.slug);
    await page.locator("#email").fill(person.email);
    await page.locator("#password").fill(PASSWORD);
    await page.keyboard.press("Enter");
  };
  await page.goto("/companies/new");
  await page.locator("#name").fill("");
  await page.locator("#city").fill("Turda");
  await page.getByRole("button", { name: "Create" }).click();
  await page.locator("#name[aria-invalid=true]:focus").waitFor();
  await page.keyboard.type("Typed before");
  await page.context().clearCookies();
  await page.getByRole("button", { name: "Create" }).click();
  await signIn();
  await page.waitForURL("/companies/new");
  await page.getByText("What you typed is here again").waitFor();
  assert.deepEqual(
    [await page.locator("#name").inputValue(), await page.locator("#city").inputValue()],
    ["Typed before", "Turda"],
  );
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByRole("heading", { name: "Typed before" }).waitFor();
  await page.goto(`/companies/${id}`);
  await page.locator("#edit-notes").click();
  await focused(page, "notes");
  await page.keyboard.type("Calls in the morning.");
  await page.context().clearCookies();
  await page.keyboard.press("Control+Enter");
  await page.locator("#workspace").fill(tenant.slug);
  await page.locator("#email").fill(person.email);
  await page.locator("#password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.waitForURL(`/companies/${id}/edit?field=notes`);
  await page.getByText("What you typed is here again").waitFor();
  assert.equal(await page.locator("#notes").inputValue(), "Calls in the morning.");
});

test("where the server was away while a form was sent, it is there again on the way back", async () => {
  const page = await openPage(server, { as: admin });
  await page.goto("/companies/new");
  await page.locator("#name").fill("Sent to nobody");
  await page.evaluate("addEventListener('submit', (event) => event.preventDefault())");
  await page.getByRole("button", { name: "Create" }).click();
  await page.reload();
  await page.getByText("What you typed is here again").waitFor();
  assert.equal(await page.locator("#name").inputValue(), "Sent to nobody");
});

test("another person who signs in there sees no typed text", async () => {
  const [one, other] = [await signedIn(server, tenant), await signedIn(server, tenant)];
  const page = await openPage(server, { as: one });
  await page.goto("/companies/new");
  await page.locator("#name").fill("Mine alone");
  await page.context().clearCookies();
  await page.getByRole("button", { name: "Create" }).click();
  await page.locator("#workspace").fill(tenant.slug);
  await page.locator("#email").fill(other.email);
  await page.locator("#password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.waitForURL("/companies/new");
  assert.equal(await page.locator("#name").inputValue(), "");
  assert.doesNotMatch(await page.evaluate<string>("JSON.stringify(sessionStorage)"), /Mine alone/);
});

test("leaving an edited form asks, and leaving one that is as it was does not", async () => {
  const id = await company("Left");
  const page = await openPage(server, { as: admin });
  const asked: string[] = [];
  page.on("dialog", (dialog) => {
    asked.push(dialog.type());
    void dialog.accept();
  });
  await page.goto(`/companies/${id}/edit`);
  await page.getByRole("link", { name: "Cancel" }).click();
  await page.waitForURL(`/companies/${id}`);
  assert.deepEqual(asked, []);
  await page.goto(`/companies/${id}/edit`);
  await page.locator("#city").fill("Turda");
  await page.getByRole("link", { name: "Cancel" }).click();
  await page.waitForURL(`/companies/${id}`);
  assert.deepEqual(asked, ["beforeunload"]);
});

test("arrow keys open a menu and go through it, round and round", async () => {
  const id = await company("Arrows");
  const page = await openPage(server, { as: admin });
  await page.goto(`/companies/${id}`);
  const menu = page.locator("details.menu").first();
  const at = async () => await page.evaluate<string>("document.activeElement.textContent.trim()");
  await menu.locator("summary").focus();
  await page.keyboard.press("ArrowDown");
  assert.equal(await at(), "Warehouse connection");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  assert.equal(await at(), "Delete…");
  await page.keyboard.press("Escape");
  assert.deepEqual([await menu.getAttribute("open"), await at()], [null, "More"]);
});

test("a closed notice disappears, and does not return", async () => {
  const page = await openPage(server, { as: admin });
  const plain = await openPage(server, { as: admin, javaScriptEnabled: false });
  for (const [window, close] of [
    [page, async () => await page.getByRole("link", { name: "Close" }).click()],
    [page, async () => await page.keyboard.press("Escape")],
    [plain, async () => await plain.getByRole("link", { name: "Close" }).click()],
  ] as const) {
    await window.goto(`/companies/${await company("Noticed")}/edit`);
    await window.locator("#city").fill("Cluj");
    await window.getByRole("button", { name: "Save" }).click();
    await window.locator(".notice").waitFor();
    if (window === page) await page.locator("h1").click();
    await close();
    await window.locator(".notice").waitFor({ state: "detached" });
    await window.getByText("Cluj").first().waitFor();
  }
});

test("menus close on Escape and beside, and the crumb leads back to the list as it was", async () => {
  const id = await company("Crumb of bread");
  await company("Crumb of cake");
  const page = await openPage(server, { as: admin });
  await page.goto("/companies?search=crumb&sort=-name");
  await page.getByRole("link", { name: "Crumb of bread" }).click();
  await page.waitForURL(`/companies/${id}`);
  const menu = page.locator("details.menu").first();
  const inside = menu.getByRole("link", { name: "Delete" });
  for (const close of [async () => await page.keyboard.press("Escape"), async () => await page.locator("h1").click()]) {
    await menu.locator("summary").click();
    await inside.waitFor();
    await close();
    await inside.waitFor({ state: "hidden" });
  }
  await page.locator("a.back").click();
  await page.waitForURL("/companies?search=crumb&sort=-name");
});

test("a notice disappears by itself, except while the pointer is on it", async () => {
  const id = await company("Noticed");
  const page = await openPage(server, { as: admin });
  await page.goto(`/companies/${id}`);
  await page.locator("#note").fill("Said");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  const notice = page.locator(".notice", { hasText: "Logged." });
  await notice.waitFor();
  await notice.hover();
  await page.locator("h1").hover();
  await notice.waitFor({ state: "detached" });
});

test("a pressed button says that it works until the answer is there", async () => {
  const id = await company("Slow");
  const page = await openPage(server, { as: admin });
  const answer = await heldBack(page, "**/activities");
  await page.goto(`/companies/${id}`);
  await page.locator("#note").fill("Said");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.locator("button.main[aria-busy=true]").waitFor();
  const spinner = async (property: string) =>
    await page.evaluate<string>(`getComputedStyle(document.querySelector("button[aria-busy]"), "::after").${property}`);
  assert.match(await spinner("animationDelay"), /^0\.15s/);
  while ((await spinner("opacity")) !== "1");
  answer();
  await page.getByText("Logged.").waitFor();
  assert.equal(await page.locator("button[aria-busy]").count(), 0);
});

test("a company with the same name is shown while the name is typed, and Create does not ask again", async () => {
  const id = await company("Panificația Brașov SA", { city: "Brașov" });
  for (const width of [1440, 390]) {
    const page = await openPage(server, { as: admin, width });
    await page.goto("/companies/new");
    const place = await page.locator("#tax_id").boundingBox();
    await page.locator("#name").pressSequentially("panificatia brasov");
    const hint = page.locator("#alike-name", { hasText: "Looks like Panificația Brașov SA, Brașov. Open it" });
    await hint.waitFor();
    if (width === 1440) assert.deepEqual(await page.locator("#tax_id").boundingBox(), place, "nothing moves");
    assert.equal(await hint.getByRole("link").getAttribute("href"), `/companies/${id}`);
    assert.deepEqual(await violationsOf(page), []);
    await page.keyboard.type(" Nord");
    await page.locator("#alike-name:empty").waitFor({ state: "attached" });
    await page.locator("#name").fill("panificatia brasov");
    await hint.waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "panificatia brasov" }).waitFor();
    await page.close();
    await server.sql("update companies set deleted_at = now() where tenant_id = $1 and name = 'panificatia brasov'", [
      tenant.id,
    ]);
  }
});
