import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";
import { runWorker } from "../../running-worker.ts";
import { settled } from "./settled-import.ts";

const server = await startServer();
runWorker(server);

for (const language of ["en", "ro"]) {
  test(`a list of orders that was exported changes nothing when it is imported again (${language})`, async () => {
    const tenant = await server.createTenant();
    const member = await signedIn(server, tenant);
    await member.post("/profile", { language });
    const company = (await tenant.post("/api/v1/companies", { name: "Acme", tax_id: "RO1" })).body.data.id;
    const invoices = [
      { status: "issued", total: "1234.50", currency: "RON", issued_on: "2026-11-01" },
      { status: "issued", total: "1500", currency: "EUR", issued_on: "2026-11-02", due_on: "2026-11-20" },
      { status: "paid", total: "10", currency: "RON", issued_on: "2026-11-03" },
      { status: "draft", total: "10", currency: "RON" },
      { status: "cancelled", total: "10", currency: "RON", issued_on: "2026-11-03" },
    ];
    for (const [index, invoice] of invoices.entries())
      await tenant.post(`/api/v1/companies/${company}/invoices`, { number: `F-${index}`, ...invoice });
    const { text } = await member.get("/orders/export");
    const upload = await member.upload("/imports", {}, { "orders.csv": new TextEncoder().encode(text) });
    const path = String(upload.location);
    // The columns are as they are proposed.
    await member.post(`${path}/reading`, formOf(await settled(member, path)));
    const page = await settled(member, path);
    const counts = [...(/<nav class="outcomes".*?<\/nav>/s.exec(page)?.[0].matchAll(/<b>(\d+)<\/b>/g) ?? [])];
    assert.deepEqual(
      counts.map(([, count]) => count),
      ["0", "0", "5", "0"],
      page,
    );
  });
}

/** The values of the page's form about the columns. */
function formOf(page: string): Record<string, string> {
  const form: Record<string, string> = {};
  for (const [, name = "", inner = ""] of page.matchAll(/<select[^>]* name="([^"]+)"[^>]*>(.*?)<\/select>/gs))
    form[name] = /<option value="([^"]*)" selected/.exec(inner)?.[1] ?? "";
  return form;
}
