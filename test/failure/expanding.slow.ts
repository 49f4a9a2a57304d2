import assert from "node:assert/strict";
import { once } from "node:events";
import net from "node:net";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { withLongestFields } from "../customers/custom-fields/longest-fields.ts";
import { signedIn } from "../doors/pages/visitor.ts";
import { startImportServer } from "../exchange/imports/import-server.ts";
import { freePort, serve } from "../program.ts";
import { production } from "../tidy/checkout.ts";
import { elsewhere, stages as others, type Fed } from "./expanding-stages.ts";
import { exported } from "./stages-of-exports.ts";
import { stagesOfFields } from "./stages-of-fields.ts";

/**
 * A stage that makes much of little rests by the amount that it makes: a reference of ten bytes may stand for a text of
 * 32,767 characters. Each stage gets its most expanding input. The limit counts processor time of the server's main
 * thread, so other processes of the machine hardly matter.
 */
const MOST_MS = 20;
/** The processor time of `work` on the machine that MOST_MS is of. A slower one has as much more for a stretch. */
const WORK_MS = 7;
/** As slow as the slowest machine that was seen, and half as much again. */
const MOST_TIMES_SLOWER = 5;
/** A collection of garbage or the compilation of code may fall into one try. A stretch without a rest is in each. */
const TRIES = 4;

const stages = [...others, ...exported, ...stagesOfFields];

const server = await startImportServer();
const port = await freePort();
let fed: Fed;

before(async () => {
  const { url } = await serve({
    ...server.environment,
    LIAISON_RATE_LIMIT: "0",
    LIAISON_TEST_STRETCH_PORT: String(port),
    NODE_OPTIONS: `--import=${fileURLToPath(new URL("stretch-probe.ts", import.meta.url))}`,
  });
  const tenant = await server.createTenant();
  const member = await signedIn({ deps: server.deps, url }, tenant, { role: "admin" });
  const headers = { authorization: `Bearer ${tenant.token}`, "content-type": "application/json" };
  const api: Fed["api"] = async (path, options = {}) =>
    await fetch(`${url}/api/v1${path}`, { ...options, headers: { ...headers, ...options.headers } });
  const mcp: Fed["mcp"] = async (method, params) => {
    const accept = { ...headers, accept: "application/json, text/event-stream" };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const answer = await fetch(`${url}/mcp`, { method: "POST", body, headers: accept });
    await answer.text();
    return answer.status;
  };
  const ids = await fill(api, async (statement) => await server.sql(statement, [tenant.id]));
  const sql = async (text: string, parameters: unknown[]) => await server.sql(text, parameters);
  const field = await withLongestFields(sql, { tenant: tenant.id, user: member.userId, records: 100 });
  fed = { member, api, mcp, ids: { ...ids, field } };
});

