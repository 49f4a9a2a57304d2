import type { Candidate } from "../candidates/candidates.ts";
import { residentMegabytes } from "../candidates/process-usage.ts";
import { median } from "../load/percentiles.ts";
import { mix } from "../load/scenarios.ts";
import type { SeededTenant } from "../tenants/seed.ts";
import type { Figure } from "./figure.ts";
import { measure } from "./measure-scenario.ts";

const SECONDS = 5;

/** The server's memory while it answers the mix for as long as asked. */
export async function soakFigures(
  product: Candidate,
  tenant: SeededTenant,
  minutes: number,
  progress: (message: string) => void,
): Promise<Figure[]> {
  const sizes: number[] = [];
  const until = performance.now() + 60_000 * minutes;
  while (performance.now() < until) {
    const left = Math.ceil((until - performance.now()) / 60_000);
    progress(`${left} more minutes of the mix, ${Math.round(sizes.at(-1) ?? 0)} MB`);
    await measure(product, mix, tenant, SECONDS);
    sizes.push(residentMegabytes(product.pid));
  }
  const third = Math.floor(sizes.length / 3);
  // The first third is where the heap finds its size; from then on, nothing may grow.
  const growth = median(sizes.slice(-third)) / median(sizes.slice(third, 2 * third));
  return [
    {
      name: `server's memory at the end of ${minutes} minutes of the mix`,
      value: sizes.at(-1) ?? 0,
      unit: "MB",
      atMost: 200,
    },
    { name: "memory in the last third / in the second", value: growth, atMost: 1.1 },
  ];
}
