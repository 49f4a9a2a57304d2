import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { violationsOf } from "../../kit/browser/accessibility.ts";
import { openPage } from "../../kit/browser/browser.ts";

const server = await startServer();

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "with" : "without";

  test(`two people edit one company: the second is warned, and no input is lost, ${how} JavaScript`, async () => {
    const tenant = await server.createTenant();
    const { id } = (await tenant.post("/api/v1/companies", { name: "Acme", city: "Turda" })).body.data;
    const [ana, mihai] = await Promise.all(
      ["Ana Pop", "Mihai Dan"].map(async (name) => {
        const page = await openPage(server, { as: await signedIn(server, tenant, { name }), javaScriptEnabled });
        await page.goto(`/companies/${id}`);
        if (javaScriptEnabled) await page.keyboard.press("e");
        else await page.getByRole("link", { name: "Edit", exact: true }).click();
        await page.waitForURL(`/companies/${id}/edit`);
        return page;
      }),
    );
    assert.ok(ana && mihai);

    await ana.getByLabel("City").fill("Brașov");
    await ana.getByLabel("Phone").fill("+40 268 555 010");
    await ana.getByRole("button", { name: "Save" }).click();
    await ana.waitForURL(`/companies/${id}`);

    await mihai.getByLabel("City").fill("Cluj-Napoca");
    await mihai.getByLabel("Website").fill("acme.example");
    await mihai.getByRole("button", { name: "Save" }).click();
    await mihai.getByRole("alert").getByText("While you were editing, Ana Pop saved changes.").waitFor();
    await mihai.getByText("Ana Pop changed this from Turda to Brașov. This field shows your value").waitFor();
    await mihai.getByText("Ana Pop changed this. You did not change this field").waitFor();
    assert.equal(await mihai.getByLabel("City").inputValue(), "Cluj-Napoca");
    assert.equal(await mihai.getByLabel("Phone").inputValue(), "+40 268 555 010");
    assert.equal(await mihai.getByLabel("Website").inputValue(), "acme.example");
    if (javaScriptEnabled) assert.deepEqual(await violationsOf(mihai), []);
    assert.equal((await tenant.get(`/api/v1/companies/${id}`)).body.data.city, "Brașov");

    await mihai.getByRole("button", { name: "Save" }).click();
    await mihai.waitForURL(`/companies/${id}`);
    const { city, phone, website } = (await tenant.get(`/api/v1/companies/${id}`)).body.data;
    assert.deepEqual([city, phone, website], ["Cluj-Napoca", "+40 268 555 010", "acme.example"]);
    await ana.reload();
    await ana.locator("#fact-city", { hasText: "Cluj-Napoca" }).waitFor();
  });
}

test("where values are edited in place, two people conflict only in the same field", async () => {
  const tenant = await server.createTenant();
  const { id } = (await tenant.post("/api/v1/companies", { name: "Acme", city: "Turda" })).body.data;
  const open = async (name: string) => {
    const page = await openPage(server, { as: await signedIn(server, tenant, { name }) });
    await page.goto(`/companies/${id}`);
    return page;
  };
  const [ana, mihai, ion] = await Promise.all(["Ana Pop", "Mihai Dan", "Ion Marin"].map(open));
  assert.ok(ana && mihai && ion);
  const edit = async (page: typeof ana, field: string, value: string) => {
    await page.locator(`#edit-${field}`).focus();
    await page.keyboard.press("Enter");
    await page.locator(`form.in-place #${field}`).fill(value);
  };
  await edit(ana, "city", "Brașov");
  await edit(mihai, "county", "Cluj");
  await edit(ion, "city", "Sibiu");

  await ana.keyboard.press("Enter");
  await ana.locator("#fact-city", { hasText: "Brașov" }).waitFor();
  await mihai.keyboard.press("Enter");
  await mihai.locator("#fact-county", { hasText: "Cluj" }).waitFor();
  await ion.keyboard.press("Enter");
  await ion.getByText("Ana Pop changed this from Turda to Brașov.").waitFor();
  assert.equal(await ion.locator("form.in-place #city").inputValue(), "Sibiu");
  assert.deepEqual(await violationsOf(ion), []);
  await ion.keyboard.press("Enter");
  await ion.locator("#fact-city form").waitFor({ state: "detached" });
  const { city, county } = (await tenant.get(`/api/v1/companies/${id}`)).body.data;
  assert.deepEqual([city, county], ["Sibiu", "Cluj"]);
});
