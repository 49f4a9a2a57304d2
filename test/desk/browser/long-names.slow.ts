import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { openPage } from "../../kit/browser/browser.ts";

const server = await startServer();
const tenant = await server.createTenant();
const member = await signedIn(server, tenant);
const NAME = "W".repeat(255);

async function created(path: string, body: object): Promise<string> {
  const answer = await tenant.post(`/api/v1${path}`, body);
  assert.equal(answer.status, 201, answer.text);
  return String(answer.body.data.id);
}

const email = `${"a".repeat(64)}@example.com`;
const company = await created("/companies", {
  name: NAME,
  email,
  assigned_to: member.userId,
  callback_date: "2026-01-05",
});
await created("/companies", { name: NAME });
const person = { first_name: "W".repeat(100), last_name: "W".repeat(100), position: "W".repeat(100), email };
const contact = await created(`/companies/${company}/contacts`, person);
const lines = [{ sku: "W".repeat(60), description: NAME, quantity: "1", unit_price: "2" }];
const dates = { issued_on: "2026-01-05", due_on: "2026-01-06" };
const invoice = await created(`/companies/${company}/invoices`, {
  number: "W".repeat(60),
  status: "issued",
  ...dates,
  lines,
});

test("names of 255 letters without a blank make no page scroll sideways, at any width", async () => {
  for (const width of [1440, 1000, 768, 320]) {
    const page = await openPage(server, { as: member, width });
    for (const path of [
      ...["", "/edit", "/contacts/new", "/statement", "/invoices", "/merge"].map(
        (end) => `/companies/${company}${end}`,
      ),
      ...["", "/edit"].map((end) => `/contacts/${contact}${end}`),
      ...["", "/edit", "/copy"].map((end) => `/invoices/${invoice}${end}`),
      "/companies",
      "/companies/alike",
      "/contacts",
      "/orders?view=all",
      "/money",
      "/sales",
      "/today?whose=all",
      "/history",
      "/find?q=WWWWWW",
      `/invoices/new?company=${company}`,
    ]) {
      const answer = await page.goto(path);
      assert.equal(answer?.status(), 200, path);
      const wider = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
      assert.equal(wider, 0, `${path} at ${width} px`);
    }
    await page.close();
  }
});
