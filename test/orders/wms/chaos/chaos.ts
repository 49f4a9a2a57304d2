import { setTimeout as pause } from "node:timers/promises";
import type { Lateness } from "../../../../wms-simulator/calls.ts";
import type { Faults } from "../../../../wms-simulator/faults.ts";
import { request, type Answer } from "../../../harness.ts";
import { poll, start } from "../../../program.ts";
import { administer } from "../instance-calls.ts";
import { companyNow, countUnprotected } from "./merges.ts";
import { bringBack, connectWhereOpen, meddle } from "./people.ts";
import { findLost, reopenCancelled } from "./questions.ts";
import { POLL_SECONDS, setStage, type Ground, type Sender, type Size, type Stage } from "./stage.ts";
import { judge, report, type Verdict } from "./verdict.ts";

/**
 * What strikes while the processes are killed: a third of the calls. No invoice is refused for good, and orders vanish
 * by hand alone (questions.ts).
 */
const FAULTS: Faults = {
  down: 0.02,
  hang: 0.02,
  "cut-before": 0.02,
  "500-before": 0.02,
  "429": 0.03,
  "403": 0.03,
  redirect: 0.02,
  late: 0.03,
  "cut-after": 0.05,
  "500-after": 0.03,
  slow: 0.02,
  "wrong-pair": 0.02,
  "invalid-id": 0.02,
  "broken-json": 0.02,
  oversized: 0.02,
  "cut-half": 0.02,
  drip: 0.02,
  lag: 0.5,
  stale: 0.2,
  conflict: 0.5,
  "no-bulk": 0.2,
  duplicates: 1,
  "too-late": 0.3,
};
/** The faults of a working warehouse that makes another order at a second POST. */
const WELL: Faults = { duplicates: 1 };

const HOUR_SECONDS = 3_600;
const POSTERS = 8;
const MOST_REDRIVES = 12;
const KILLS_TOLD = 20;
const UNDER_WAY = ["queued", "sending", "unknown"];
/** Longer than a lease, and than a closed lane. */
const PATIENCE_SECONDS = 120;

export type Chaos = Size & {
  /** For everything together. */
  seconds: number;
  /** Closed lanes are opened by hand, so that nobody waits 30 seconds for them. */
  isHasty: boolean;
  say(line: string): void;
};

/**
 * `unseen`: cancelled invoices whose goods go on without a need. `unprotected`: orders whose invoices were not locked,
 * counted after every KILLS_TOLD kills. `isVoid`: what is wrong may be the simulator's fault
 * (verdict.ts).
 */
export type Outcome = { verdict: Verdict; unseen: number; unprotected: number; isVoid: boolean };

/** Sends invoices while the warehouses fail and the processes die, and says what came of it once all are at rest. */
export async function unleash(ground: Ground, chaos: Chaos): Promise<Outcome> {
  const deadline = performance.now() + chaos.seconds * 1000;
  const stage = await setStage(ground, chaos);
  try {
    await administer(stage.simulator, "PUT", "/faults", FAULTS);
    const numbers = Array.from({ length: chaos.invoices }, (_, index) => `INV-${index}`);
    const gate: Gate = { open: 0, posted: 0 };
    const posting = new AbortController();
    const posted = post(stage, numbers, gate);
    // Nothing runs where nothing is posted.
    posted.catch((error: unknown) => {
      chaos.say(String(error));
      posting.abort(error);
    });
    const resting = new AbortController();
    const meddled = meddle(stage, resting.signal);
    const killed = await killAll(stage, chaos, gate, posting.signal).finally(() => resting.abort());
    await posted;
    chaos.say(`people: ${JSON.stringify(await meddled)}`);
    const { struck } = (await administer(stage.simulator, "PUT", "/faults", WELL)) as { struck: object };
    chaos.say(`killed ${JSON.stringify(killed)}, struck ${JSON.stringify(struck)}`);
    await bringBack(stage);
    const unprotected = (killed.unprotected ?? 0) + (await countUnprotected(stage));
    // One question after the last change at the warehouses.
    await pause(POLL_SECONDS * 1000);
    const unseen = await reopenCancelled(stage);
    await findLost(stage);
    await untilAtRest(stage, chaos, deadline);
    const lateness = (await administer(stage.simulator, "GET", "/lateness")) as Lateness;
    const judged = await judge(stage, [...numbers, ...stage.people.flatMap((person) => person.numbers)]);
    return {
      verdict: judged.verdict,
      unseen,
      unprotected,
      isVoid: report(stage, judged, lateness, (line) => chaos.say(line)),
    };
  } catch (error) {
    for (const row of await onTheWay(stage)) chaos.say(`on its way: ${JSON.stringify(row)}`);
    chaos.say(`all calls of the simulator: ${stage.callsFile}`);
    throw error;
  } finally {
    await stage.simulator.end();
  }
}

