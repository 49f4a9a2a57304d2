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

/** Maximum run time of a job, after which other jobs of the tenant get a worker. */
const TURN_MS = 10_000;
/** Parallel deliveries to a receiver that has answered in this run. Before that: one. */
const AT_ONCE = 10;
/** Deliveries read per query, and results written per transaction. */
const BATCH = 20;
/** Interval for reading new deliveries while responses are pending. */
const LOOK_MS = 1_000;
/** Polling interval of an idle webhook, in case the process that notifies it has died. */
const IDLE_MS = 60_000;
/**
 * Maximum pause before a silent receiver is tried again: the longest first pause of a delivery. New changes wait for it
 * too. The circuit of the webhook's lane makes longer pauses.
 */
const SILENT_MS = 6_000;

/**
 * Sends the pending deliveries of one webhook, and those of new changes, oldest first for each resource and ten at once
 * (docs/decisions/0064-webhooks.md). A webhook's job never runs twice at the same time, which preserves the order. If a
 * worker dies after sending but before storing the result, the delivery is sent again.
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
  await waitForTurn(turn);
  if (turn.failure !== null) throw turn.failure;
  const nextMs = Math.max(0, (await untilNext(tenant, database, subject)) ?? IDLE_MS);
  const afterMs = turn.isCut ? 0 : Math.min(nextMs, IDLE_MS);
  if (turn.hears === "silence")
    return { outcome: "again", afterMs: Math.min(nextMs, SILENT_MS), counts: false, answered: false };
  // No pause after a failing receiver answers: changes that arrived meanwhile would wait for its end.
  if (turn.hears === "answers" && wasFailing) return { outcome: "again", afterMs: 0, counts: false, answered: true };
  return { outcome: "again", afterMs, counts: false };
}

type SendingTurn = {
  deps: Deps;
  job: Job;
  /** Deliveries to send, and their webhook when they were read; null if the webhook is inactive or deleted. */
  ready: { webhook: SendingWebhook | null; deliveries: Due[] };
  /** Whether the deliveries read at the start are still unused. */
  isNew: boolean;
  /** Whether nothing was delivered since the last failure. */
  isFailing: boolean;
  /** The receiver's behaviour in this run. */
  hears: "nothing" | "silence" | "answers";
  /** Resources with a delivery that is being sent or whose result is not stored yet, by delivery id. */
  open: Map<string, string>;
  /** Results that are not stored yet. */
  results: Result[];
  endsAt: number;
  /** Whether all changes are planned. */
  isThrough: boolean;
  /** Whether the run must end early. */
  isCut: boolean;
  failure: unknown;
};

/** Waits for pending requests before it ends or fails, because another worker may claim the job afterwards. */
async function waitForTurn(turn: SendingTurn): Promise<void> {
  const inFlight = new Set<Promise<void>>();
  try {
    await sendInTurn(turn, inFlight);
  } finally {
    await Promise.all(inFlight);
  }
}

/** Sends until nothing is left, the time is over, or the receiver is silent. */
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
 * Reads due deliveries, or plans those of new changes; only one until the receiver has answered. Changes after that
 * make the job run again.
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
  // A delivery that was sent again by hand may concern the same resource as another.
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
  // The delivery stays due, and the next run sends it.
  if (result === null) {
    turn.isCut = true;
    return;
  }
  turn.results.push(result);
  if (result.verdict.isAnswered) turn.hears = "answers";
  else if (result.verdict.error !== "lost" && turn.hears === "nothing") turn.hears = "silence";
}

/** Stores the results of attempts, and their effect on the webhook. */
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
