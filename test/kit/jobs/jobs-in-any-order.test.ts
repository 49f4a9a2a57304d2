import assert from "node:assert/strict";
import { test } from "node:test";
import type { Claimed } from "../../../src/kit/jobs/job-queries.ts";
import type { Outcome } from "../../../src/kit/jobs/job.ts";
import { startServer } from "../../harness.ts";
import { fc, runs } from "../../properties.ts";
import { KIND, queueOf } from "./queue.ts";

/** Every order of enqueueing, claiming, ending, stalling and hastening, beside a model of what a job is then. */
const server = await startServer();
const queue = queueOf(server);
const tenant = await server.createTenant();
const LIMIT = 2;
const LATER_MS = 3_600_000;

type ModelJob = {
  /** That of its row, once it was claimed: a subject that is enqueued again when its job is done has another one. */
  id: string | null;
  state: "waiting" | "running" | "failed";
  isDue: boolean;
  attempt: number;
  tries: number;
  hasDied: boolean;
  isAskedAgain: boolean;
  isExpired: boolean;
};

type Step =
  | { step: "enqueue" | "hasten"; subject: number }
  | { step: "claim"; wanted: number }
  | { step: "expire"; which: number }
  | { step: "finish"; which: number; outcome: Outcome };

const subject = fc.integer({ min: 1, max: 4 });
const which = fc.nat({ max: 5 });
const outcome: fc.Arbitrary<Outcome> = fc.oneof(
  fc.constantFrom<Outcome>({ outcome: "done" }, { outcome: "failed" }),
  fc.record(
    {
      outcome: fc.constant("again" as const),
      afterMs: fc.constantFrom(0, LATER_MS),
      counts: fc.boolean(),
      answered: fc.constant(true),
    },
    { requiredKeys: ["outcome", "afterMs", "counts"] },
  ),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ step: fc.constant("enqueue" as const), subject }) },
  { weight: 1, arbitrary: fc.record({ step: fc.constant("hasten" as const), subject }) },
  { weight: 5, arbitrary: fc.record({ step: fc.constant("claim" as const), wanted: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ step: fc.constant("expire" as const), which }) },
  { weight: 5, arbitrary: fc.record({ step: fc.constant("finish" as const), which, outcome }) },
);

test("in whatever order things happen, a job is what the model says", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      await queue.empty();
      const model = new Map<number, ModelJob>();
      // The latest attempts first: most of what ends is not stale, and some is.
      const claims: Claimed[] = [];
      for (const each of steps) await take(each, model, claims);
      const expected = [...model].map(([subject, { state, tries }]) => ({ subject, state, tries }));
      assert.deepEqual(
        await queue.jobs(tenant),
        expected.toSorted((a, b) => a.subject - b.subject),
      );
    }),
    { numRuns: runs(60) },
  );
});

async function take(each: Step, model: Map<number, ModelJob>, claims: Claimed[]): Promise<void> {
  switch (each.step) {
    case "enqueue":
      await queue.enqueue(tenant, [each.subject]);
      return enqueueInModel(model, each.subject);
    case "hasten": {
      await queue.hasten(tenant, each.subject);
      const job = model.get(each.subject);
      if (job?.state === "waiting") job.isDue = true;
      return;
    }
    case "claim": {
      const claimed = await queue.claim({ wanted: each.wanted, limits: { [KIND]: LIMIT } });
      claims.unshift(...claimed);
      return checkClaim(claimed, model, each.wanted);
    }
    case "expire": {
      const claim = claims[each.which];
      const job = claim === undefined ? undefined : ownJob(claim, model);
      if (claim === undefined || job === undefined) return;
      await queue.expire(claim);
      job.isExpired = true;
      return;
    }
    default: {
      const claim = claims[each.which];
      if (claim === undefined) return;
      const job = ownJob(claim, model);
      assert.equal(await queue.finish(claim, each.outcome), job !== undefined, "a stale attempt changes nothing");
      if (job !== undefined) finishInModel(model, Number(claim.subject), job, each.outcome);
    }
  }
}

function enqueueInModel(model: Map<number, ModelJob>, subject: number): void {
  const fresh = { tries: 0, hasDied: false, isAskedAgain: false, isExpired: false, isDue: true } as const;
  const job = model.get(subject);
  if (job === undefined) model.set(subject, { ...fresh, id: null, state: "waiting", attempt: 0 });
  else if (job.state === "running") job.isAskedAgain = true;
  else if (job.state === "failed") Object.assign(job, fresh, { state: "waiting" });
}

function checkClaim(claimed: Claimed[], model: Map<number, ModelJob>, wanted: number): void {
  for (const job of model.values()) {
    if (job.isExpired) Object.assign(job, { state: "waiting", isDue: true, hasDied: true, isExpired: false });
  }
  const jobs = [...model.values()];
  const running = jobs.filter(({ state }) => state === "running").length;
  const ready = jobs.filter(({ state, isDue }) => state === "waiting" && isDue).length;
  assert.equal(claimed.length, Math.min(wanted, LIMIT - running, ready));
  for (const { id, subject, attempt, tries, hasDied } of claimed) {
    const job = model.get(Number(subject));
    assert.ok(job?.state === "waiting" && job.isDue, `${subject} was not ready`);
    Object.assign(job, { id, state: "running", attempt: job.attempt + 1, tries: job.tries + 1 });
    assert.deepEqual(
      { attempt, tries, hasDied },
      { attempt: String(job.attempt), tries: job.tries, hasDied: job.hasDied },
    );
  }
}

/** The job that an attempt still runs; undefined where the attempt is over. */
function ownJob(claim: Claimed, model: Map<number, ModelJob>): ModelJob | undefined {
  const job = model.get(Number(claim.subject));
  return job?.state === "running" && job.id === claim.id && String(job.attempt) === claim.attempt ? job : undefined;
}

function finishInModel(model: Map<number, ModelJob>, subject: number, job: ModelJob, outcome: Outcome): void {
  const { isAskedAgain } = job;
  Object.assign(job, { isAskedAgain: false, isExpired: false, hasDied: false, isDue: true });
  if (outcome.outcome === "again") {
    const isAwaited = isAskedAgain && outcome.answered === undefined;
    Object.assign(job, { state: "waiting", isDue: isAwaited || outcome.afterMs === 0 });
    if (!outcome.counts) job.tries--;
  } else if (isAskedAgain) Object.assign(job, { state: "waiting", tries: 0 });
  else if (outcome.outcome === "failed") job.state = "failed";
  else model.delete(subject);
}
