import { once } from "node:events";
import pg from "pg";
import {
  familyCpuSeconds,
  cpuSeconds,
  machineSeconds,
  postmasterOf,
  residentMegabytes,
} from "../candidates/process-usage.ts";
import { startProduct, type Server } from "../candidates/servers.ts";
import { removeCreated, untilIdle } from "../load/before-and-after.ts";
import { create, listPage1, searchFew, show, update } from "../load/scenarios.ts";
import { startWorker, type Worker } from "../load/worker.ts";
import { ROOT } from "../tenants/data-directory.ts";
import { connectAsOwner, seed } from "../tenants/seed.ts";
import type { Attack, AttackJob, AttackResult } from "./attack.ts";
import type { BystanderJob, BystanderResult } from "./bystander-job.ts";
import type { Mechanism } from "./mechanisms.ts";
import { FULL, neighbourSeeds, neighbourTenants, QUICK, type NeighbourTenants } from "./neighbour-tenants.ts";
import { medianSpell, mostFailed, MOST_RATIO, spellOf, worstOf, type Spell, type Watched } from "./spell.ts";

export type NeighbourOptions = {
  attacks: Attack[];
  rate: number;
  seconds: number;
  quick: boolean;
  /** Which mechanism of the product's is missing. */
  without: Mechanism | null;
};

/** The bystander's usual mix, in the order of the table. An attack is measured by what these notice. */
const OPERATIONS = { "look-up": show, list: listPage1, search: searchFew, create, update };
const PER_SECOND = 30;
/** How long an attack runs before the measurement begins. */
const LEAD_SECONDS = 0.5;
const QUICK_LEAD_SECONDS = 0.03;
/** The first requests of a server take longer than any later ones. */
const WARM_UP_SECONDS = 1;
const MEMORY_EVERY_MS = 50;

/**
 * One tenant behaves as badly as it may, attack by attack; another asks its usual mix, first with nobody else there.
 */
export async function measureNeighbours(
  dataDir: string,
  options: NeighbourOptions,
  progress: (message: string) => void,
  finished: (spell: Spell) => void,
): Promise<Spell[]> {
  const sizes = options.quick ? QUICK : FULL;
  const { cluster, seeded } = await seed(dataDir, neighbourSeeds(sizes), progress);
  const owner = await connectAsOwner(cluster.connection);
  const attacker = startWorker<AttackJob, AttackResult>(`${import.meta.dirname}/attacker.ts`);
  const bystander = startWorker<BystanderJob, BystanderResult>(`${import.meta.dirname}/bystander.ts`);
  const lock = new pg.Client(cluster.connection);
  try {
    await lock.connect();
    const quiet: BystanderResult = { operations: {}, ready: { milliseconds: [], failed: {} } };
    const tenants = await neighbourTenants(owner, seeded, sizes, { connection: cluster.connection, dataDir });
    const postmaster = await postmasterOf(owner);
    const program = programWithout(options.without);
    const place = { dataDir, program, owner, postmaster, tenants, attacker, bystander, lock, quiet, shared: null };
    const run = async (shared: Server | null) => await runAttacks({ ...place, shared }, options, progress, finished);
    return options.quick ? await withServer(place, run) : await run(null);
  } finally {
    await attacker.stop();
    await bystander.stop();
    await lock.end();
    await owner.end();
    await cluster.release();
  }
}

type Neighbourhood = {
  dataDir: string;
  /** The server's, where it is not the product as it is. */
  program: string[] | undefined;
  owner: pg.Client;
  /** The process id of the cluster's first process. */
  postmaster: number;
  tenants: NeighbourTenants;
  attacker: Worker<AttackJob, AttackResult>;
  bystander: Worker<BystanderJob, BystanderResult>;
  /** Holds the locks of attacks that want some. */
  lock: pg.Client;
  /** What the bystander noticed whenever nobody else was there, so that it is of the same hour as the rest. */
  quiet: BystanderResult;
  /** For all attacks, where nothing is measured. */
  shared: Server | null;
};

