import type { Deps } from "../../../kit/deps.ts";
import type { Job, Outcome } from "../../../kit/jobs/job.ts";
import { sleep, steady } from "../../../platform/clock.ts";
import { inSteps } from "../../../platform/postgres/in-steps.ts";
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
const MAX_RUN_MS = 10_000;
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
  const endsAt = steady() + MAX_RUN_MS;
  const run: SendingRun = {
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
  await finishRun(run);
  if (run.failure !== null) throw run.failure;
  const nextMs = Math.max(0, (await untilNext(tenant, database, subject)) ?? IDLE_MS);
  const afterMs = run.isCut ? 0 : Math.min(nextMs, IDLE_MS);
  if (run.hears === "silence")
    return { outcome: "again", afterMs: Math.min(nextMs, SILENT_MS), counts: false, answered: false };
  // No pause after a failing receiver answers: changes that arrived meanwhile would wait for its end.
  if (run.hears === "answers" && wasFailing) return { outcome: "again", afterMs: 0, counts: false, answered: true };
  return { outcome: "again", afterMs, counts: false };
}

type SendingRun = {
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
async function finishRun(run: SendingRun): Promise<void> {
  const inFlight = new Set<Promise<void>>();
  try {
    await sendUntilOver(run, inFlight);
  } finally {
    await Promise.all(inFlight);
  }
}

/** Sends until nothing is left, the time is over, or the receiver is silent. */
async function sendUntilOver(run: SendingRun, inFlight: Set<Promise<void>>): Promise<void> {
  for (;;) {
    const hasRoom = inFlight.size < (run.hears === "answers" ? AT_ONCE : 1);
    const wasEmpty = run.ready.deliveries.length === 0;
    if (run.results.length >= BATCH || wasEmpty) await writeDown(run);
    if (wasEmpty && hasRoom && !isOver(run)) await look(run);
    const { webhook, deliveries } = run.ready;
    const [delivery] = deliveries;
    if (delivery !== undefined && webhook !== null && hasRoom && !isOver(run)) {
      deliveries.shift();
      run.isNew = false;
      run.open.set(delivery.id, delivery.resource);
      const posted = post(run, webhook, delivery).finally(() => inFlight.delete(posted));
      inFlight.add(posted);
    } else if (inFlight.size > 0) {
      const isIdle = delivery === undefined && hasRoom && !isOver(run);
      const lookAgain = async () => {
        await sleep(LOOK_MS);
        run.isThrough = false;
      };
      await Promise.race(isIdle ? [...inFlight, lookAgain()] : inFlight);
    } else if (run.results.length === 0 || isOver(run)) break;
  }
  await writeDown(run);
}

function isOver(run: SendingRun): boolean {
  run.isCut ||= steady() >= run.endsAt || run.job.stop.aborted;
  return run.isCut || run.hears === "silence";
}

/**
 * Reads due deliveries, or plans those of new changes; only one until the receiver has answered. Changes after that
 * make the job run again.
 */
async function look(run: SendingRun): Promise<void> {
  const { deps, job } = run;
  if (!run.isNew) await readReady(run);
  run.isNew = false;
  while (run.ready.deliveries.length === 0 && run.ready.webhook !== null && !run.isThrough && !isOver(run)) {
    const planned = await plan(deps, job.tenant, job.subject, run.ready.webhook);
    run.isThrough = planned === "none" || planned === "all";
    if (planned !== "none") await readReady(run);
  }
}

async function readReady(run: SendingRun): Promise<void> {
  const { deps, job, open, hears } = run;
  const busy = new Set(open.values());
  const limit = hears === "answers" ? BATCH : 1;
  const { webhook, deliveries } = await readDue(job.tenant, deps.database, job.subject, [...open.keys()], limit);
  run.ready = { webhook: null, deliveries: [] };
  if (webhook?.isActive !== true) return;
  // A delivery that was sent again by hand may concern the same resource as another.
  const free = deliveries.filter(({ resource }) => {
    const isFree = !busy.has(resource);
    busy.add(resource);
    return isFree;
  });
  run.ready = { webhook, deliveries: free };
}

async function post(run: SendingRun, webhook: SendingWebhook, delivery: Due): Promise<void> {
  const result = await postDelivery(run.deps, run.job, webhook, delivery).catch((error: unknown) => {
    run.failure = error;
    return null;
  });
  // The delivery stays due, and the next run sends it.
  if (result === null) {
    run.isCut = true;
    return;
  }
  run.results.push(result);
  if (result.verdict.isAnswered) run.hears = "answers";
  else if (result.verdict.error !== "lost" && run.hears === "nothing") run.hears = "silence";
}

/** Stores the results of attempts, and their effect on the webhook. */
async function writeDown(run: SendingRun): Promise<void> {
  const { deps, job } = run;
  const results = run.results.splice(0);
  if (results.length === 0) return;
  const calls = record(job.subject, results);
  const sent = results.find(({ verdict }) => verdict.error !== "lost");
  const isWorking = results.some(({ verdict }) => verdict.state === "delivered");
  const gone = results.find(({ verdict }) => verdict.isGone);
  if (gone !== undefined) {
    calls.push(switchOff(job.subject, "gone", gone.url));
    run.isCut = true;
  } else if (sent !== undefined) {
    if (isWorking === run.isFailing) calls.push(health(job.subject, isWorking));
    else if (run.isFailing) calls.push(switchOff(job.subject, "failing", sent.url));
    run.isFailing = !isWorking;
  }
  await deps.database.write(job.tenant, calls);
  for (const { delivery } of results) run.open.delete(delivery.id);
}
