import type { Deps } from "../../deps.ts";
import type { Job, Outcome } from "../../jobs/job.ts";
import { sleep, steady } from "../../platform/clock.ts";
import { inSteps } from "../../platform/postgres/in-steps.ts";
import { plan } from "./plan.ts";
import type { SendingWebhook } from "./planning-queries.ts";
import { postDelivery } from "./post-delivery.ts";
import {
  giveUpBefore,
  health,
  readDue,
  record,
  switchOff,
  untilNext,
  type Due,
  type Result,
} from "./sending-queries.ts";

/** A job's turn: afterwards others of its tenant have theirs. */
const TURN_MS = 10_000;
/** To a receiver that has answered in this turn; before that, one at a time. */
const AT_ONCE = 10;
/** Deliveries that are read, and results that are written, in one go. */
const BATCH = 20;
/** Between two looks for something new while answers are waited for. */
const LOOK_MS = 1_000;
/** Without news a webhook looks for itself so often: whoever tells them may have died. */
const IDLE_MS = 60_000;
/**
 * A silent receiver is asked again after this at most, for what happens meanwhile waits too: a delivery's first pause at its longest. Its
 * lane's circuit has it wait longer.
 */
const SILENT_MS = 6_000;

/**
 * Sends a webhook what waits for it and what has happened since (docs/decisions/0064-webhooks.md): of each resource the first, ten at once.
 * A job is never beside itself, so what is in order stays so. What a worker that dies had sent and not yet written down is sent
 * again.
 */
export async function sendWebhook(deps: Deps, job: Job): Promise<Outcome> {
  const { database } = deps;
  const { tenant, subject, stop } = job;
  const ready = await readDue(tenant, database, subject, [], 1);
  const { webhook } = ready;
  if (webhook === null) return { outcome: "done" };
  if (webhook.isLeft) await inSteps(tenant, database, giveUpBefore(subject, webhook.round), stop);
  if (!webhook.isActive) return { outcome: "done" };
  const wasFailing = webhook.failingSince !== null;
  const endsAt = steady() + TURN_MS;
  const turn: SendingTurn = {
    deps,
    job,
    ready,
    isNew: true,
    isFailing: wasFailing,
    hears: "nothing",
    open: new Map(),
    results: [],
    endsAt,
    isThrough: false,
    isCut: false,
    failure: null,
  };
  await takeTurn(turn);
  if (turn.failure !== null) throw turn.failure;
  const nextMs = Math.max(0, (await untilNext(tenant, database, subject)) ?? IDLE_MS);
  const afterMs = turn.isCut ? 0 : Math.min(nextMs, IDLE_MS);
  if (turn.hears === "silence")
    return { outcome: "again", afterMs: Math.min(nextMs, SILENT_MS), counts: false, answered: false };
  // News that came meanwhile would wait for the end of the pause, where an attempt tells of an answer: so it has none.
  if (turn.hears === "answers" && wasFailing) return { outcome: "again", afterMs: 0, counts: false, answered: true };
  return { outcome: "again", afterMs, counts: false };
}

type SendingTurn = {
  deps: Deps;
  job: Job;
  /** Deliveries that are to be sent, and their webhook as it was when they were read; null where it is sent nothing any more. */
  ready: { webhook: SendingWebhook | null; deliveries: Due[] };
  /** Whether nothing was done with them yet. */
  isNew: boolean;
  /** Whether nothing was delivered since something failed. */
  isFailing: boolean;
  /** From its receiver, in this turn. */
  hears: "nothing" | "silence" | "answers";
  /** The resources of the deliveries that are under way, and of those whose results are not written down, by delivery. */
  open: Map<string, string>;
  /** Not written down yet. */
  results: Result[];
  endsAt: number;
  /** Whether all that had happened is planned. */
  isThrough: boolean;
  /** Whether it ended before it was through. */
  isCut: boolean;
  failure: unknown;
};

/** Nothing is under way when it ends, or fails: somebody else may have the job then. */
async function takeTurn(turn: SendingTurn): Promise<void> {
  const inFlight = new Set<Promise<void>>();
  try {
    await sendInTurn(turn, inFlight);
  } finally {
    await Promise.all(inFlight);
  }
}

