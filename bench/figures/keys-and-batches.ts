import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Candidate } from "../candidates/candidates.ts";
import { removeCreated, untilIdle } from "../load/before-and-after.ts";
import { median } from "../load/percentiles.ts";
import { create, keyedCreate } from "../load/scenarios.ts";
import { companyAt } from "../tenants/dataset.ts";
import type { SeededTenant } from "../tenants/seed.ts";
import type { Figure } from "./figure.ts";
import { ended, startImport, writeRows } from "./import-process.ts";
import { inTurns } from "./in-turns.ts";
import { CONNECTIONS } from "./measure-scenario.ts";

const ITEMS = 1_000;
const BATCHES = 20;

/** Creates with a key beside creates without, in turns; and batches beside the import of as many such rows. */
export async function keyAndBatchFigures(
  product: Candidate,
  tenant: SeededTenant,
  progress: (message: string) => void,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [told, connections] of [
    ["coalesced", CONNECTIONS],
    ["alone", 1],
  ] as const) {
    progress(`creates with a key, ${told}`);
    const name = `throughput of creates with a key / without, ${told}`;
    figures.push({ name, ...(await inTurns(product, tenant, keyedCreate, create, { connections })), atLeast: 0.8 });
  }
  progress("batches");
  return [...figures, ...(await batchFigures(product, tenant))];
}

async function batchFigures({ url, place }: Candidate, tenant: SeededTenant): Promise<Figure[]> {
  const { owner, dataDir } = place;
  const times: number[] = [];
  for (let batch = 0; batch <= BATCHES; batch++) {
    const items = Array.from({ length: ITEMS }, (_, index) => item(batch * ITEMS + index));
    const began = performance.now();
    const answer = await fetch(`${url}/api/v1/companies/batch`, {
      method: "POST",
      headers: { authorization: `Bearer ${tenant.token}` },
      body: JSON.stringify({ items }),
    });
    const { created } = (await answer.json()) as { created: number };
    if (created !== ITEMS) throw new Error(`${created} of ${ITEMS} companies were created by a batch`);
    if (batch > 0) times.push(performance.now() - began);
  }
  await untilIdle(owner);
  await removeCreated(owner, tenant);
  const rows = ITEMS * BATCHES;
  const file = path.join(os.tmpdir(), `liaison-bench-batch-${process.pid}.csv`);
  writeRows(file, Object.keys(item(0)), rows, (index) => item(rows + ITEMS + index));
  const began = performance.now();
  await ended(startImport(dataDir, tenant, file));
  const imported = performance.now() - began;
  fs.rmSync(file);
  await untilIdle(owner);
  await removeCreated(owner, tenant);
  const together = times.reduce((sum, time) => sum + time, 0);
  return [
    { name: `batch of ${told(ITEMS)} companies of 20 fields`, value: median(times) / 1_000, unit: "s", atMost: 1 },
    {
      name: `rows per second of batches / of an import of ${told(rows)} such companies`,
      value: imported / together,
      atLeast: 0.8,
    },
  ];
}

/** A new company of twenty fields. */
function item(number: number): Record<string, string | number | null> {
  const { owner: _owner, ...company } = companyAt(70_000_000 + number, 100_000_000);
  const texts = { status_code: 10, managing_company: "Holding", activity_domain: "Trade", delivery_notes: "Ramp 2." };
  return { ...company, ...texts, tax_id: `BATCH${number}`, callback_date: "2027-01-10", notes: "Mornings." };
}

function told(rows: number): string {
  return rows.toLocaleString("en");
}
