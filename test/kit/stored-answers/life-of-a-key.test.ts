import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, test } from "node:test";
import { buildApp } from "../../../src/doors/app.ts";
import type { Job } from "../../../src/kit/jobs/job.ts";
import { forgetAnswers } from "../../../src/kit/stored-answers/forget-answers.ts";
import { request, startServer, type Answer } from "../../harness.ts";
import { fc, runs } from "../../properties.ts";

/**
 * Every order of sending requests with one key, one after the other and at once, by two processes, beside a model of
 * what the key is then.
 */
const server = await startServer();
const { server: another } = buildApp(server.deps);
const urls = [server.url, await another.listen({ host: "127.0.0.1", port: 0 })];
after(async () => await another.close());
const tenant = await server.createTenant();
const COMPANIES = "/api/v1/companies";
const { id } = (await tenant.post(COMPANIES, { name: "A" })).body.data;
await tenant.post(COMPANIES, { name: "A", tax_id: "TAKEN" });

/** What may be asked for, and what that is answered where nothing was yet. */
const requests = [
  { method: "POST", path: COMPANIES, body: { name: "B" }, status: 201 },
  { method: "POST", path: COMPANIES, body: { name: "C" }, status: 201 },
  { method: "PUT", path: `${COMPANIES}/${id}`, body: { name: "D" }, status: 200 },
  { method: "POST", path: `${COMPANIES}/${id}/contacts`, body: { first_name: "E", last_name: "F" }, status: 201 },
  { method: "POST", path: COMPANIES, body: { name: "A", tax_id: "taken" }, status: 409 },
  { method: "POST", path: COMPANIES, body: { name: 5 }, status: 422 },
  { method: "DELETE", path: `${COMPANIES}/999999`, body: undefined, status: 404 },
] as const;

type Step =
  | { step: "send"; which: number; by: number }
  | { step: "at once"; which: number[] }
  | { step: "a day passes" };
type Kept = { which: number; answer: Answer } | null;

const which = fc.nat({ max: requests.length - 1 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ step: fc.constant("send" as const), which, by: fc.nat({ max: 1 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      step: fc.constant("at once" as const),
      which: fc.array(which, { minLength: 2, maxLength: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ step: "a day passes" } as const) },
);

test("in whatever order requests come, a key is what the model says", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
      const key = randomUUID();
      let kept: Kept = null;
      for (const each of steps) kept = await take(each, key, kept);
    }),
    { numRuns: runs(40) },
  );
});

async function take(each: Step, key: string, kept: Kept): Promise<Kept> {
  if (each.step === "a day passes") {
    await server.sql("update kept_answers set at = now() - interval '26 hours' where tenant_id = $1", [tenant.id]);
    await forgetAnswers(server.deps, { tenant: tenant.id, stop: new AbortController().signal } as Job);
    return null;
  }
  const sent =
    each.step === "send" ? [{ which: each.which, by: each.by }] : each.which.map((one, by) => ({ which: one, by }));
  const answers = await Promise.all(
    sent.map(async ({ which: asked, by }) => ({ which: asked, answer: await send(asked, by, key) })),
  );
  // At most one of them was carried out, where there was no answer before; all others return it, or a refusal.
  const done = answers.filter(({ answer: { status, headers } }) => status < 300 && !isReplay(headers));
  assert.ok(done.length <= (kept === null ? 1 : 0));
  const [first = kept] = done;
  for (const { which: asked, answer } of answers) {
    const { status } = requests[asked] as (typeof requests)[number];
    if (first !== null && asked === first.which) {
      assert.deepEqual([answer.status, answer.text], [first.answer.status, first.answer.text]);
    } else if (kept !== null) assert.equal(answer.body.error, "Idempotency-Key was used for another request.");
    // A refusal may have come first, and wrote nothing.
    else if (status >= 400) assert.ok(answer.status === status || answer.status === 422, answer.text);
    else assert.equal(answer.body.error, "Idempotency-Key was used for another request.");
  }
  return first;
}

async function send(asked: number, by: number, key: string): Promise<Answer> {
  const { method, path, body } = requests[asked] as (typeof requests)[number];
  const options = { token: tenant.token, headers: { "idempotency-key": key } };
  return await request(urls[by % urls.length] as string, method, path, body, options);
}

function isReplay(headers: Headers): boolean {
  return headers.get("idempotency-replayed") === "true";
}