/** How many invoices may be posted, and how many were. */
type Gate = { open: number; posted: number };

/** Creates and queues the invoices, each as often as it takes; only as many as the gate lets through. */
async function post(stage: Stage, numbers: readonly string[], gate: Gate): Promise<void> {
  let next = 0;
  const poster = async () => {
    for (let index = next++; index < numbers.length; index = next++) {
      await poll("the gate", () => index < gate.open, HOUR_SECONDS);
      const sender = stage.senders[index % stage.senders.length];
      if (sender !== undefined) await postInvoice(stage, sender, String(numbers[index]));
      gate.posted++;
    }
  };
  await Promise.all(Array.from({ length: POSTERS }, poster));
}

async function postInvoice(stage: Stage, { id, token, sendsAutomatically }: Sender, number: string): Promise<void> {
  const invoice = { number, total: "12.50", currency: "RON", issued_on: "2026-11-20" };
  let [owner, answer] = [id, null as Answer | null];
  // 404: the company was merged away. 409: the invoice was created, and the answer was lost.
  while (answer === null || answer.status === 404) {
    if (answer !== null) owner = await companyNow(stage, token, owner);
    answer = await insist(stage, token, `/api/v1/companies/${owner}/invoices`, [201, 404, 409], invoice);
  }
  const { body } = answer;
  // 422: somebody has removed the connection.
  const sent = [200, 202, 422];
  if (!sendsAutomatically || owner !== id)
    await insist(stage, token, `/api/v1/invoices/${body.data.id}/wms-order`, sent);
}

/** Asks until there is an answer of one of these statuses. */
async function insist(
  { server }: Stage,
  token: string,
  path: string,
  statuses: number[],
  body?: object,
): Promise<Answer> {
  let answer: Answer | null = null;
  await poll(
    `an answer of ${path}`,
    async () => {
      const { url } = await server.current();
      answer = await request(url, "POST", path, body, { token }).catch(() => null);
      return answer !== null && answer.status < 500;
    },
    PATIENCE_SECONDS,
  );
  const { status, text } = answer as unknown as Answer;
  if (!statuses.includes(status)) throw new Error(`${path}: ${status} ${text}`);
  return answer as unknown as Answer;
}

/**
 * Lets the invoices through by parts, and kills somebody in the middle of each; in the middle of all one worker is
 * paused.
 */
async function killAll(stage: Stage, chaos: Chaos, gate: Gate, posting: AbortSignal): Promise<Record<string, number>> {
  const [first, second] = stage.workers;
  const { server, killPostgres } = stage;
  const victims = [
    { name: "worker", kill: first.kill },
    { name: "worker", kill: second.kill },
    { name: "server", kill: server.kill },
    ...(killPostgres === null ? [] : [{ name: "PostgreSQL", kill: killPostgres }]),
  ];
  const killed: Record<string, number> = {};
  for (let kill = 0; kill < chaos.kills; kill++) {
    const [before, open] = [kill, kill + 1].map((part) => Math.ceil((part * chaos.invoices) / chaos.kills)) as [
      number,
      number,
    ];
    const letThrough = () => {
      gate.open = open;
    };
    if (kill === Math.floor(chaos.kills / 2))
      killed["jobs while one was paused"] = await pauseBeyondLease(stage, letThrough);
    letThrough();
    const atLeast = 1 + (kill % 4);
    await poll(
      "half of a part, and jobs that run",
      async () => {
        posting.throwIfAborted();
        if (gate.posted < (before + open) / 2) return false;
        const jobs = (await running(stage)).length;
        return jobs >= atLeast || (gate.posted === open && (jobs > 0 || (await count(stage, UNDER_WAY)) === 0));
      },
      PATIENCE_SECONDS,
    );
    const victim = victims[kill % victims.length];
    await victim?.kill();
    if (victim !== undefined) killed[victim.name] = (killed[victim.name] ?? 0) + 1;
    if ((kill + 1) % KILLS_TOLD !== 0) continue;
    killed.unprotected = (killed.unprotected ?? 0) + (await countUnprotected(stage));
    chaos.say(`${kill + 1} kills`);
  }
  return killed;
}

