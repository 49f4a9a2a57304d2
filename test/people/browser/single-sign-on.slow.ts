import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { violationsOf } from "../../kit/browser/accessibility.ts";
import { openPage, openWindow } from "../../kit/browser/browser.ts";
import { personAt } from "../single-sign-on/people.ts";
import { SECRET, startProvider } from "../single-sign-on/provider.ts";

const server = await startServer({ LIAISON_OIDC_PRIVATE_NETWORKS: "127.0.0.1" });
const provider = await startProvider();
provider.asks = true;

for (const javaScriptEnabled of [true, false]) {
  test(`single sign-on: set up, tried in a second window, switched on, used, ${javaScriptEnabled ? "with" : "without"} JavaScript`, async () => {
    const tenant = await server.createTenant();
    const admin = await signedIn(server, tenant, { role: "admin", name: "Ana Pop" });
    provider.register(`${server.url}/sign-in/oidc/${tenant.slug}/callback`);
    const ignoreHTTPSErrors = true;
    const window = await openWindow(server, { as: admin, javaScriptEnabled, ignoreHTTPSErrors });
    const page = await window.newPage();
    const look = async (at = page) => assert.deepEqual(javaScriptEnabled ? await violationsOf(at) : [], []);

    await page.goto("/workspace");
    await page.getByRole("link", { name: "Single sign-on", exact: true }).click();
    await page.getByText(`/sign-in/oidc/${tenant.slug}/callback`).waitFor();
    await page.getByLabel("Issuer").fill("nord");
    await page.getByRole("button", { name: "Save" }).click();
    await page.locator("#issuer-error").waitFor();
    await look();
    await page.getByLabel("Issuer").fill(provider.issuer);
    await page.getByLabel("Client ID").fill("liaison");
    await page.getByLabel("Client secret").fill(SECRET);
    await page.getByLabel("Domains of e-mail addresses").fill("firm.example");
    await page.getByLabel("New people of these domains").check();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Not tried with these settings yet.").waitFor();
    await look();

    provider.person = personAt(provider, { email: admin.email });
    const opened = window.waitForEvent("page");
    await page.getByRole("link", { name: "Try it" }).click();
    const second = await opened;
    await second.getByRole("link", { name: "Continue as" }).click();
    await second.getByRole("heading", { name: "It works" }).waitFor();
    await look(second);
    await second.close();
    // The first window follows the trial by itself; without JavaScript, a reload shows it.
    if (!javaScriptEnabled) await page.reload();
    await page.getByRole("button", { name: "Switch on" }).click();
    await page.getByText("Single sign-on is on.").waitFor();
    await look();

    const own = await openPage(server, { javaScriptEnabled, ignoreHTTPSErrors });
    provider.person = personAt(provider, { email: `ion.${tenant.slug}@firm.example`, name: "Ion Marin" });
    await own.goto("/companies");
    await own.getByRole("link", { name: "Single sign-on" }).click();
    await own.getByLabel("Workspace").fill(tenant.slug);
    await look(own);
    await own.keyboard.press("Enter");
    await own.getByRole("link", { name: `Go to the sign-in of ${tenant.slug}` }).click();
    await own.getByRole("link", { name: "Continue as" }).click();
    await own.waitForURL("/companies");
    await own.getByRole("link", { name: "Ion Marin" }).waitFor({ state: "attached" });
    await own.getByRole("button", { name: "Sign out" }).click();
    // The browser remembers the workspace, and the provider the person.
    await own.getByRole("link", { name: "Sign in by single sign-on" }).click();
    await own.waitForURL("/today");
    await own.goto(`/sign-in/oidc/${tenant.slug}/callback?code=a&state=b`);
    await own.getByRole("heading", { name: "You are not signed in" }).waitFor();
    await look(own);
    await own.goto("/today");
    await own.waitForURL("/today");
  });
}

test("on a telephone the addresses to register have the whole width, each with its button beside it", async () => {
  const admin = await signedIn(server, await server.createTenant(), { role: "admin" });
  const page = await openPage(server, { as: admin, width: 390 });
  await page.goto("/workspace/sign-in");
  const box = async (selector: string) => await page.locator(selector).first().boundingBox();
  const [list, value, address, copy] = await Promise.all(
    [".facts", ".facts dd", ".facts .code", ".facts .copy"].map(box),
  );
  assert.ok(list && value && address && copy);
  assert.equal(value.width, list.width);
  assert.ok(copy.x >= address.x + address.width && copy.y < address.y + address.height);
});
