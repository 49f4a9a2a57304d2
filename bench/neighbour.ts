import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Candidate } from "./candidates.ts";
import { companyAt } from "./dataset.ts";
import type { Figure } from "./figures.ts";
import { median } from "./latencies.ts";
import { CONNECTIONS } from "./measure.ts";
import { removeCreated, untilIdle } from "./rows.ts";
import { searchEvery, show } from "./scenarios.ts";
import { ROOT, type SeededTenant } from "./seed.ts";
import { startGenerator, stopProcess } from "./servers.ts";

const SECONDS = 2;
const ROUNDS = 3;
const ROWS = 50_000;

/** What one tenant notices of another that searches its largest list and imports at the same time. */
export async function neighbourFigures(
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
    const importing = startImport(place.dataDir, busy, file, "ignore");
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

/** A file that `liaison import companies` takes. */
export function writeCompanies(file: string, rows: number): void {
  const columns = [
    "name",
    "tax_id",
    "phone",
    "email",
    "city",
    "county",
    "country",
    "status",
    "employee_count",
  ] as const;
  const descriptor = fs.openSync(file, "w");
  fs.writeSync(descriptor, `${columns.join(",")}\n`);
  for (let from = 0; from < rows; from += 1_000) {
    let text = "";
    for (let index = from; index < Math.min(from + 1_000, rows); index++) {
      const company = { ...companyAt(60_000_000 + index, 1_000_000), tax_id: `CSV${index}` };
      text += `${columns.map((name) => company[name]).join(",")}\n`;
    }
    fs.writeSync(descriptor, text);
  }
  fs.closeSync(descriptor);
}

export function startImport(
  dataDir: string,
  { slug }: Pick<SeededTenant, "slug">,
  file: string,
  complaints: "inherit" | "ignore" = "inherit",
): ChildProcess {
  const parameters = ["import", "companies", "--tenant", slug, file, "--json"];
  return spawn(process.execPath, [path.join(ROOT, "src", "main.ts"), ...parameters], {
    detached: true,
    stdio: ["ignore", "ignore", complaints],
    env: { ...process.env, NODE_ENV: "production", LIAISON_DATA_DIR: dataDir, LIAISON_DEMO: "off" },
  });
}

/** Waits for its end. */
export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null) await once(child, "exit");
  if (child.exitCode !== 0) throw new Error(`${child.spawnargs.slice(1, 4).join(" ")} failed`);
}
