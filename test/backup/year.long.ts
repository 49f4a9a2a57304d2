import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { requester } from "../cli/installation.ts";
import { connectTo, createDataDirectory, demoToken, serveFrom } from "../failure/data-directory.ts";
import { start, type Program } from "../program.ts";
import { miscounted, stateOf } from "./databases.ts";

/** Of one tenant, beside the demo's own. */
const COMPANIES = 200_000;
/** Bytes that a backup or a restore may hold, whatever the size. */
const MOST_MEMORY = 300 * 2 ** 20;

test("a large instance is backed up beside requests in little memory, and restored it is the same", async () => {
  const source = createDataDirectory("source");
  const server = await serveFrom(source, { LIAISON_RATE_LIMIT: "0", LIAISON_WORKER: "off" });
  const api = requester(server.url, demoToken(server));
  const owner = await connectTo(source);
  await owner.query(
    `insert into companies (tenant_id, name, tax_id, city, country, notes)
     select 1, 'Firm ' || n, 'RO' || n, 'Turda', 'Romania', repeat(md5(n::text), 20) from generate_series(1, ${COMPANIES}) n`,
  );
  await owner.query("analyze");
  const file = path.join(path.dirname(source), "year.backup");
  const environment = { LIAISON_DATA_DIR: source };

  const alone = await latencies(api, AbortSignal.timeout(5_000));
  const program = start(["backup", "--json", file], environment);
  const stop = new AbortController();
  const peak = watch(program);
  const [beside, taken] = await Promise.all([
    latencies(api, stop.signal),
    program.finished().finally(() => stop.abort()),
  ]);
  assert.equal(taken.code, 0, taken.stderr);
  console.log(
    `backup ${taken.stdout.trim()} of ${peak() / 2 ** 20} MiB; look-ups ${alone} ms alone, ${beside} ms beside it`,
  );
  assert.ok(peak() < MOST_MEMORY);

  // Once more, of what stands still.
  assert.equal((await start(["backup", file], environment).finished()).code, 0);
  const target = createDataDirectory("target");
  fs.mkdirSync(target);
  fs.copyFileSync(path.join(source, "encryption.keys"), path.join(target, "encryption.keys"));
  const began = performance.now();
  const restoring = start(["restore", "--json", file], { LIAISON_DATA_DIR: target });
  const restorePeak = watch(restoring);
  const restored = await restoring.finished();
  assert.equal(restored.code, 0, restored.stderr);
  console.log(`restored in ${Math.round((performance.now() - began) / 1000)} s, ${restorePeak() / 2 ** 20} MiB`);
  assert.ok(restorePeak() < MOST_MEMORY);
  await serveFrom(target, { LIAISON_WORKER: "off" });
  const copy = await connectTo(target);
  const [before, after] = [await stateOf(owner), await stateOf(copy)];
  for (const state of [before, after]) for (const name of ["migrations", "sessions"]) state.delete(name);
  assert.deepEqual([...after], [...before]);
  assert.deepEqual(await miscounted(copy), []);
  await owner.end();
  await copy.end();
});

/** The median of look-ups, one after the other, in milliseconds, until the signal. */
async function latencies(api: ReturnType<typeof requester>, until: AbortSignal): Promise<number> {
  const took: number[] = [];
  while (!until.aborted) {
    const began = performance.now();
    const id = 1_000 + Math.floor(Math.random() * COMPANIES * 0.9);
    await api("GET", `/api/v1/companies/${id}`);
    took.push(performance.now() - began);
  }
  return took.toSorted((a, b) => a - b)[took.length >> 1] ?? 0;
}

/** The most bytes that a program had in memory; Linux alone tells. */
function watch({ process: { pid }, ended }: Program): () => number {
  let most = 0;
  const timer = setInterval(() => {
    const status = fs.existsSync(`/proc/${pid}/status`) ? fs.readFileSync(`/proc/${pid}/status`, "utf8") : "";
    most = Math.max(most, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024);
  }, 100);
  void ended.then(() => clearInterval(timer));
  return () => most;
}
