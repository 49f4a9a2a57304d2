import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { violationsOf } from "../../kit/browser/accessibility.ts";
import { openPage } from "../../kit/browser/browser.ts";

const server = await startServer();

async function firm() {
  const tenant = await server.createTenant();
  const member = await signedIn(server, tenant, { name: "Ana Pop" });
  const values = { name: "Băcănia Transilvană SRL", tax_id: "RO123", phone: "+40 264 555 010", city: "Turda" };
  const { id } = (await tenant.post("/api/v1/companies", values)).body.data;
  for (const [first_name, last_name] of [
    ["Ioana", "Popescu"],
    ["Mihai", "Rus"],
  ]) {
    await tenant.post(`/api/v1/companies/${id}/contacts`, { first_name, last_name, phone: "+40 722 555 012" });
  }
  const day = Temporal.Now.plainDateISO().toString();
  await tenant.post(`/api/v1/companies/${id}/invoices`, {
    number: "F-1",
    total: "10",
    currency: "RON",
    issued_on: day,
  });
  return { tenant, member, id: id as number, path: `/companies/${id}` };
}

/** The sections in the order in which a person sees them, and where the last of some ends. */
const ORDER = `[...document.querySelectorAll("#figures, #log, #contacts, #invoices, #happened, #facts")]
  .map((part) => ({ id: part.id, ...part.getBoundingClientRect().toJSON() }))
  .toSorted((a, b) => a.top - b.top || a.left - b.left)`;
type Box = { id: string; top: number; bottom: number; left: number };

test("the form that writes and what happened stand beside people, invoices and details; on a phone they follow each other", async () => {
  const { tenant, member, path } = await firm();
  // As much as a company has above its people: each figure, with the day of a call that has passed.
  const late = {
    email: "comenzi@bacania-transilvana.example",
    callback_date: "2026-01-05",
    assigned_to: member.userId,
  };
  await tenant.put(`/api/v1${path}`, late);
  const due = { total: "6120.00", currency: "RON", issued_on: "2026-01-01", due_on: "2026-01-31", status: "issued" };
  await tenant.post(`/api/v1${path}/invoices`, { number: "F-2", ...due });
  await member.post(`${path}/activities`, { kind: "call", note: "Said" });
  const wide = await openPage(server, { as: member, width: 1440 });
  await wide.goto(path);
  const boxes = await wide.evaluate<Box[]>(ORDER);
  const left = (id: string) => boxes.find((box) => box.id === id)?.left ?? 0;
  assert.ok(left("log") > left("contacts") + 500);
  assert.equal(left("happened"), left("log"));
  assert.equal(left("facts"), left("contacts"));
  for (const locale of ["en", "ro"]) {
    const narrow = await openPage(server, { as: member, width: 390, locale });
    await narrow.goto(path);
    // The details are folded.
    await narrow.locator(".folding").click();
    const order = await narrow.evaluate<Box[]>(ORDER);
    assert.deepEqual(
      order.map(({ id }) => id),
      ["figures", "log", "contacts", "invoices", "happened", "facts"],
    );
    const people = order.find(({ id }) => id === "contacts");
    assert.ok((people?.bottom ?? Infinity) <= 800, `the people end at ${people?.bottom}`);
    assert.deepEqual(await violationsOf(narrow), []);
  }
});

for (const javaScriptEnabled of [true, false]) {
  test(`Log in a contact's row is the form of the page, with the person chosen, ${javaScriptEnabled ? "with" : "without"} JavaScript`, async () => {
    const { member, path } = await firm();
    const page = await openPage(server, { as: member, javaScriptEnabled });
    await page.goto(path);
    await page.locator("#contacts").getByRole("link", { name: "Log Mihai Rus" }).click();
    await page.locator("#composer option:checked", { hasText: "Mihai Rus" }).waitFor({ state: "attached" });
    if (javaScriptEnabled) await page.locator("#note:focus").waitFor();
    await page.locator(".kinds").getByText("Call out", { exact: true }).click();
    await page.locator("#note").fill("Asked for a price");
    if (javaScriptEnabled) await page.keyboard.press("Control+Enter");
    else await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.locator("#happened").getByText("Asked for a price").waitFor();
    assert.match(await page.locator("#happened .events > li").first().innerText(), /Ana Pop called Mihai Rus/);
    await page.locator("#figures").getByText("Today").waitFor();
  });
}

test("status, owner and the next call are changed where they stand, and are nowhere else on the page", async () => {
  const { member, path } = await firm();
  const page = await openPage(server, { as: member });
  await page.goto(path);
  for (const [field, value, shown] of [
    ["status", "active", "Active"],
    ["assigned_to", String(member.userId), "Ana Pop"],
  ] as const) {
    await page.locator(`#heading #fact-${field}`).click({ position: { x: 5, y: 12 } });
    await page.locator(`#heading select#${field}`).selectOption(value);
    await page.locator(`#heading #fact-${field}`, { hasText: shown }).waitFor();
    assert.equal(await page.locator(`#facts #fact-${field}`).count(), 0);
  }
  await page.locator("#facts #fact-callback_date").click({ position: { x: 5, y: 12 } });
  await page.locator("#callback_date").fill("2030-01-15");
  await page.keyboard.press("Enter");
  await page.locator("#figures #fact-callback_date", { hasText: "15 Jan 2030" }).waitFor();
  assert.equal(await page.locator("#fact-callback_date").count(), 1);
  await page.getByRole("button", { name: "Done" }).click();
  await page.locator("#facts #fact-callback_date").waitFor();
  assert.deepEqual(await violationsOf(page), []);
});

test("Older and Newest turn the pages of the activity in place, and a line of several changes opens", async () => {
  const { member, path } = await firm();
  for (let n = 0; n < 25; n++) await member.post(`${path}/activities`, { kind: "note", note: `note ${n}.` });
  await member.post(path, { city: "Cluj-Napoca" });
  await member.post(path, { notes: "Pays on time.", county: "Cluj", postal_code: "400114" });
  const page = await openPage(server, { as: member });
  await page.goto(path);
  const happened = page.locator("#happened");
  await happened.getByText("note 24.").waitFor();
  await happened.getByRole("link", { name: "Older" }).click();
  await happened.getByText("note 14.").waitFor();
  assert.equal(await happened.getByText("note 24.").count(), 0);
  assert.equal(page.url(), `${server.url}${path}`);
  await happened.getByRole("link", { name: "Newest" }).click();
  await happened.getByText("note 24.").waitFor();
  await happened.getByRole("link", { name: "Changes", exact: true }).click();
  const folded = happened.locator("summary", { hasText: /^Ana Pop changed county, postal code and 2 more$/ });
  await folded.waitFor();
  const whole = happened.getByText("from Turda to Cluj-Napoca");
  assert.ok(await whole.isHidden());
  await folded.click();
  await whole.waitFor();
  assert.deepEqual(await violationsOf(page), []);
});

test("a taken fiscal id marks its field, which has the focus", async () => {
  const { member, path } = await firm();
  const page = await openPage(server, { as: member });
  await page.goto("/companies/new");
  await page.locator("#name").fill("Another");
  await page.locator("#tax_id").fill("RO123");
  await page.keyboard.press("Enter");
  await page.locator("#tax_id:focus[aria-invalid=true]").waitFor();
  await page.locator("#tax_id-error", { hasText: "Another company has this fiscal id." }).waitFor();
  assert.equal(await page.locator(".error-summary a").getAttribute("href"), path);
  assert.deepEqual(await violationsOf(page), []);
});
