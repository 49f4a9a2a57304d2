import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { violationsOf } from "../../kit/browser/accessibility.ts";
import { openPage } from "../../kit/browser/browser.ts";
import { signIn } from "../../kit/browser/sign-in.ts";

const server = await startServer();
const INVITED = { email: "ion@example.com", password: "violet harbour 91" };

for (const javaScriptEnabled of [true, false]) {
  test(`somebody is invited, comes in, becomes an admin, is shut out and let in again, ${javaScriptEnabled ? "with" : "without"} JavaScript`, async () => {
    const tenant = await server.createTenant();
    const admin = await openPage(server, { as: await signedIn(server, tenant, { role: "admin" }), javaScriptEnabled });
    const ion = await openPage(server, { javaScriptEnabled });
    const look = async (page = admin) => assert.deepEqual(javaScriptEnabled ? await violationsOf(page) : [], []);

    await admin.goto("/users");
    if (javaScriptEnabled) await admin.keyboard.press("n");
    else await admin.getByRole("link", { name: "Invite" }).click();
    // One address in a line: Enter begins the next one.
    const invite = admin.getByRole("button", { name: "Create links" });
    await admin.getByLabel("E-mail").fill("nobody");
    await invite.click();
    await admin.locator("#email-error").waitFor();
    await look();
    await admin.getByLabel("E-mail").fill(INVITED.email);
    await invite.click();
    const link = (await admin.locator("#link").textContent()) ?? "";
    await look();
    await admin.getByRole("link", { name: "I have copied it" }).click();
    await admin.getByRole("cell", { name: INVITED.email, exact: true }).waitFor();
    assert.equal((await admin.content()).includes(link), false, "the link is shown once");
    await look();

    await ion.goto(link);
    await ion.getByText(`You will sign in with ${INVITED.email}.`).waitFor();
    await ion.getByLabel("Your name").fill("Ion Marin");
    await ion.getByLabel("Password").fill("too short");
    await ion.keyboard.press("Enter");
    await ion.locator("#password-error").waitFor();
    assert.equal(await ion.getByLabel("Your name").inputValue(), "Ion Marin");
    await look(ion);
    await ion.getByLabel("Password").fill(INVITED.password);
    await ion.keyboard.press("Enter");
    await ion.getByText("Welcome.").waitFor();
    assert.equal(await ion.getByRole("link", { name: "Settings" }).count(), 0);

    await admin.reload();
    assert.equal(await admin.getByText("Open invitations").count(), 0);
    await admin.getByRole("link", { name: "Ion Marin" }).click();
    await admin.getByLabel("Role").selectOption("Admin");
    await admin.getByRole("button", { name: "Save" }).click();
    await admin.getByText("Saved.").waitFor();
    await look();
    await ion.reload();
    await ion.getByRole("link", { name: "Settings" }).click();
    await ion.getByRole("link", { name: "Users" }).click();
    await ion.getByRole("link", { name: "Ana Pop" }).waitFor();

    await admin.getByRole("link", { name: "Deactivate" }).click();
    await admin.getByRole("button", { name: "Deactivate" }).click();
    await admin.getByText("All sessions of this person have ended.").waitFor();
    await look();
    await ion.locator("nav").getByRole("link", { name: "Companies", exact: true }).click();
    await ion.waitForURL("/sign-in?to=%2Fcompanies");
    await signIn(ion, tenant.slug, INVITED.email, INVITED.password);
    await ion.getByText("do not match").waitFor();
    await admin.getByRole("button", { name: "Reactivate" }).click();
    await admin.getByText("This person can sign in again.").waitFor();
    await signIn(ion, tenant.slug, INVITED.email, INVITED.password);
    await ion.waitForURL("/companies");
  });
}

test("the last admin stays one, and sees the reason", async () => {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant, { role: "admin", name: "Ana Pop" });
  const page = await openPage(server, { as: member });
  await page.goto(`/users/${member.userId}`);
  for (const press of ["Save", "Deactivate"]) {
    if (press === "Deactivate") await page.getByRole("link", { name: press }).click();
    else await page.getByLabel("Role").selectOption("Member");
    await page.getByRole("button", { name: press }).click();
    await page.getByText("Nothing was changed: this is the last active admin").waitFor();
    assert.equal(await page.getByLabel("Role").inputValue(), "admin");
    assert.deepEqual(await violationsOf(page), []);
  }
});