/** Fills a workspace with the most that an answer embeds: 100 resources of each kind for each of 50 companies. */
async function fill(api: Fed["api"], sql: (statement: string) => Promise<unknown>): Promise<Omit<Fed["ids"], "field">> {
  await sql(`insert into companies (tenant_id, name, country, notes, delivery_notes)
    select $1, 'Company ' || n, 'Romania', repeat('"', 65535), repeat('ț', 65535) from generate_series(1, 60) n`);
  const listed = async (path: string) => ((await (await api(path)).json()) as { data: { id: number }[] }).data;
  const companies = (await listed("/companies?per_page=50")).map(({ id }) => id);
  const numbers = Array.from({ length: 100 }, (_, at) => at);
  const batch = async (kind: string, item: (company_id: number, at: number) => object) => {
    for (let at = 0; at < companies.length; at += 10) {
      const items = companies.slice(at, at + 10).flatMap((company) => numbers.map((n) => item(company, n)));
      const answer = await api(`/${kind}/batch`, { method: "POST", body: JSON.stringify({ items }) });
      assert.equal(((await answer.json()) as { created: number }).created, items.length);
    }
  };
  const quotes = '"'.repeat(100);
  const [phone, long] = ["+40 722 000 111", quotes.repeat(9)];
  await batch("contacts", (company_id, n) => {
    const named = { first_name: `A${n}`, last_name: quotes, external: { a: `${company_id}/${n}` } };
    return { company_id, ...named, phone, mobile: phone, notes: long };
  });
  await batch("addresses", (company_id, n) => {
    return { company_id, label: `A${n}`, type: "delivery", address: "x", phone, delivery_notes: long };
  });
  await batch("invoices", (company_id, n) => {
    const line = { sku: "S", description: quotes, quantity: "1", unit_price: "2" };
    return { company_id, number: `N${company_id}-${n}`, lines: Array.from({ length: 10 }, () => line) };
  });
  const first = async (path: string) => String((await listed(path))[0]?.id);
  const company = String(companies[0]);
  const [contact, address] = [await first("/contacts"), await first("/addresses")];
  const invoice = await first(`/companies/${company}/invoices`);
  await api(`/invoices/${invoice}`, { method: "PUT", body: JSON.stringify({ status: "issued" }) });
  // A company with as many open invoices and payments as a year of a large customer.
  await sql(`insert into invoices (tenant_id, company_id, number, status, issued_on, currency, total)
    select $1, ${company}, 'Y' || n, 'issued', current_date, 'RON', 5 from generate_series(1, 20000) n`);
  await sql(`insert into payments (tenant_id, company_id, invoice_id, amount, paid_on, means, reference)
    select $1, ${company}, id, 1, current_date, 'bank', repeat('"', 100) from invoices
    where tenant_id = $1 and company_id = ${company} and number like 'Y%'`);
  const items = numbers.map((n) => ({
    invoice_id: Number(invoice),
    amount: "1",
    reference: quotes,
    external: { a: `${n}` },
  }));
  await api("/payments/batch", { method: "POST", body: JSON.stringify({ items }) });
  return { company, contact, address, invoice, payment: await first("/payments") };
}

/** The longest stretch since the last call, in milliseconds. */
async function stretch(): Promise<number> {
  const socket = net.connect(port, "127.0.0.1").setEncoding("utf8");
  let text = "";
  socket.on("data", (more) => (text += String(more)));
  await once(socket, "close");
  return Math.round(Number(text));
}

/**
 * The longest stretch that is allowed at this moment: other tenants of a machine make its processors slower. As a
 * stretch is the longest of many, so is what it is compared with.
 */
function mostMs(): number {
  const measured = Array.from({ length: 8 }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return MOST_MS * Math.min(Math.max(1, ...measured.map((ms) => ms / WORK_MS)), MOST_TIMES_SLOWER);
}

/** What stages do most: texts that are composed, and JSON. */
function work(): void {
  for (let round = 0; round < 200; round++) {
    `\u00e9${"\u0301".repeat(90)}${round}`.normalize("NFD").normalize("NFC");
    JSON.parse(JSON.stringify(Array.from({ length: 200 }, (_none, at) => ({ at, text: `"${at}` }))));
  }
}

for (const { what, feed } of stages) {
  test(`${what} lets others in after ${MOST_MS} ms`, async (context) => {
    const seen: number[] = [];
    let most = MOST_MS;
    do {
      await stretch();
      await feed(fed);
      seen.push(await stretch());
      if (Math.min(...seen) > most) most = mostMs();
    } while (Math.min(...seen) > most && seen.length < TRIES);
    const told = `${seen.join(", ")} of ${most.toFixed(1)} ms`;
    context.diagnostic(told);
    assert.ok(Math.min(...seen) <= most, `${told}: rest by the amount that is written`);
  });
}

/** What unpacks, or makes an answer or rows piece by piece. */
const EXPANDS = /AsyncGenerator<|\b(?:create)?(?:Gunzip|Inflate|Unzip|BrotliDecompress)\w*\(|\breadXml\(/i;

test("every stage that expands has its most expanding input in expanding-stages.ts", () => {
  const found = production
    .filter(({ name, text }) => !/^src\/(?:cli|operation\/backup)\//.test(name) && EXPANDS.test(text))
    .map(({ name }) => name);
  const listed = new Set([...stages.flatMap(({ files }) => files), ...Object.keys(elsewhere)]);
  assert.deepEqual(
    found.filter((name) => !listed.has(name)),
    [],
    "add a row",
  );
  const names = new Set(production.map(({ name }) => name));
  assert.deepEqual(
    [...listed].filter((name) => !names.has(name)),
    [],
    "there is no such file",
  );
});
