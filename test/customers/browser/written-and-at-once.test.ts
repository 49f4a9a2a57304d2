import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { openPage } from "../../kit/browser/browser.ts";

const server = await startServer();

test("who writes to a contact is asked whether to log it, and one press chooses the e-mail", async () => {
  const tenant = await server.createTenant();
  const { id } = (await tenant.post("/api/v1/companies", { name: "Acme" })).body.data;
  const person = { first_name: "Ana", last_name: "Pop", email: "ana@acme.example" };
  const contact = (await tenant.post(`/api/v1/companies/${id}/contacts`, person)).body.data.id;
  const page = await openPage(server, { as: await signedIn(server, tenant) });
  await page.goto(`/contacts/${contact}`);
  const asked = page.locator("#composer").getByText("Written?");
  assert.equal(await asked.isVisible(), false);
  await page.getByRole("link", { name: "E-mail" }).click();
  await page.getByRole("button", { name: "Log it" }).click();
  assert.equal(await asked.isVisible(), false);
  assert.equal(await page.locator("#composer [name=kind]:checked").inputValue(), "email");
  await page.keyboard.type("Sent the offer.");
  await page.keyboard.press("Control+Enter");
  await page.locator("#activities").getByText("Sent the offer.").waitFor();
});

test("language and theme are saved as soon as they are chosen, and by a button without JavaScript", async () => {
  const tenant = await server.createTenant();
  const as = await signedIn(server, tenant);
  const page = await openPage(server, { as });
  await page.goto("/profile");
  assert.equal(await page.getByRole("button", { name: "Save", exact: true }).count(), 1);
  await page.getByLabel("Theme").selectOption("dark");
  await page.locator("html[data-theme=dark]").waitFor();
  await page.getByLabel("Language").selectOption("ro");
  await page.getByRole("heading", { level: 1, name: "Profil" }).waitFor();

  const plain = await openPage(server, { as, javaScriptEnabled: false });
  await plain.goto("/profile");
  await plain.getByLabel("Temă").selectOption("light");
  await plain.getByRole("button", { name: "Salvează" }).nth(1).click();
  await plain.locator("html[data-theme=light]").waitFor();
});
