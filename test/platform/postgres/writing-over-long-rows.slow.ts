import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startImportServer } from "../../exchange/imports/import-server.ts";
import type { TestTenant } from "../../harness.ts";
import { poll, serve } from "../../program.ts";

/**
 * What a few words in a file, or in a batch, are written over may be as long as it may be: a process without much
 * memory does it.
 */

const ROWS = 150;
const LONG = 65_535;
const server = await startImportServer();
const program = await serve({
  ...server.environment,
  LIAISON_RATE_LIMIT: "0",
  NODE_OPTIONS: "--max-old-space-size=128",
});

/** The first id of companies, or of invoices, whose texts are as long as they may be. */
async function withLongTexts({ id: tenant }: TestTenant): Promise<{ company: number; invoice: number }> {
  const [company] = await server.sql(
    `with made as (
      insert into companies (tenant_id, name, tax_id, country, notes, delivery_notes)
      select $1, 'Company ' || n, 'T' || n, 'Romania', repeat('😀', $2), repeat('😀', $2) from generate_series(1, $3) n returning id
    ) select min(id)::int as id from made`,
    [tenant, LONG, ROWS],
  );
  const [invoice] = await server.sql(
    `with made as (
      insert into invoices (tenant_id, company_id, number, lines)
      select $1, $2, 'L-' || n, (
        select json_agg(json_build_object('position', at, 'description', repeat('😀', 255), 'quantity', '1', 'unit_price', '1'))::text
        from generate_series(1, 500) at
      ) from generate_series(1, $3) n returning id
    ) select min(id)::int as id from made`,
    [tenant, company?.id, ROWS],
  );
  return { company: Number(company?.id), invoice: Number(invoice?.id) };
}

const tenant = await server.createTenant();
const first = await withLongTexts(tenant);
const member = await signedIn({ deps: server.deps, url: program.url }, tenant);
const idsFrom = (id: number) => Array.from({ length: ROWS }, (_, at) => id + at);

async function settled(path: string): Promise<string> {
  let text = "";
  await poll(
    "the end of the import's job",
    async () => {
      ({ text } = await member.get(path));
      return !text.includes("data-refresh");
    },
    480,
  );
  return text;
}

for (const [nouns, ids, item] of [
  ["companies", idsFrom(first.company), { notes: "Short", city: "Turda" }],
  ["invoices", idsFrom(first.invoice), { lines: [{ description: "Short", quantity: "1", unit_price: "1" }] }],
] as const) {
  test(`a batch tries ${nouns} that are as long as they may be`, async () => {
    const body = { dry_run: true, items: ids.map((id) => Object.assign({ id }, item)) };
    const answer = await fetch(`${program.url}/api/v1/${nouns}/batch`, {
      method: "POST",
      headers: { authorization: `Bearer ${tenant.token}` },
      body: JSON.stringify(body),
    });
    assert.equal(answer.status, 200);
    assert.equal(((await answer.json()) as { updated: number }).updated, ROWS);
  });
}

for (const [kind, csv] of [
  ["companies", ["tax_id,notes,delivery_notes", ...idsFrom(1).map((at) => `T${at},Short,Short`)]],
  ["invoice_lines", ["invoice_number,position,description", ...idsFrom(1).map((at) => `L-${at},7,Short`)]],
] as const) {
  test(`an import of ${kind} over rows that are as long as they may be is checked, made and undone`, async () => {
    const { location } = await member.upload("/imports", { kind }, { "short.csv": `${csv.join("\n")}\n` });
    const path = String(location);
    assert.match(await settled(path), new RegExp(`Change <b>${ROWS}<`));
    await member.post(`${path}/start`);
    assert.match(await settled(path), new RegExp(`<p class="result">${ROWS} changed`));
    await member.post(`${path}/undo`);
    assert.match(await settled(path), new RegExp(`<p class="result">${ROWS} restored`));
  });
}
