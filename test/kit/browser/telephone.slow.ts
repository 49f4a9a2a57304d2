import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
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
  await page.getByRole("link", { name: "API keys", exact: true }).click();
  await page.waitForURL("/keys");
});

/** A company as full as the first screen of a phone has to bear: every figure, and a call that is late. */
async function fullCompany() {
  const member = await signedIn(server, tenant, { name: "Ana Pop" });
  const day = (days: number) => Temporal.Now.plainDateISO().add({ days }).toString();
  const values = {
    name: "Băcănia Transilvană SRL",
    tax_id: "RO123",
    phone: "+40 264 555 010",
    email: "comenzi@bacania.example",
    city: "Cluj-Napoca",
    assigned_to: member.userId,
    callback_date: day(-3),
  };
  const company = (await tenant.post("/api/v1/companies", { ...values, tax_id: crypto.randomUUID().slice(0, 12) })).body
    .data;
  for (const first_name of ["Ioana", "Mihai", "Ștefan"]) {
    await tenant.post(`/api/v1/companies/${company.id}/contacts`, {
      first_name,
      last_name: "Popescu",
      position: "Buyer",
      phone: "+40 722 555 012",
    });
  }
  const invoice = { number: `F-${company.id}`, total: "10", currency: "RON", issued_on: day(-40), due_on: day(-10) };
  const { id } = (await tenant.post(`/api/v1/companies/${company.id}/invoices`, invoice)).body.data;
  await member.post(`/companies/${company.id}/activities`, { kind: "call", note: "Wants two pallets more." });
  return { member, path: `/companies/${company.id}`, invoice: `/invoices/${id}` };
}

test("at 390 px figures, people and the form that logs are within the first 800 px", async () => {
  const { member, path } = await fullCompany();
  const page = await openPage(server, { as: member, width: 390 });
  await page.goto(path);
  for (const part of ["#figures", "#log", "#contacts"]) {
    const box = await page.locator(part).boundingBox();
    assert.ok(box !== null && box.y + box.height <= 800, `${part} ends at ${box && box.y + box.height}`);
  }
  assert.deepEqual(await page.locator("#fact-city").isVisible(), false);
  await page.locator(".folding").click();
  await page.locator("#fact-city").waitFor();
});

test("at 390 px a tap on a link below a figure opens what it names, not the figure's list", async () => {
  const { member, path } = await fullCompany();
  const page = await openPage(server, { as: member, width: 390 });
  for (const [name, opens] of [
    ["Statement", `${path}/statement`],
    ["Reminders", `${path}/reminders`],
  ] as const) {
    await page.goto(path);
    const { x, y, width } = (await page.locator("#figures").getByRole("link", { name }).boundingBox()) ?? assert.fail();
    await page.mouse.click(x + width / 2, y + 3);
    await page.waitForURL((url) => url.pathname !== path);
    assert.equal(new URL(page.url()).pathname, opens);
  }
});

test("a company, a person and an invoice have four buttons of 48 px: Call, E-mail, Log and More", async () => {
  const { member, path, invoice } = await fullCompany();
  const page = await openPage(server, { as: member, width: 390 });
  for (const each of [path, invoice]) {
    await page.goto(each);
    const buttons = page.locator(".bar > .button:visible, .bar > details > summary");
    assert.deepEqual(
      (await buttons.allInnerTexts()).map((text) => text.trim()),
      ["Call", "E-mail", "Log", "More"],
    );
    for (const button of await buttons.all()) assert.ok(((await button.boundingBox())?.height ?? 0) >= 48);
  }
  const { id } = (await tenant.post("/api/v1/companies", { name: "Silent" })).body.data;
  await page.goto(`/companies/${id}`);
  assert.deepEqual(
    (await page.locator(".bar > .button:visible").allInnerTexts()).map((text) => text.trim()),
    ["Log"],
  );
});

