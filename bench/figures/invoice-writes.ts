import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { startCandidates, type Candidate } from "../candidates/candidates.ts";
import { startCompared } from "../candidates/other-commit.ts";
import { openPlace } from "../candidates/seeded-place.ts";
import type { LoadRequest } from "../load/load-job.ts";
import { median } from "../load/percentiles.ts";
import type { Scenario } from "../load/scenarios.ts";
import type { Options } from "../options.ts";
import { dataDirectory, ROOT } from "../tenants/data-directory.ts";
import type { SeededTenant } from "../tenants/seed.ts";
import type { Figure } from "./figure.ts";
import { ended, startImport, writeRows } from "./import-process.ts";
import { CONNECTIONS, measure } from "./measure-scenario.ts";

const COMPANIES = 1_000;
const ROUNDS = 7;
const SECONDS = 2;
/** More than a round sends. */
const CREATED = 20_000;
const UPDATED = 4_000;
const [GOAL, IMPORT_GOAL] = [0.93, 0.9];
const [IMPORT_ROUNDS, IMPORTED] = [5, 8_000];

/** Creates, updates and imports of invoices beside those of another commit, which has no payments and no reports. */
export async function invoiceWriteFigures(options: Options, progress: (message: string) => void): Promise<Figure[]> {
  const own = { ...options, sizes: [COMPANIES] };
  const { place, close } = await openPlace(dataDirectory("full"), own, progress);
  const { candidates, generator } = await startCandidates(place, own, progress);
  const figures: Figure[] = [];
  try {
    const compared = await startCompared(own, place, generator, progress);
    candidates.push(compared);
    const [product] = candidates as [Candidate];
    const ids = new Map<Candidate, string[]>();
    for (const candidate of candidates) ids.set(candidate, await invoicesOf(candidate));
    for (const [name, scenarioOf] of [
      ["creates", () => create],
      ["updates", (candidate: Candidate) => updateOf(ids.get(candidate) ?? [])],
    ] as const) {
      progress(`${name} of invoices`);
      const run = async (candidate: Candidate) =>
        await measure(candidate, scenarioOf(candidate), tenantOf(candidate), SECONDS, CONNECTIONS);
      const [ratios, cpu]: [number[], number[]] = [[], []];
      // The first round warms up.
      for (let round = 0; round <= ROUNDS; round++) {
        const [before, now] = [await run(compared), await run(product)];
        if (round === 0) continue;
        ratios.push(now.requestsPerSecond / before.requestsPerSecond);
        cpu.push((before.serverCpu + before.databaseCpu) / (now.serverCpu + now.databaseCpu));
      }
      const title = `throughput of ${name} of invoices / of ${options.compare}`;
      figures.push({ name: title, value: median(ratios), byCpu: median(cpu), atLeast: GOAL });
    }
    progress("imports of invoices");
    const ratios: number[] = [];
    for (let round = 0; round <= IMPORT_ROUNDS; round++) {
      const [before, now] = [await importMs(compared, compared.root, round), await importMs(product, ROOT, round)];
      if (round > 0) ratios.push(before / now);
    }
    const title = `speed of imports of invoices / of ${options.compare}`;
    figures.push({ name: title, value: median(ratios), atLeast: IMPORT_GOAL });
  } finally {
    await generator.stop();
    for (const { stop } of candidates) await stop();
    await close();
  }
  return figures;
}

const tenantOf = ({ place }: Candidate) => place.tenants.get(COMPANIES) as SeededTenant;

/** Invoices that no warehouse has. */
async function invoicesOf(candidate: Candidate): Promise<string[]> {
  const { id, firstCompany, companies } = tenantOf(candidate);
  const { owner } = candidate.place;
  await owner.query("delete from invoices where tenant_id = $1 and number like 'WRITTEN-%'", [id]);
  const { rows } = await owner.query<{ id: string }>(
    `insert into invoices (tenant_id, company_id, number, issued_on, total, currency)
    select $1, $2::bigint + n % $3::integer, 'WRITTEN-' || n, '2026-11-01', 100, 'RON' from generate_series(1, $4::integer) n
    returning id`,
    [id, firstCompany, companies, UPDATED],
  );
  await owner.query("vacuum analyze invoices");
  return rows.map((row) => row.id);
}

/**
 * Milliseconds of `liaison import` of new invoices, a third of them paid.
 * @param root the checkout whose command it is
 */
async function importMs(candidate: Candidate, root: string, round: number): Promise<number> {
  const tenant = tenantOf(candidate);
  const file = path.join(os.tmpdir(), `liaison-bench-invoices-${process.pid}.csv`);
  const columns = ["number", "company_id", "issued_on", "total", "currency", "status"];
  writeRows(file, columns, IMPORTED, (index) => {
    const { issued_on, total, currency } = body(index);
    const status = index % 3 === 0 ? "paid" : "issued";
    const company = tenant.firstCompany + (index % COMPANIES);
    return { number: `WRITTEN-I${round}-${index}`, company_id: company, issued_on, total, currency, status };
  });
  const began = performance.now();
  await ended(startImport(candidate.place.dataDir, tenant, file, { kind: "invoices", root }));
  const ms = performance.now() - began;
  fs.rmSync(file);
  return ms;
}

const body = (number: number) => ({
  issued_on: `2026-11-${String(1 + (number % 28)).padStart(2, "0")}`,
  total: `${100 + (number % 900)}.50`,
  currency: "RON",
  lines: [{ sku: "BOX", description: "Goods", quantity: "2", unit_price: `${50 + (number % 450)}.25` }],
});

const create: Scenario = {
  name: "creates of invoices",
  once: true,
  requests: ({ firstCompany }, serial) =>
    Array.from({ length: CREATED }, (_, index): LoadRequest => {
      const number = serial * CREATED + index;
      return {
        method: "POST",
        path: `/api/v1/companies/${firstCompany + (number % COMPANIES)}/invoices`,
        body: JSON.stringify({ number: `WRITTEN-N${number}`, ...body(number) }),
      };
    }),
};

function updateOf(ids: readonly string[]): Scenario {
  return {
    name: "updates of invoices",
    requests: (_tenant, serial) =>
      ids.map((id, index) => {
        return { method: "PUT", path: `/api/v1/invoices/${id}`, body: JSON.stringify(body(serial * UPDATED + index)) };
      }),
  };
}
