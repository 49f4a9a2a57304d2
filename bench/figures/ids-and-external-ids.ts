import type { Candidate } from "../candidates/candidates.ts";
import { create, externalCreate, LOOKED_UP, lookUpMany, show } from "../load/scenarios.ts";
import type { SeededTenant } from "../tenants/seed.ts";
import type { Figure } from "./figure.ts";
import { inTurns } from "./in-turns.ts";
import { CONNECTIONS } from "./measure-scenario.ts";

/** Creates with an external id in turns with creates without, and look-ups by ids with a request for each company. */
export async function idFigures(
  product: Candidate,
  tenant: SeededTenant,
  progress: (message: string) => void,
): Promise<Figure[]> {
  progress("creates with an external id");
  const external = await inTurns(product, tenant, externalCreate, create);
  const figures: Figure[] = [
    { name: "throughput of creates with an external id / without", ...external, atLeast: 0.9 },
  ];
  if (tenant.companies < LOOKED_UP) return figures;
  for (const [told, connections] of [
    ["coalesced", CONNECTIONS],
    ["alone", 1],
  ] as const) {
    progress(`look-ups by ids, ${told}`);
    const { value, byCpu = 0 } = await inTurns(product, tenant, lookUpMany, show, { connections });
    figures.push({
      name: `companies looked up by ${LOOKED_UP} ids / by a request each, ${told}`,
      value: value * LOOKED_UP,
      byCpu: byCpu * LOOKED_UP,
      atLeast: 100,
    });
  }
  return figures;
}
