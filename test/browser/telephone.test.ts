import assert from "node:assert/strict";
import { test } from "node:test";
import { startServer } from "../harness.ts";
import { signedIn } from "../web/visitor.ts";
import { violationsOf } from "./accessibility.ts";
import { openPage } from "./browser.ts";

const server = await startServer();
const tenant = await server.createTenant();

for (const javaScriptEnabled of [true, false]) {
  test(`at 360 px everything is behind the menu, ${javaScriptEnabled ? "with" : "without"} JavaScript`, async () => {
    const admin = await signedIn(server, tenant, { role: "admin" });
    const page = await openPage(server, { as: admin, width: 360, javaScriptEnabled });
    await page.goto("/companies");
    const settings = page.getByRole("link", { name: "Settings", exact: true });
    assert.ok(await page.getByRole("link", { name: "Companies", exact: true }).isVisible());
    assert.equal(await settings.isVisible(), false);
    await page.getByRole("button", { name: "Menu" }).click();
    await settings.waitFor();
    if (javaScriptEnabled) assert.deepEqual(await violationsOf(page), []);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL("/sign-in");
  });
}

test("at 1280 px there is no menu, and the navigation leads to everything", async () => {
  const page = await openPage(server, { as: await signedIn(server, tenant, { role: "admin" }) });
  await page.goto("/companies");
  assert.equal(await page.getByRole("button", { name: "Menu" }).isVisible(), false);
  await page.getByRole("link", { name: "Settings", exact: true }).click();
  await page.getByRole("link", { name: "Keys", exact: true }).click();
  await page.waitForURL("/keys");
});
