import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { violationsOf } from "../../kit/browser/accessibility.ts";
import { openPage } from "../../kit/browser/browser.ts";

const server = await startServer();

for (const javaScriptEnabled of [true, false]) {
  test(`a company's history: what was written, by whom, narrowed, and still there once it is deleted, ${javaScriptEnabled ? "with" : "without"} JavaScript`, async () => {
    const tenant = await server.createTenant();
    const { token } = await tenant.createKey({ name: "ERP" });
    const { id } = (await tenant.post("/api/v1/companies", { name: "Acme", city: "Turda" }, { token })).body.data;
    await tenant.post("/api/v1/companies", { name: "Another" });
    const page = await openPage(server, { as: await signedIn(server, tenant), javaScriptEnabled });
    const look = async () => assert.deepEqual(javaScriptEnabled ? await violationsOf(page) : [], []);
    const lines = async () =>
      (await page.locator("#changes .events > li strong").allTextContents()).map((who) => who.trim());

    await page.goto(`/companies/${id}`);
    await page.locator("#edit-city").focus();
    await page.keyboard.press("Enter");
    await page.locator("#city").fill("Brașov");
    await page.keyboard.press("Enter");
    await page.locator("#happened").getByText("from Turda to Brașov").waitFor();
    await page.locator("#happened").getByRole("link", { name: "All changes" }).click();
    await page.getByRole("heading", { level: 1, name: "History of Acme" }).waitFor();
    assert.deepEqual(await lines(), ["Ana Pop", "ERP (API key)"]);
    await page.getByText("from Turda to Brașov").waitFor();
    await look();

    assert.equal(await page.getByLabel("Action").isVisible(), false);
    await page.getByText("Filters", { exact: true }).click();
    await page.getByLabel("Action").selectOption("Created");
    if (!javaScriptEnabled) await page.getByRole("button", { name: "Show" }).click();
    await page.waitForURL(/action=created/);
    await page.getByText("Filters (1)").waitFor();
    await page.getByText("from Turda to Brașov").waitFor({ state: "detached" });
    assert.deepEqual(await lines(), ["ERP (API key)"]);
    const narrowed = page.url();

    await page.goto(`/companies/${id}/delete`);
    await page.getByRole("button", { name: /Delete/ }).click();
    await page.getByRole("button", { name: "Undo" }).waitFor();
    await page.goto(narrowed);
    assert.deepEqual(await lines(), ["ERP (API key)"]);
    await page.getByText("Filters (1)").click();
    await page.getByLabel("Action").selectOption("Deleted");
    if (!javaScriptEnabled) await page.getByRole("button", { name: "Show" }).click();
    await page.getByText("deleted the company").waitFor();
    assert.equal(await page.getByRole("link", { name: "Acme" }).count(), 0);
    await look();
  });
}
