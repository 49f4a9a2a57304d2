import { once } from "node:events";
import pg from "pg";
import { clusterCpuSeconds, cpuSeconds, postmasterOf, residentMegabytes } from "../candidates/process-usage.ts";
import { startProduct, type Server } from "../candidates/servers.ts";
import type { Figure } from "../figures/figure.ts";
import { removeCreated, untilIdle } from "../load/before-and-after.ts";
import { percentiles } from "../load/percentiles.ts";
import { create, listPage1, searchFew, show, update } from "../load/scenarios.ts";
import { startWorker, type Worker } from "../load/worker.ts";
import { ROOT } from "../tenants/data-directory.ts";
import { connectAsOwner, seed } from "../tenants/seed.ts";
import type { Attack, AttackJob, AttackResult } from "./attack.ts";
import type { BystanderJob, BystanderResult } from "./bystander-job.ts";
import { FULL, neighbourSeeds, neighbourTenants, QUICK, type NeighbourTenants } from "./neighbour-tenants.ts";

/** What the bystander noticed while nobody, or one attack, was there. */
export type Spell = {
  /** Null: nobody. */
  attack: string | null;
  operations: Record<string, { p50: number; p99: number; /** By the quiet p99. */ ratio: number; answers: number }>;
  /** Of all its requests and of /health/ready: those not answered by a 2xx, by status; 0: not answered at all. */
  failed: Record<number, number>;
  /** The longest answer of /health/ready. */
  readySeconds: number;
  /** The most memory that the server had. */
  megabytes: number;
  /** How many processors' time the server and PostgreSQL used. */
  cores: { server: number; database: number };
  attacker: AttackResult | null;
};

export type NeighbourOptions = { attacks: Attack[]; rate: number; seconds: number; quick: boolean };

/** The bystander's usual mix, in the order of the table. An attack is measured by what these notice. */
const OPERATIONS = { "look-up": show, list: listPage1, search: searchFew, create, update };
const PER_SECOND = 30;
/** An attack has so long to get going before anybody looks. */
const LEAD_SECONDS = 0.5;
const QUICK_LEAD_SECONDS = 0.03;
/** The first requests of a server take longer than any later ones. */
const WARM_UP_SECONDS = 1;
const MEMORY_EVERY_MS = 50;

/** One tenant behaves as badly as it may, attack by attack; another asks its usual mix, first with nobody else there. */
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
    const tenants = await neighbourTenants(owner, seeded, sizes);
    return await runAttacks(
      { dataDir, owner, postmaster: await postmasterOf(owner), tenants, attacker, bystander, lock },
      options,
      progress,
      finished,
    );
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
  owner: pg.Client;
  /** The process id of the cluster's first process. */
  postmaster: number;
  tenants: NeighbourTenants;
  attacker: Worker<AttackJob, AttackResult>;
  bystander: Worker<BystanderJob, BystanderResult>;
  /** Holds the locks of attacks that want some. */
  lock: pg.Client;
};

async function runAttacks(
  place: Neighbourhood,
  { attacks, rate, seconds, quick }: NeighbourOptions,
  progress: (message: string) => void,
  finished: (spell: Spell) => void,
): Promise<Spell[]> {
  const spells: Spell[] = [];
  /** What the bystander measured while nobody else was there, in all such times, so that it is of the same hour as the rest. */
  const quiet: BystanderResult = { operations: {}, ready: { milliseconds: [], failed: {} } };
  const end = (spell: Spell) => {
    spells.push(spell);
    finished(spell);
  };
  const lead = quick ? QUICK_LEAD_SECONDS : LEAD_SECONDS;
  let server: Server | null = null;
  // What an interrupted run may have left.
  await removeCreated(place.owner, place.tenants.bystander);
  for (const attack of attacks) {
    progress(`${attack.name}, ${spells.length} of ${attacks.length} attacks done`);
    const began = new Date();
    server ??= await startProduct("product", ROOT, place.dataDir);
    if (!quick) await watch(place, server, WARM_UP_SECONDS);
    if (!quick || spells.length === 0) {
      const before = await watch(place, server, quick ? seconds : Math.max(2, seconds / 2));
      addTo(quiet, before.noticed);
      if (spells.length === 0) end(spellOf(null, before, null, quiet));
    }

    await holdLocks(place, attack);
    const { url } = server;
    const rows = place.tenants.attackers[attack.of];
    const job = { url, attack: attack.name, rows, seconds: seconds + 2 * lead, rate, quick };
    const attacking = place.attacker.run(job);
    await new Promise((resolve) => setTimeout(resolve, 1_000 * lead));
    const beside = await watch(place, server, seconds);
    const attacked = await attacking;
    await place.lock.query("rollback");
    end(spellOf(attack.name, beside, attacked, quiet));
    if (!quick) {
      // What one attack leaves in the server's memory would be counted as the next one's.
      await kill(server);
      server = null;
      await tidyUp(place, attack, began);
    }
  }
  if (server !== null) await kill(server);
  return spells;
}

