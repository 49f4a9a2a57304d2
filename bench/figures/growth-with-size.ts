import pg from "pg";
import type { Candidate } from "../candidates/candidates.ts";
import { median } from "../load/percentiles.ts";
import { listPage1, listPage10000, searchEvery, searchFew, type Scenario } from "../load/scenarios.ts";
import type { SeededTenant } from "../tenants/seed.ts";
import type { Figure } from "./figure.ts";
import { measure } from "./measure-scenario.ts";

const ROUNDS = 7;
const SECONDS = 0.4;

/**
 * How the time of one request grows with the tenant: one connection, the cases taking turns, the median of the rounds'
 * medians. Only what the run's sizes allow.
 */
export async function growthFigures(
  product: Candidate,
  sizes: number[],
  progress: (message: string) => void,
): Promise<Figure[]> {
  const [small, large] = [Math.min(...sizes), Math.max(...sizes)];
  const ratio = async (name: string, atMost: number | null, over: Case, under: Case): Promise<Figure> => {
    progress(name);
    const times: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      times[0].push(await over());
      times[1].push(await under());
    }
    return { name, value: median(times[0]) / median(times[1]), ...(atMost === null ? {} : { atMost }) };
  };
  const one = (scenario: Scenario, size: number): Case => {
    const tenant = product.place.tenants.get(size);
    if (tenant === undefined) throw new Error(`no tenant of ${size} companies`);
    return async () => (await measure(product, scenario, tenant, SECONDS, 1)).p50;
  };
  const grown = `${large.toLocaleString("en")} / at ${small.toLocaleString("en")} companies`;
  const figures: Figure[] = [];
  if (large > small) {
    figures.push(
      await ratio(`time of list page 1 at ${grown}`, 1.5, one(listPage1, large), one(listPage1, small)),
      await ratio(`time of search few at ${grown}`, 2, one(searchFew, large), one(searchFew, small)),
    );
  }
  const isLarge = large >= (listPage10000.smallest ?? 0);
  if (isLarge) {
    const name = `time of list page 10,000 / page 1 at ${large.toLocaleString("en")} companies`;
    figures.push(await ratio(name, 10, one(listPage10000, large), one(listPage1, large)));
  }
  const tenant = product.place.tenants.get(large);
  if (tenant !== undefined) {
    const client = await connectAsApp(product);
    const name = `time of search every row / count(*) at ${large.toLocaleString("en")} companies`;
    // Where there is little to count, what every request costs is most of it.
    const goal = isLarge ? 1.5 : null;
    figures.push(await ratio(name, goal, one(searchEvery, large), async () => await timeOfCount(client, tenant)));
    await client.end();
  }
  return figures;
}

/** Milliseconds of one request. */
type Case = () => Promise<number>;

/** The role and the settings that requests have. */
async function connectAsApp({ place }: Candidate): Promise<pg.Client> {
  const options = "-c role=liaison_app -c timezone=UTC -c jit=off";
  const client = new pg.Client({ ...place.connection, options });
  await client.connect();
  return client;
}

async function timeOfCount(client: pg.Client, { id }: SeededTenant): Promise<number> {
  const times: number[] = [];
  const until = performance.now() + 1_000 * SECONDS;
  do {
    const began = performance.now();
    await client.query(`begin isolation level repeatable read read only;set local app.tenant_id = '${id}'`);
    await client.query({
      name: "count",
      text: "select count(*) from companies where tenant_id = $1 and deleted_at is null",
      values: [id],
    });
    await client.query("commit");
    times.push(performance.now() - began);
  } while (performance.now() < until);
  return median(times);
}