/** Until there is nothing to send, its time is over, or nobody listens. */
async function sendInTurn(turn: SendingTurn, inFlight: Set<Promise<void>>): Promise<void> {
  for (;;) {
    const hasRoom = inFlight.size < (turn.hears === "answers" ? AT_ONCE : 1);
    const wasEmpty = turn.ready.deliveries.length === 0;
    if (turn.results.length >= BATCH || wasEmpty) await writeDown(turn);
    if (wasEmpty && hasRoom && !isOver(turn)) await look(turn);
    const { webhook, deliveries } = turn.ready;
    const [delivery] = deliveries;
    if (delivery !== undefined && webhook !== null && hasRoom && !isOver(turn)) {
      deliveries.shift();
      turn.isNew = false;
      turn.open.set(delivery.id, delivery.resource);
      const posted = post(turn, webhook, delivery).finally(() => inFlight.delete(posted));
      inFlight.add(posted);
    } else if (inFlight.size > 0) {
      const isIdle = delivery === undefined && hasRoom && !isOver(turn);
      const lookAgain = async () => {
        await sleep(LOOK_MS);
        turn.isThrough = false;
      };
      await Promise.race(isIdle ? [...inFlight, lookAgain()] : inFlight);
    } else if (turn.results.length === 0 || isOver(turn)) break;
  }
  await writeDown(turn);
}

function isOver(turn: SendingTurn): boolean {
  turn.isCut ||= steady() >= turn.endsAt || turn.job.stop.aborted;
  return turn.isCut || turn.hears === "silence";
}

/**
 * Has deliveries ready, one until its receiver has answered: of those that are due, or of what has happened since. What happens behind what
 * is planned has the job run once more.
 */
async function look(turn: SendingTurn): Promise<void> {
  const { deps, job } = turn;
  if (!turn.isNew) await readReady(turn);
  turn.isNew = false;
  while (turn.ready.deliveries.length === 0 && turn.ready.webhook !== null && !turn.isThrough && !isOver(turn)) {
    const planned = await plan(deps, job.tenant, job.subject, turn.ready.webhook);
    turn.isThrough = planned === "none" || planned === "all";
    if (planned !== "none") await readReady(turn);
  }
}

async function readReady(turn: SendingTurn): Promise<void> {
  const { deps, job, open, hears } = turn;
  const busy = new Set(open.values());
  const limit = hears === "answers" ? BATCH : 1;
  const { webhook, deliveries } = await readDue(job.tenant, deps.database, job.subject, [...open.keys()], limit);
  turn.ready = { webhook: null, deliveries: [] };
  if (webhook?.isActive !== true) return;
  // One that somebody has sent again may be about the same resource as another.
  const free = deliveries.filter(({ resource }) => {
    const isFree = !busy.has(resource);
    busy.add(resource);
    return isFree;
  });
  turn.ready = { webhook, deliveries: free };
}

async function post(turn: SendingTurn, webhook: SendingWebhook, delivery: Due): Promise<void> {
  const result = await postDelivery(turn.deps, turn.job, webhook, delivery).catch((error: unknown) => {
    turn.failure = error;
    return null;
  });
  // It is not over: whoever has the job next sends it.
  if (result === null) {
    turn.isCut = true;
    return;
  }
  turn.results.push(result);
  if (result.verdict.isAnswered) turn.hears = "answers";
  else if (result.verdict.error !== "lost" && turn.hears === "nothing") turn.hears = "silence";
}

/** Writes down how tries ended, and what that means for their webhook. */
async function writeDown(turn: SendingTurn): Promise<void> {
  const { deps, job } = turn;
  const results = turn.results.splice(0);
  if (results.length === 0) return;
  const calls = record(job.subject, results);
  const isWorking = results.some(({ verdict }) => verdict.state === "delivered");
  if (results.some(({ verdict }) => verdict.isGone)) {
    calls.push(switchOff(job.subject, "gone"));
    turn.isCut = true;
  } else if (isWorking === turn.isFailing) calls.push(health(job.subject, isWorking));
  else if (turn.isFailing) calls.push(switchOff(job.subject, "failing"));
  turn.isFailing = !isWorking;
  await deps.database.write(job.tenant, calls);
  for (const { delivery } of results) turn.open.delete(delivery.id);
}
