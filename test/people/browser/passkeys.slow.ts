import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { insertOperator } from "../../../src/people/operators/operator-queries.ts";
import { OPERATOR, PASSWORD, PASSWORD_HASH, signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { violationsOf } from "../../kit/browser/accessibility.ts";
import { openPage, openWindow } from "../../kit/browser/browser.ts";
import { signIn } from "../../kit/browser/sign-in.ts";

const started = await startServer();
// Passkeys work on localhost, and not at an address that is a number.
const server = { ...started, url: started.url.replace("127.0.0.1", "localhost") };

/** An authenticator of Chromium's own, whose owner is always there. */
async function authenticatorIn(page: Page, { verifies = true, lists = true } = {}) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const options = {
    protocol: "ctap2" as const,
    transport: "internal" as const,
    hasResidentKey: lists,
    hasUserVerification: verifies,
    isUserVerified: verifies,
    automaticPresenceSimulation: true,
  };
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", { options });
  return { devtools, authenticatorId };
}

test("a passkey is added in the profile, signs in, is refused once it is removed, and no other password is asked for", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant, { name: "Ana Pop" });
  const page = await openPage(server, { as: member });
  const { devtools, authenticatorId } = await authenticatorIn(page);
  await page.goto("/profile");
  await page.getByRole("link", { name: "Add a passkey" }).click();
  await page.getByLabel("Name").fill("Laptop");
  assert.deepEqual(await violationsOf(page), []);
  await page.getByLabel("Current password").fill(PASSWORD);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("The passkey is added.").waitFor();
  await page.getByRole("cell", { name: "Laptop", exact: true }).waitFor();
  assert.deepEqual(await violationsOf(page), []);
  const { credentials } = await devtools.send("WebAuthn.getCredentials", { authenticatorId });
  assert.equal(credentials[0]?.isResidentCredential, true);

  // The device has one already.
  await page.goto("/profile/passkeys");
  await page.getByLabel("Name").fill("Laptop again");
  await page.getByLabel("Current password").fill(PASSWORD);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("has a passkey of your account already").waitFor();

  await page.getByRole("button", { name: "Sign out" }).click();
  await page.goto("/companies");
  await page.getByRole("link", { name: "Use a passkey instead" }).click();
  await page.waitForURL("/companies");
  await page.goto("/profile");
  await page.getByText("by a passkey").waitFor();
  await page.getByRole("link", { name: "Remove Laptop" }).click();
  await page.getByRole("button", { name: "Remove" }).click();
  await page.getByText("The passkey is removed.").waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("link", { name: "Use a passkey instead" }).click();
  await page.getByText("This passkey opens no account here.").waitFor();
  assert.deepEqual(await violationsOf(page), []);
});

test("a key without a PIN is the second step after the password, and a cancelled question can be asked again", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant, { name: "Ana Pop" });
  await server.sql("update users set totp_secret = 'x', totp_confirmed_at = now() where id = $1", [member.userId]);
  const page = await openPage(server, { as: member });
  const { devtools, authenticatorId } = await authenticatorIn(page, { verifies: false, lists: false });
  await page.goto("/profile/passkeys");
  await page.getByLabel("Name").fill("Key");
  await page.getByLabel("Current password").fill(PASSWORD);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("second step only").waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await signIn(page, tenant.slug, member.email);
  await page.getByRole("heading", { name: "Second step" }).waitFor();
  // Another device, without the key: the browser refuses.
  await devtools.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId });
  await authenticatorIn(page, { verifies: false, lists: false });
  await page.getByRole("link", { name: "Use a passkey instead" }).click();
  await page.getByText("No passkey was used. Please try again.").waitFor();
  assert.deepEqual(await violationsOf(page), []);
  await page.getByRole("link", { name: "Enter a code" }).click();
  await page.getByLabel("Code").waitFor();
});

