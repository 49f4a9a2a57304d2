import assert from "node:assert/strict";
import { test } from "node:test";
import { OPERATOR, operatorIn, PASSWORD, signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { violationsOf } from "../../kit/browser/accessibility.ts";
import { openPage } from "../../kit/browser/browser.ts";
import { signIn } from "../../kit/browser/sign-in.ts";

const server = await startServer();
await operatorIn(server);

for (const javaScriptEnabled of [true, false]) {
  test(`an operator suspends a tenant and resumes it, ${javaScriptEnabled ? "with" : "without"} JavaScript`, async () => {
    const tenant = await server.createTenant();
    await tenant.post("/api/v1/companies", { name: "Nobody else's business" });
    const member = await signedIn(server, tenant);
    const ana = await openPage(server, { as: member, javaScriptEnabled });
    await ana.goto("/companies");
    const page = await openPage(server, { javaScriptEnabled });
    const look = async () => assert.deepEqual(javaScriptEnabled ? await violationsOf(page) : [], []);

    await page.goto("/operator");
    await page.getByLabel("E-mail").fill(OPERATOR);
    await page.getByLabel("Password").fill("wrong");
    await page.keyboard.press("Enter");
    await page.getByText("E-mail and password do not match.").waitFor();
    await look();
    await page.getByLabel("Password").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.waitForURL("/operator/tenants");
    const row = page.getByRole("row").filter({ has: page.getByRole("cell", { name: tenant.slug, exact: true }) });
    await row.getByText("Active").waitFor();
    await row.getByRole("link").click();
    await page.waitForURL(`/operator/tenants/${tenant.slug}`);
    await page.getByText("(active users: 1) and refuses its keys (1).").waitFor();
    assert.equal(await page.getByText("Nobody else's business").count(), 0);
    await look();

    await page.getByRole("link", { name: "Suspend" }).click();
    await page.getByRole("heading", { name: "Suspend " }).waitFor();
    await look();
    await page.getByRole("button", { name: "Suspend" }).click();
    await page.getByText("The workspace is suspended.").waitFor();
    await look();
    await ana.getByRole("link", { name: "History", exact: true }).click();
    await ana.waitForURL("/sign-in?to=%2Fhistory");
    await signIn(ana, tenant.slug, member.email);
    await ana.getByText("do not match").waitFor();

    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByText("The workspace is resumed.").waitFor();
    await signIn(ana, tenant.slug, member.email);
    await ana.waitForURL("/history");

    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL("/operator/sign-in");
    await page.goto(`/operator/tenants/${tenant.slug}`);
    await page.waitForURL(`/operator/sign-in?to=${encodeURIComponent(`/operator/tenants/${tenant.slug}`)}`);
  });
}
