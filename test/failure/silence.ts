import fs from "node:fs";
import { setImmediate } from "node:timers/promises";
import type { TestServer } from "../harness.ts";
import { poll } from "../program.ts";
import { marksOf } from "./endless-texts.ts";

/**
 * The longest time in which a server that runs in this process answered nobody, and the time that PostgreSQL took,
 * while something was done. Both are times of processors, in milliseconds: a machine that others use makes them hardly
 * longer.
 */
type Cost = { silence: number; database: number };

/** Code points of a text that is long enough to tell linear time from quadratic. */
export const TELLING = 30_000;

/**
 * The most that an attempt may cost: the time for normalizing a text of two thirds of TELLING on this machine, which is
 * less than half of the time for TELLING. PostgreSQL takes longer for the same.
 */
function boundsOfMachine(): Cost {
  const text = marksOf((2 / 3) * TELLING);
  const before = processorMs();
  text.normalize("NFC");
  const silence = processorMs() - before;
  return { silence, database: 3 * silence };
}

/** Measures what work costs, all that PostgreSQL does for it included. */
async function costOf(server: Pick<TestServer, "sql">, work: () => Promise<unknown>): Promise<Cost> {
  const before = await databaseMs(server);
  let [longest, last] = [0, processorMs()];
  const look = (): void => {
    const time = processorMs();
    longest = Math.max(longest, time - last);
    last = time;
  };
  // The callbacks between two ticks ran without a turn for anybody else.
  const ticks = setInterval(look, 1);
  try {
    await work();
    await setImmediate();
    look();
  } finally {
    clearInterval(ticks);
  }
  await untilIdle(server);
  return { silence: longest, database: (await databaseMs(server)) - before };
}

/** Something that is done at a door, and what it is called. */
export type Attempt = { what: string; attempt: () => Promise<unknown> };

/**
 * Makes attempts, those of a group one after the other, and complains of the first that costs too much. What would cost
 * more than it is not tried: a group of shorter texts comes before one of longer ones.
 */
export async function firstTooCostly(server: Pick<TestServer, "sql">, groups: Iterable<Attempt[]>): Promise<string[]> {
  const bounds = boundsOfMachine();
  for (const group of groups) {
    const all = async () => {
      for (const { attempt } of group) await attempt();
    };
    const cost = await costOf(server, all);
    if (cost.silence <= bounds.silence && cost.database <= bounds.database) continue;
    // Once more, to know which. What many cost together is each one's right.
    for (const each of group) {
      const complaint = await complaintOf(server, each);
      if (complaint !== null) return [complaint];
    }
  }
  return [];
}

/**
 * A shared machine takes up to three times as long at some moments, so the bounds are measured again beside each try.
 */
const TRIES = 3;

/** The complaint about an attempt that costs too much each time; otherwise null. */
async function complaintOf(server: Pick<TestServer, "sql">, { what, attempt }: Attempt): Promise<string | null> {
  let complaint: string | null = null;
  for (let tried = 0; tried < TRIES; tried++) {
    complaint = complaintAbout(what, boundsOfMachine(), await costOf(server, attempt));
    if (complaint === null) return null;
  }
  return complaint;
}

function complaintAbout(what: string, bounds: Cost, { silence, database }: Cost): string | null {
  const told = [
    ...(silence > bounds.silence ? [`nobody was answered for ${silence.toFixed(0)} ms`] : []),
    ...(database > bounds.database ? [`PostgreSQL took ${database.toFixed(0)} ms`] : []),
  ];
  return told.length === 0
    ? null
    : `${what}: ${told.join(", and ")}: bound what is sent before anything is done with it`;
}

function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

const backends = "from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";

/** A statement may go on when its request is over. */
async function untilIdle({ sql }: Pick<TestServer, "sql">): Promise<void> {
  const active = `select pid ${backends} and state = 'active' and wait_event_type is null`;
  await poll("the end of PostgreSQL's work", async () => (await sql(active)).length === 0);
}

const MS_OF_TICK = 10;

/** The processor's time that the database's processes have taken so far. Only Linux reports it: elsewhere it is 0. */
async function databaseMs({ sql }: Pick<TestServer, "sql">): Promise<number> {
  const pids = (await sql(`select pid ${backends}`)).map(({ pid }) => Number(pid));
  return pids.reduce((sum, pid) => sum + ticksOf(pid) * MS_OF_TICK, 0);
}

function ticksOf(pid: number): number {
  try {
    const [, rest = ""] = fs.readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
    const [user = 0, system = 0] = rest.split(" ").slice(11, 13).map(Number);
    return user + system;
  } catch {
    return 0;
  }
}