test("an operator adds a passkey, signs in by it, and removes it", async () => {
  await insertOperator(server.deps.database, { email: OPERATOR, name: "Olga Operator", passwordHash: PASSWORD_HASH });
  const page = await openPage(server, {});
  await authenticatorIn(page);
  await page.goto("/operator");
  await page.getByLabel("E-mail").fill(OPERATOR);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("link", { name: "Olga Operator" }).click();
  assert.deepEqual(await violationsOf(page), []);
  await page.getByRole("link", { name: "Add a passkey" }).click();
  await page.getByLabel("Name").fill("Laptop");
  await page.getByLabel("Current password").fill(PASSWORD);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("The passkey is added.").waitFor();
  assert.deepEqual(await violationsOf(page), []);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("link", { name: "Use a passkey instead" }).click();
  await page.getByRole("heading", { name: "Workspaces" }).waitFor();
  await page.goto("/profile");
  await page.getByRole("link", { name: "Remove Laptop" }).click();
  await page.getByRole("button", { name: "Remove" }).click();
  await page.getByText("The passkey is removed.").waitFor();
});

test("an admin removes the passkey of a lost device", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant, { name: "Ana Pop" });
  await server.sql(
    `insert into passkeys (tenant_id, user_id, name, credential_id, public_key, user_handle, counter, verifies)
     values ($1, $2, 'Phone', 'id', 'key', 'handle', 0, true)`,
    [tenant.id, member.userId],
  );
  const page = await openPage(server, { as: await signedIn(server, tenant, { role: "admin" }) });
  await page.goto(`/users/${member.userId}`);
  assert.deepEqual(await violationsOf(page), []);
  await page.getByRole("link", { name: "1 passkey" }).click();
  await page.getByRole("heading", { name: "Passkeys of Ana Pop" }).waitFor();
  assert.deepEqual(await violationsOf(page), []);
  await page.getByRole("link", { name: "Remove Phone" }).click();
  await page.getByText("1 session will end.").waitFor();
  assert.deepEqual(await violationsOf(page), []);
  await page.getByRole("button", { name: "Remove" }).click();
  await page.getByText("all sessions of this person have ended").waitFor();
});

test("without JavaScript the button for a passkey is off, and the password is a click away", async () => {
  const window = await openWindow(server, { javaScriptEnabled: false });
  const page = await window.newPage();
  await page.goto("/sign-in");
  await page.getByRole("link", { name: "Use a passkey instead" }).click();
  assert.ok(await page.getByRole("button", { name: "Sign in" }).isDisabled());
  await page.getByRole("link", { name: "Sign in with a password" }).click();
  await page.getByLabel("Password").waitFor();
});

test("a passkey is added and signs in where a password manager or an old browser differs", async () => {
  const tricks = {
    "toJSON throws": "PublicKeyCredential.prototype.toJSON = () => { throw new TypeError('Illegal invocation') };",
    "toJSON is missing": "delete PublicKeyCredential.prototype.toJSON;",
    "a plain object": `for (const name of ["create", "get"]) {
      const real = navigator.credentials[name].bind(navigator.credentials);
      navigator.credentials[name] = async (options) => {
        const { id, rawId, response } = await real(options);
        const { clientDataJSON, attestationObject, authenticatorData, signature, userHandle } = response;
        const getTransports = () => { throw new TypeError("Illegal invocation"); };
        const copied = { clientDataJSON, attestationObject, authenticatorData, signature, userHandle, getTransports };
        return { id, rawId, response: copied };
      };
    }`,
    "no options from JSON":
      "delete PublicKeyCredential.parseRequestOptionsFromJSON; delete PublicKeyCredential.parseCreationOptionsFromJSON;",
  };
  for (const [name, script] of Object.entries(tricks)) {
    const tenant = await server.createTenant();
    const member = await signedIn(server, tenant, { name: "Ana Pop" });
    const page = await openPage(server, { as: member });
    await page.addInitScript(script);
    await authenticatorIn(page);
    await page.goto("/profile/passkeys");
    await page.getByLabel("Name").fill(name);
    await page.getByLabel("Current password").fill(PASSWORD);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("The passkey is added.").waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("link", { name: "Use a passkey instead" }).click();
    await page.waitForURL("/today");
  }
});