type Watched = Pick<Spell, "megabytes" | "cores"> & { noticed: BystanderResult };

let serial = 0;

/** The bystander at work for so long, and the most memory that the server had meanwhile. */
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
  const [serverBefore, databaseBefore, began] = [
    cpuSeconds(server.pid),
    clusterCpuSeconds(postmaster),
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
    database: (clusterCpuSeconds(postmaster) - databaseBefore) / each,
  };
  return { noticed, megabytes, cores };
}

function addTo(sum: BystanderResult, { operations, ready }: BystanderResult): void {
  for (const [name, { milliseconds }] of Object.entries(operations)) {
    (sum.operations[name] ??= { milliseconds: [], failed: {} }).milliseconds.push(...milliseconds);
  }
  sum.ready.milliseconds.push(...ready.milliseconds);
}

function spellOf(
  attack: string | null,
  { noticed, megabytes, cores }: Watched,
  attacker: AttackResult | null,
  quiet: BystanderResult,
): Spell {
  const failed: Record<number, number> = {};
  for (const one of [...Object.values(noticed.operations), noticed.ready]) {
    for (const [status, count] of Object.entries(one.failed))
      failed[Number(status)] = (failed[Number(status)] ?? 0) + count;
  }
  const operations = Object.entries(noticed.operations).map(([name, { milliseconds }]) => {
    const { p50, p99 } = percentiles(milliseconds);
    const ratio = p99 / percentiles(quiet.operations[name]?.milliseconds ?? []).p99;
    return [name, { p50, p99, ratio, answers: milliseconds.length }] as const;
  });
  return {
    attack,
    operations: Object.fromEntries(operations),
    failed,
    readySeconds: Math.max(...noticed.ready.milliseconds) / 1_000,
    megabytes,
    cores,
    attacker,
  };
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

/** At once: what is still asked of it is asked by nobody. */
async function kill({ process }: Server): Promise<void> {
  process.kill("SIGKILL");
  if (process.exitCode === null && process.signalCode === null) await once(process, "exit");
}

async function tidyUp({ owner, tenants }: Neighbourhood, { of }: Attack, began: Date): Promise<void> {
  const attacker = tenants.attackers[of];
  await untilIdle(owner);
  await owner.query("delete from contacts where tenant_id = $1 and created_at > $2", [attacker.id, began]);
  await owner.query("update companies set deleted_at = null where tenant_id = $1 and deleted_at > $2", [
    attacker.id,
    began,
  ]);
  await removeCreated(owner, tenants.bystander);
  await removeCreated(owner, attacker);
  await owner.query("vacuum companies");
}

/** What follows from the spells. The aim is that nobody notices anybody. */
export function neighbourFigures(spells: Spell[]): Figure[] {
  const attacks = spells.filter(({ attack }) => attack !== null);
  const worst = worstOf(attacks);
  const all = (pick: (spell: Spell) => number) => Math.max(...attacks.map(pick));
  const failed = attacks.map((spell) => Object.values(spell.failed).reduce((sum, count) => sum + count, 0));
  return [
    {
      name: `p99 beside the worst neighbour / quiet p99 (${worst.operation}, ${worst.attack})`,
      value: worst.ratio,
      atMost: 5,
    },
    {
      name: "the other tenant's requests that failed, all attacks",
      value: failed.reduce((sum, count) => sum + count, 0),
      atMost: 0,
    },
    {
      name: "longest answer of /health/ready beside any",
      value: all(({ readySeconds }) => readySeconds),
      unit: "s",
      atMost: 1,
    },
    { name: "server's most memory beside any", value: all(({ megabytes }) => megabytes), unit: "MB", atMost: 512 },
  ];
}

export function worstOf(spells: Spell[]): { attack: string; operation: string; ratio: number } {
  return spells
    .flatMap(({ attack, operations }) =>
      Object.entries(operations).map(([operation, { ratio }]) => ({ attack: attack ?? "nobody", operation, ratio })),
    )
    .reduce((worst, one) => (one.ratio > worst.ratio ? one : worst), { attack: "", operation: "", ratio: 0 });
}
