import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Candidate } from "../candidates/candidates.ts";
import { removeCreated, untilIdle } from "../load/before-and-after.ts";
import { median } from "../load/percentiles.ts";
import { stopProcess } from "../load/processes.ts";
import { searchEvery, show } from "../load/scenarios.ts";
import { startGenerator } from "../load/worker.ts";
import type { Figure } from "./figure.ts";
import { startImport, writeCompanies } from "./import-process.ts";
import { CONNECTIONS } from "./measure-scenario.ts";

const SECONDS = 2;
const ROUNDS = 3;
const ROWS = 50_000;

/** What one tenant notices of another that searches its largest list and imports at the same time. */
export async function searchAndImportFigures(
  { generator, url, place }: Candidate,
  sizes: number[],
  progress: (message: string) => void,
): Promise<Figure[]> {
  const quiet = place.tenants.get(Math.min(...sizes));
  const busy = place.tenants.get(Math.max(...sizes));
  if (quiet === undefined || busy === undefined || quiet === busy) return [];
  progress("a busy neighbour");
  const { token } = quiet;
  const measured = { alone: [] as number[], beside: [] as number[] };
  const showing = async (into: number[]) => {
    const requests = show.requests(quiet, into.length, SECONDS);
    const job = { url, token, requests, connections: CONNECTIONS, seconds: SECONDS, once: false };
    const { latencies } = await generator.run(job);
    into.push(latencies.p99 / latencies.p50);
  };
  const searcher = startGenerator();
  const file = path.join(os.tmpdir(), `liaison-bench-${process.pid}.csv`);
  writeCompanies(file, ROWS);
  for (let round = 0; round < ROUNDS; round++) {
    await showing(measured.alone);
    const requests = searchEvery.requests(busy, round, SECONDS);
    const seconds = 2 * SECONDS;
    const searching = searcher.run({ url, token: busy.token, requests, connections: 1, seconds, once: false });
    const importing = startImport(place.dataDir, busy, file, { complaints: "ignore" });
    // The import takes this long to get going.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await showing(measured.beside);
    await stopProcess(importing);
    await searching;
    await untilIdle(place.owner);
    await removeCreated(place.owner, busy);
  }
  fs.rmSync(file);
  await searcher.stop();
  return [
    { name: "p99 / p50 of show, nobody else there", value: median(measured.alone) },
    { name: "p99 / p50 of show while another tenant searches and imports", value: median(measured.beside), atMost: 5 },
  ];
}
