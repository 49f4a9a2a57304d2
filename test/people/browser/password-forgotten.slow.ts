import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { violationsOf } from "../../kit/browser/accessibility.ts";
import { openPage } from "../../kit/browser/browser.ts";
import { signIn } from "../../kit/browser/sign-in.ts";
import { linkIn } from "../../kit/mail/mail-server.ts";
import { startMailing } from "../../kit/mail/mailing-server.ts";

const server = await startMailing();
server.startWorker();

for (const javaScriptEnabled of [true, false]) {
  test(`somebody forgets the password, and chooses another by mail, ${javaScriptEnabled ? "with" : "without"} JavaScript`, async () => {
    const tenant = await server.createTenant();
    const { email, userId } = await signedIn(server, tenant);
    await server.sql("update users set language = 'en' where id = $1", [userId]);
    const page = await openPage(server, { javaScriptEnabled });
    const look = async () => assert.deepEqual(javaScriptEnabled ? await violationsOf(page) : [], []);

    await page.goto("/sign-in");
    await look();
    await page.getByRole("link", { name: "Forgot the password?" }).click();
    await look();
    await page.getByLabel("Workspace").fill(tenant.slug);
    await page.getByLabel("E-mail").fill(email);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Check your mailbox" }).waitFor();
    await look();
    assert.ok(!(await page.content()).includes(email), "the page does not repeat what was typed");

    const [message] = await server.mail.until(email);
    const link = new URL(linkIn(message?.text ?? "", "/invitations/")).pathname;
    await page.goto(link);
    await page.getByLabel("Password").fill("violet harbour 91");
    await page.keyboard.press("Enter");
    await page.getByText("Your new password is saved.").waitFor();

    await page.goto("/profile");
    await page.getByRole("button", { name: "Send me the daily mail" }).click();
    await page.getByText("You get the daily mail from the next morning on.").waitFor();
    await look();
    await page.getByRole("button", { name: "Sign out" }).click();
    await signIn(page, tenant.slug, email, "violet harbour 91");
    await page.getByRole("heading", { name: "Today" }).waitFor();
    await page.goto(link);
    await page.getByText("This link no longer works").waitFor();
  });
}