/** How often an attack with an effect is measured: on a busy machine a short wait looks the same. */
const REPETITIONS = 5;
/**
 * If the machine's host used more than this part of the processors' time, a figure is useless: it is measured again, at
 * most TRIES times.
 */
const MOST_STOLEN = 0.02;
const TRIES = 10;

async function runAttacks(
  place: Neighbourhood,
  options: NeighbourOptions,
  progress: (message: string) => void,
  finished: (spell: Spell) => void,
): Promise<Spell[]> {
  const { attacks, quick } = options;
  const repetitions = quick ? 1 : REPETITIONS;
  const spells: Spell[] = [];
  const end = (spell: Spell) => {
    spells.push(spell);
    finished(spell);
  };
  // What an interrupted run may have left.
  await removeCreated(place.owner, place.tenants.bystander);
  const alone = async () =>
    await withServer(place, async (server) =>
      spellOf(null, await watchAlone(place, server, options), null, place.quiet),
    );
  end(await undisturbed(alone, options));
  for (const attack of attacks) {
    progress(`${attack.name}, ${spells.length - 1} of ${attacks.length} attacks done`);
    const measure = async () => await undisturbed(async () => await measureAttack(place, attack, options), options);
    const runs: [Spell, ...Spell[]] = [await measure()];
    while (worstOf(runs).ratio > MOST_RATIO && runs.length < repetitions) runs.push(await measure());
    end(medianSpell(runs));
  }
  return spells;
}

/** Measures again while the machine's host takes the processors away: the least disturbed, with what failed in any. */
async function undisturbed(measure: () => Promise<Spell>, { quick }: NeighbourOptions): Promise<Spell> {
  const spells: [Spell, ...Spell[]] = [await measure()];
  const tries = quick ? 1 : TRIES;
  while (spells.every(({ stolen }) => stolen > MOST_STOLEN) && spells.length < tries) spells.push(await measure());
  return { ...spells.reduce((best, one) => (one.stolen < best.stolen ? one : best)), failed: mostFailed(spells) };
}

/** Once, on a server of its own: what an attack leaves in a server's memory would count as the next one's. */
async function measureAttack(place: Neighbourhood, attack: Attack, options: NeighbourOptions): Promise<Spell> {
  const { rate, seconds, quick } = options;
  const began = new Date();
  const spell = await withServer(place, async (server) => {
    if (!quick) await watchAlone(place, server, options);
    const lead = quick ? QUICK_LEAD_SECONDS : LEAD_SECONDS;
    await holdLocks(place, attack);
    const rows = place.tenants.attackers[attack.of];
    const job = { url: server.url, attack: attack.name, rows, seconds: seconds + 2 * lead, rate, quick };
    const attacking = place.attacker.run(job);
    await new Promise((resolve) => setTimeout(resolve, 1_000 * lead));
    const beside = await watch(place, server, seconds);
    const attacked = await attacking;
    await place.lock.query("rollback");
    return spellOf(attack.name, beside, attacked, place.quiet);
  });
  if (!quick) await tidyUp(place, attack, began);
  return spell;
}

/**
 * With a server that is ended at once afterwards, unless it is shared: what is still asked of it is asked by nobody.
 */
async function withServer<T>(
  { dataDir, program, shared }: Neighbourhood,
  work: (server: Server) => Promise<T>,
): Promise<T> {
  if (shared !== null) return await work(shared);
  const server = await startProduct("product", ROOT, dataDir, program === undefined ? {} : { program });
  try {
    return await work(server);
  } finally {
    server.process.kill("SIGKILL");
    if (server.process.exitCode === null && server.process.signalCode === null) await once(server.process, "exit");
  }
}

function programWithout(missing: Mechanism | null): string[] | undefined {
  return missing === null ? undefined : [`${import.meta.dirname}/weakened-server.ts`, missing.name];
}