for (const javaScriptEnabled of [true, false]) {
  test(`Log opens the form as a sheet at the end of the screen, ${javaScriptEnabled ? "with" : "without"} JavaScript`, async () => {
    const { member, path } = await fullCompany();
    const page = await openPage(server, { as: member, width: 390, javaScriptEnabled });
    await page.goto(path);
    assert.equal(await page.locator("#composer .kinds").isVisible(), false);
    await page.locator(".bar").getByRole("link", { name: "Log" }).click();
    await page.locator("#composer .kinds").waitFor();
    const box = await page.locator("#log").boundingBox();
    assert.ok(box !== null && Math.abs(box.y + box.height - 800) < 2, JSON.stringify(box));
    await page.locator("#composer").getByText("Call out", { exact: true }).click();
    await page.locator("#note").fill("Asked for a price list");
    await page.locator("#composer").getByRole("button", { name: "Add" }).click();
    await page.locator("#happened").getByText("Asked for a price list").waitFor();
    await page.locator("#composer .kinds").waitFor({ state: "hidden" });
  });
}

test("a person's form that logs is on the first screen, and the facts are behind Details", async () => {
  const { member, path } = await fullCompany();
  const page = await openPage(server, { as: member, width: 390 });
  await page.goto(path);
  await page.locator("#contacts td.name a").first().click();
  await page.waitForURL(/contacts/);
  const box = await page.locator("#composer").boundingBox();
  assert.ok(box !== null && box.y + box.height <= 400, JSON.stringify(box));
  const position = page.getByText("Buyer", { exact: true });
  assert.equal(await position.isVisible(), false);
  await page.getByText("Details", { exact: true }).click();
  await position.waitFor();
});

test("a row of a company's invoices has no two texts at one place", async () => {
  const { member, path } = await fullCompany();
  await server.sql(
    `update invoices set wms_order_id = id, wms_instance = 'sud.localhost', wms_status = 'cancelled', wms_synced_at = now()
     where company_id = $1`,
    [path.slice("/companies/".length)],
  );
  for (const width of [390, 320]) {
    const page = await openPage(server, { as: member, width });
    await page.goto(`${path}/invoices`);
    const texts = page.locator("#invoices tbody tr").first().locator("a:visible, .state, small, .late, button:visible");
    const boxes = await Promise.all((await texts.all()).map(async (text) => await text.boundingBox()));
    assert.ok(boxes.length >= 4);
    const [meet] = boxes.flatMap((one, at) => boxes.slice(at + 1).filter((other) => areTogether(one, other)));
    assert.equal(meet, undefined, `at ${width} px`);
  }
});

type Box = { x: number; y: number; width: number; height: number } | null;

function areTogether(one: Box, other: Box): boolean {
  if (one === null || other === null) return false;
  const meet = (a: number, length: number, b: number, other: number) => a < b + other - 1 && b < a + length - 1;
  return meet(one.x, one.width, other.x, other.width) && meet(one.y, one.height, other.y, other.height);
}

test("the rows of a list have checkboxes after Choose alone, and its filters are behind one button", async () => {
  const { member } = await fullCompany();
  const page = await openPage(server, { as: member, width: 390 });
  await page.goto("/companies?status=prospect");
  assert.equal(await page.locator("tbody [type=checkbox]").first().isVisible(), false);
  const owner = page.locator(".filters [name=assigned_to]");
  assert.equal(await owner.isVisible(), false);
  await page.getByText("Choose").click();
  await page.locator("tbody [type=checkbox]").first().check();
  await page.locator(".bulk").waitFor();
  await page.getByText("Filters (1)").click();
  await owner.waitFor();
  const rows = await page.locator("tbody tr").all();
  for (const row of rows) assert.ok(((await row.boundingBox())?.height ?? 0) <= 57);
});

test("two numbers of one company stand below each other on Today", async () => {
  const other = await server.createTenant();
  const member = await signedIn(server, other);
  const phone = "0722 555 206 / 0264 555 010";
  const values = { name: "Panificația Brașov SA", phone, assigned_to: member.userId };
  const { id } = (await other.post("/api/v1/companies", values)).body.data;
  const late = { number: "L-1", total: "31900", currency: "RON", status: "issued", due_on: "2026-01-20" };
  assert.equal((await other.post(`/api/v1/companies/${id}/invoices`, late)).status, 201);
  const page = await openPage(server, { as: member, width: 360 });
  await page.goto("/today?whose=all");
  assert.equal(await page.locator("#today a[href^='tel:']").count(), 2);
  assert.ok(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"));
});