/** Stops a worker in the middle of its jobs until others have them; how many jobs ran then. */
async function pauseBeyondLease(stage: Stage, letThrough: () => void): Promise<number> {
  const workers = await Promise.all(stage.workers.map(async (worker) => await worker.current()));
  // What ran on a worker that was killed is nobody's any more: from then on two workers with jobs are these two.
  await untilOver(stage, await running(stage));
  letThrough();
  let held: Attempt[] = [];
  await poll(
    "a moment at which both workers have jobs",
    async () => {
      workers[0]?.process.kill("SIGSTOP");
      held = await running(stage);
      if (new Set(held.map(({ worker }) => worker)).size === 2) return true;
      workers[0]?.process.kill("SIGCONT");
      return false;
    },
    PATIENCE_SECONDS,
  );
  await untilOver(stage, held);
  workers[0]?.process.kill("SIGCONT");
  return held.length;
}

/** An attempt at a job, by a name of its own, and the worker that makes it. */
type Attempt = { name: string; worker: string };

async function running({ sql }: Stage): Promise<Attempt[]> {
  const rows = await sql(
    "select concat_ws(' ', tenant_id, id, attempt) as name, worker from jobs where state = 'running' and kind = 'send-invoice'",
  );
  return rows.map(({ name, worker }) => ({ name: String(name), worker: String(worker) }));
}

async function untilOver(stage: Stage, attempts: Attempt[]): Promise<void> {
  await poll(
    "the end of the attempts",
    async () => {
      const names = new Set((await running(stage)).map(({ name }) => name));
      return !attempts.some(({ name }) => names.has(name));
    },
    PATIENCE_SECONDS,
  );
}

/**
 * Until no invoice is on its way; what was given up, or never sent, is queued again, with its company connected where
 * its order may be.
 */
async function untilAtRest(stage: Stage, chaos: Chaos, deadline: number): Promise<void> {
  for (let redrives = 0; ; redrives++) {
    const seconds = (deadline - performance.now()) / 1000;
    await poll(
      "the end of all that is on its way",
      async () => {
        if (chaos.isHasty) await stage.sql("update lanes set closed_until = now() where closed_until > now()");
        return (await count(stage, UNDER_WAY)) === 0;
      },
      seconds,
    );
    const left = await count(stage, ["failed", "not_sent"]);
    if (left === 0 || redrives === MOST_REDRIVES) return;
    chaos.say(`${left} were given up or never sent, and are queued again`);
    await connectWhereOpen(stage);
    for (const slug of stage.slugs) {
      for (const command of [["push", "--all"], ["redrive"]]) {
        const args = ["wms", ...command, "--tenant", slug];
        const { code, stderr } = await start(args, stage.environment).finished();
        if (code !== 0) throw new Error(stderr);
      }
    }
  }
}

/** The invoices that are on their way, each with its job and that job's lane. */
async function onTheWay({ sql }: Stage): Promise<object[]> {
  return await sql(
    `select to_jsonb(i) as invoice, to_jsonb(j) as job, to_jsonb(l) as lane, now()
    from invoices i
    left join jobs j on j.tenant_id = i.tenant_id and j.kind = 'send-invoice' and j.subject = i.id
    left join lanes l on l.tenant_id = j.tenant_id and l.name = j.lane
    where i.wms_state = any($1)`,
    [UNDER_WAY],
  );
}

async function count({ sql }: Stage, states: string[]): Promise<number> {
  const [row] = await sql("select count(*) from invoices where wms_state = any($1)", [states]);
  return Number(row?.count);
}
