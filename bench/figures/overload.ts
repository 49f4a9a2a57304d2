import path from "node:path";
import { openPlace } from "../candidates/seeded-place.ts";
import { startProduct } from "../candidates/servers.ts";
import type { OpenLoad, Sent } from "../load/open-load.ts";
import { percentiles } from "../load/percentiles.ts";
import { stopProcess } from "../load/processes.ts";
import { listPage1 } from "../load/scenarios.ts";
import { startWorker } from "../load/worker.ts";
import type { Options } from "../options.ts";
import { ROOT } from "../tenants/data-directory.ts";
import type { SeededTenant } from "../tenants/seed.ts";
import type { Figure } from "./figure.ts";

export type OverloadSizes = { companies: number; seconds: number };

export const FULL_OVERLOAD: OverloadSizes = { companies: 1_000, seconds: 5 };
export const QUICK_OVERLOAD: OverloadSizes = { companies: 100, seconds: 1 };

const AT_ONCE = 64;
const TIMES = 3;
/** Of the most that is answered: the load before and after. */
const USUAL = 0.5;
/** Latency is back once its p99 is at most twice that of before, or below this many milliseconds. */
const [BACK_TIMES, BACK_MS] = [2, 100];

/** Lists at three times the rate that is answered at most, of clients that wait for no other. */
export async function overloadFigures(
  dataDir: string,
  options: Options,
  { companies, seconds }: OverloadSizes,
  progress: (message: string) => void,
): Promise<Figure[]> {
  const { place, close } = await openPlace(dataDir, { ...options, sizes: [companies], smallTenants: 0 }, progress);
  const generator = startWorker<OpenLoad, Sent[]>(path.join(import.meta.dirname, "../load/open-loop.ts"));
  const server = await startProduct("product", ROOT, dataDir);
  try {
    const { token, ...tenant } = place.tenants.get(companies) as SeededTenant;
    const paths = listPage1.requests({ token, ...tenant }, 1, seconds).map((request) => request.path);
    const send = async (phases: OpenLoad["phases"]) => await generator.run({ url: server.url, token, paths, phases });
    progress("the most that is answered");
    const full = await send([
      { atOnce: AT_ONCE, seconds },
      { atOnce: AT_ONCE, seconds },
    ]);
    const most = full.filter(({ phase, status }) => phase === 1 && status === 200).length / seconds;
    progress(`${TIMES} times as much`);
    const usual = { perSecond: USUAL * most, seconds: 3 * seconds };
    const sent = await send([usual, { perSecond: TIMES * most, seconds }, usual]);
    const [begin, end] = [3_000 * seconds, 4_000 * seconds];
    const during = sent.filter(({ at, ms, status }) => status === 200 && begin <= at + ms && at + ms < end);
    return [
      { name: "requests answered at most", value: most, unit: "/s" },
      {
        name: `sent at ${TIMES} times the load`,
        value: sent.filter(({ phase }) => phase === 1).length / seconds,
        unit: "/s",
      },
      { name: `answered at ${TIMES} times the load / at most`, value: during.length / seconds / most, atLeast: 0.8 },
      { name: "p99 before, at half of the most", value: p99(sent.filter(({ phase }) => phase === 0)), unit: "ms" },
      { name: "p99 at three times the load", value: p99(sent.filter(({ phase }) => phase === 1)), unit: "ms" },
      { name: "requests without a good answer then", value: share(sent.filter(({ phase }) => phase === 1)) },
      { name: "latency is back after", value: secondsUntilBack(sent, end), unit: "s", atMost: 5 },
    ];
  } finally {
    await generator.stop();
    await stopProcess(server.process);
    await close();
  }
}

function secondsUntilBack(sent: readonly Sent[], end: number): number {
  const before = p99(sent.filter(({ phase }) => phase === 0));
  const bound = Math.max(BACK_TIMES * before, BACK_MS);
  const bySecond = Map.groupBy(
    sent.filter(({ phase }) => phase === 2),
    ({ at }) => Math.floor((at - end) / 1_000),
  );
  const slow = [...bySecond].filter(([, own]) => p99(own) > bound).map(([second]) => second + 1);
  return Math.max(0, ...slow);
}

const p99 = (sent: readonly Sent[]) => percentiles(sent.map(({ ms }) => ms)).p99;
const share = (sent: readonly Sent[]) => sent.filter(({ status }) => status !== 200).length / sent.length;
