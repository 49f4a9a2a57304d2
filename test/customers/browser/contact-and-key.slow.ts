import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { openPage } from "../../kit/browser/browser.ts";
import { poll } from "../../program.ts";

const server = await startServer();

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "with" : "without";

  test(`a contact: add, refused at its field, correct, find, log a call, delete, undo, ${how} JavaScript`, async () => {
    const tenant = await server.createTenant();
    const { id } = (await tenant.post("/api/v1/companies", { name: "Acme" })).body.data;
    const page = await openPage(server, { as: await signedIn(server, tenant), javaScriptEnabled });
    await page.goto(`/companies/${id}`);
    await page.locator("#contacts").getByRole("link", { name: /Add/ }).click();
    await page.waitForURL(`/companies/${id}/contacts/new`);
    await page.getByLabel("First name").fill("Ștefan");
    await page.locator("form.record button.main").click();
    await page.locator("#last_name-error").waitFor();
    assert.equal(await page.getByLabel("First name").inputValue(), "Ștefan");
    await page.getByLabel("Last name").fill("Țepeș");
    await page.getByLabel("Mobile").fill("+40 722 555 012");
    await page.locator("form.record button.main").click();
    await page.getByRole("heading", { level: 1, name: "Ștefan Țepeș" }).waitFor();
    assert.equal(await page.getByRole("link", { name: "+40 722 555 012" }).getAttribute("href"), "tel:+40722555012");

    if (javaScriptEnabled) await page.keyboard.press("e");
    else await page.getByRole("link", { name: "Edit", exact: true }).click();
    await page.getByLabel("Position").fill("Buyer");
    await page.locator("form.record button.main").click();
    await page.getByText("Buyer", { exact: true }).waitFor();

    await page.goto(`/companies/${id}/contacts`);
    await page.locator("#search").fill("tepes");
    await page.keyboard.press("Enter");
    await page.waitForURL(/search=tepes/);
    await page.getByRole("link", { name: "Ștefan Țepeș", exact: true }).click();
    await page.locator("#composer textarea").fill("Wants a delivery on Monday.");
    await page.locator("#composer").getByText("Call out", { exact: true }).click();
    await page.locator("#composer button.main").click();
    await page.getByText("Wants a delivery on Monday.").waitFor();
    await page.locator(".heading details.menu summary").click();
    await page.getByRole("button", { name: /Delete/ }).click();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("heading", { level: 1, name: "Ștefan Țepeș" }).waitFor();
  });

  test(`a key: make, see once, use, revoke, ${how} JavaScript`, async () => {
    const tenant = await server.createTenant();
    const page = await openPage(server, { as: await signedIn(server, tenant, { role: "admin" }), javaScriptEnabled });
    await page.goto("/keys");
    if (javaScriptEnabled) await page.keyboard.press("n");
    else await page.getByRole("link", { name: "New key" }).click();
    await page.locator("form button.main").click();
    await page.locator(".error-summary").waitFor();
    await page.getByLabel("Name").fill("Shop");
    assert.equal(await page.locator("#capabilities [role=group]").count(), 10);
    await page.getByRole("group", { name: "Companies" }).getByText("See", { exact: true }).click();
    await page.locator("form button.main").click();
    const [token = ""] = /\S+\.lsn_\w+/.exec((await page.locator("main").textContent()) ?? "") ?? [];
    assert.equal((await tenant.get("/api/v1/companies", { token })).status, 200);
    await page.goto("/keys");
    assert.ok(!(await page.content()).includes(token));
    await page.getByRole("link", { name: "Shop" }).click();
    await page.getByRole("link", { name: /Revoke/ }).click();
    await page.getByText("used 1 of its 2 permissions").waitFor();
    await page.getByRole("button", { name: /Revoke/ }).click();
    await page.getByText("Revoked").first().waitFor();
    await poll("the refusal", async () => (await tenant.get("/api/v1/companies", { token })).status === 403);
  });
}
