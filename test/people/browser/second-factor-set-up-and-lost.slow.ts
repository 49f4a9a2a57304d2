import assert from "node:assert/strict";
import { test } from "node:test";
import { codeOf, withSecondFactor } from "../../doors/pages/second-factor.ts";
import { PASSWORD, signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { violationsOf } from "../../kit/browser/accessibility.ts";
import { openPage } from "../../kit/browser/browser.ts";
import { signIn } from "../../kit/browser/sign-in.ts";

const server = await startServer();

for (const javaScriptEnabled of [true, false]) {
  test(`a second factor: set up, sign in with it and without the telephone, switch off, ${javaScriptEnabled ? "with" : "without"} JavaScript`, async () => {
    const tenant = await server.createTenant();
    const person = await signedIn(server, tenant);
    const page = await openPage(server, { as: person, javaScriptEnabled });
    const look = async () => assert.deepEqual(javaScriptEnabled ? await violationsOf(page) : [], []);
    const signOutAndIn = async () => {
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.waitForURL("/sign-in");
      await signIn(page, tenant.slug, person.email);
    };
    const typeCode = async (code: string) => {
      await page.getByLabel("Code", { exact: true }).fill(code);
      await page.keyboard.press("Enter");
    };

    await page.goto("/profile");
    await page.getByText("It is off.").waitFor();
    await page.getByRole("link", { name: "Set it up" }).click();
    await page.getByRole("button", { name: "Set it up" }).click();
    await page.getByRole("img", { name: "QR code with the secret" }).waitFor();
    const secret = ((await page.locator("#secret").textContent()) ?? "").replaceAll(" ", "");
    await look();
    await typeCode("000000");
    await page.locator("#code-error").waitFor();
    assert.equal((await page.locator("#secret").textContent())?.replaceAll(" ", ""), secret);
    await look();
    await typeCode(codeOf(secret));
    await page.getByRole("heading", { name: "The second factor is on" }).waitFor();
    const [recovery = ""] = ((await page.locator("#recovery-codes").textContent()) ?? "").split("\n");
    await look();
    await page.getByRole("link", { name: "I have kept them" }).click();
    await page.getByText("10 recovery codes are left.").waitFor();

    await signOutAndIn();
    await page.waitForURL("/sign-in/code");
    await look();
    await page.goto("/companies");
    await page.waitForURL("/sign-in/code?to=%2Fcompanies");
    await typeCode(codeOf(secret, 1));
    await page.waitForURL("/companies");

    await signOutAndIn();
    await typeCode(recovery.toLowerCase());
    await page.waitForURL("/today");
    await signOutAndIn();
    await typeCode(recovery);
    await page.getByText("This code is not right, or was used already.").waitFor();
    await look();
    await page.getByRole("link", { name: "Sign in as someone else" }).click();
    await page.waitForURL("/sign-in");
  });
}

test("somebody has lost the second factor: an admin switches it off, and the person is in by the password alone", async () => {
  const tenant = await server.createTenant();
  const lost = await withSecondFactor(server, tenant);
  const as = await signedIn(server, tenant, { role: "admin", name: "Andrei Rusu" });
  const admin = await openPage(server, { as });
  await admin.goto("/users");
  await admin.getByRole("link", { name: "Ana Pop" }).click();
  await admin.getByRole("link", { name: "Switch the second factor off" }).click();
  await admin.getByRole("button", { name: "Switch the second factor off" }).click();
  await admin.getByText("The second factor is off, and all sessions of this person have ended.").waitFor();
  await admin.getByText(/Off \(switched off .* by Andrei Rusu\)/).waitFor();
  assert.equal(await admin.getByRole("link", { name: "Switch the second factor off" }).count(), 0);
  assert.deepEqual(await violationsOf(admin), []);
  const page = await openPage(server);
  await page.goto("/sign-in");
  await signIn(page, tenant.slug, lost.email);
  await page.waitForURL("/today");
});

test("a user with the password switches the second factor off, and signs in by the password alone", async () => {
  const tenant = await server.createTenant();
  const person = await signedIn(server, tenant);
  const page = await openPage(server, { as: person });
  await page.goto("/profile/second-factor");
  await page.getByRole("button", { name: "Set it up" }).click();
  const secret = ((await page.locator("#secret").textContent()) ?? "").replaceAll(" ", "");
  await page.getByLabel("Code", { exact: true }).fill(codeOf(secret));
  await page.getByRole("button", { name: "Switch it on" }).click();
  await page.getByRole("link", { name: "I have kept them" }).click();

  await page.getByRole("link", { name: "Switch it off" }).click();
  await page.getByLabel("Or your password").fill("not the password");
  await page.getByRole("button", { name: "Switch it off" }).click();
  await page.getByText("Neither the code nor the password is right.").waitFor();
  assert.deepEqual(await violationsOf(page), []);
  await page.getByLabel("Or your password").fill(PASSWORD);
  await page.getByRole("button", { name: "Switch it off" }).click();
  await page.getByText("The second factor is off.").waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await signIn(page, tenant.slug, person.email);
  await page.waitForURL("/today");
});