/** The bystander while nobody else is there. */
async function watchAlone(
  place: Neighbourhood,
  server: Server,
  { seconds, quick }: NeighbourOptions,
): Promise<Watched> {
  if (!quick) await watch(place, server, WARM_UP_SECONDS);
  const watched = await watch(place, server, quick ? seconds : Math.max(2, seconds / 2));
  if (watched.stolen <= MOST_STOLEN || place.quiet.ready.milliseconds.length === 0) addTo(place.quiet, watched.noticed);
  return watched;
}

let serial = 0;

/** Runs the bystander for a time, and measures the most memory of the server meanwhile. */
async function watch(
  { bystander, tenants, postmaster }: Neighbourhood,
  server: Server,
  seconds: number,
): Promise<Watched> {
  serial++;
  const operations = Object.fromEntries(
    Object.entries(OPERATIONS).map(([name, scenario]) => {
      const requests = scenario.requests(tenants.bystander, serial, (PER_SECOND * seconds) / 1_000);
      return [name, requests];
    }),
  );
  const [serverBefore, databaseBefore, machineBefore, began] = [
    cpuSeconds(server.pid),
    familyCpuSeconds(postmaster),
    machineSeconds(),
    performance.now(),
  ];
  let megabytes = 0;
  const look = () => {
    // An attack may have ended it.
    if (server.process.exitCode !== null || server.process.signalCode !== null) return;
    megabytes = Math.max(megabytes, residentMegabytes(server.pid));
  };
  const looking = setInterval(look, MEMORY_EVERY_MS);
  const { token } = tenants.bystander;
  const noticed = await bystander
    .run({ url: server.url, token, operations, perSecond: PER_SECOND, seconds })
    .finally(() => clearInterval(looking));
  look();
  const each = (performance.now() - began) / 1_000;
  const cores = {
    server: (cpuSeconds(server.pid) - serverBefore) / each,
    // A backend that ended meanwhile took its time along.
    database: Math.max(0, familyCpuSeconds(postmaster) - databaseBefore) / each,
  };
  const machine = machineSeconds();
  const stolen = (machine.stolen - machineBefore.stolen) / (machine.all - machineBefore.all);
  return { noticed, megabytes, cores, stolen };
}

function addTo(sum: BystanderResult, { operations, ready }: BystanderResult): void {
  for (const [name, { milliseconds }] of Object.entries(operations)) {
    (sum.operations[name] ??= { milliseconds: [], failed: {} }).milliseconds.push(...milliseconds);
  }
  sum.ready.milliseconds.push(...ready.milliseconds);
}

async function holdLocks({ lock, tenants }: Neighbourhood, { of, locks }: Attack): Promise<void> {
  const { id, firstCompany } = tenants.attackers[of];
  await lock.query("begin");
  if (locks === undefined) return;
  await lock.query("select from companies where tenant_id = $1 and id >= $2 and id < $2::bigint + $3 for update", [
    id,
    firstCompany,
    locks,
  ]);
}

/**
 * Undoes what the attack created and deleted, so that the next run meets the same rows. What it changed stays changed.
 */
async function tidyUp({ owner, tenants }: Neighbourhood, { of }: Attack, began: Date): Promise<void> {
  await untilIdle(owner);
  for (const statement of [
    ...["import_rows", "import_rejections", "import_chunks"].map(
      (table) =>
        `delete from ${table} where tenant_id = $1 and import_id in (select id from imports where tenant_id = $1 and created_at > $2)`,
    ),
    "delete from jobs where tenant_id = $1 and kind in ('import', 'forget-import') and enqueued_at > $2",
    "delete from imports where tenant_id = $1 and created_at > $2",
    "delete from contacts where tenant_id = $1 and created_at > $2",
    "delete from companies where tenant_id = $1 and created_at > $2",
    "update companies set deleted_at = null where tenant_id = $1 and deleted_at > $2",
    "delete from changes where tenant_id = $1 and at > $2",
  ]) {
    await owner.query(statement, [tenants.attackers[of].id, began]);
  }
  await removeCreated(owner, tenants.bystander);
  await owner.query("vacuum companies");
}
