import assert from "node:assert/strict";
import { test } from "node:test";
import { production, withoutComments } from "./checkout.ts";

const COMMITS = "src/customers/companies/commit-company.ts";
/** A list of calls which the rooms of jobs make, and nothing else: it writes no company. */
const JOBS_ALONE = /^\[(?:\s*(?:enqueue\w*|\w+\.finish)\((?:[^()]|\([^()]*\))*\),?)+\s*\]$/;

test("a company is written by commitCompany alone, which keeps its counts and its index short", () => {
  const committing = production.find(({ name }) => name === COMMITS)?.text ?? "";
  assert.deepEqual(writesIn(committing), ["calls"], `${COMMITS} commits the calls that it is given`);
  const complaints = production
    .filter(({ name }) => name.startsWith("src/customers/companies/") && name !== COMMITS)
    .flatMap(({ name, text }) => writesIn(text).map((calls) => ({ name, calls })))
    .filter(({ calls }) => !JOBS_ALONE.test(calls))
    .map(({ name, calls }) => `${name} writes ${calls}: call commitCompany (${COMMITS}); only a job needs none`);
  assert.deepEqual(complaints, []);
});

test("a job may be enqueued without commitCompany, a statement may not", () => {
  const callsOf = (calls: string) => writesIn(`await deps.database.write(tenant, ${calls});`).join();
  for (const calls of [
    '[enqueue(SYNC_JOB, [id], "wms")]',
    "[enqueueSelected(SYNC_JOB, idsOf(rows)), job.finish({ outcome })]",
  ]) {
    assert.match(callsOf(calls), JOBS_ALONE);
  }
  for (const calls of ["calls", "[call]", "[enqueue(SYNC_JOB, [id]), { statement, parameters: [id] }]"]) {
    assert.doesNotMatch(callsOf(calls), JOBS_ALONE);
  }
});

/** The calls that a file passes to `Database.write`. */
function writesIn(text: string): string[] {
  return [...withoutComments(text).matchAll(/\.write\(/g)].map(({ index, input }) => {
    const begin = index + ".write(".length;
    let [end, depth] = [begin, 1];
    while (depth > 0 && end < input.length) depth += { "(": 1, ")": -1 }[input[end++] ?? ""] ?? 0;
    const [, calls = ""] = /^[^,]*,\s*([^]*?),?\s*$/.exec(input.slice(begin, end - 1)) ?? [];
    return calls;
  });
}
