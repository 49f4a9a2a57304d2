import assert from "node:assert/strict";
import { test } from "node:test";
import { everyAttack, runAttacks, runBench } from "./bench-program.ts";

test("the benchmark's bad neighbours run: every attack, and the other tenant is answered beside each", async () => {
  const attacks = await everyAttack();
  assert.ok(attacks.length > 100);
  await runAttacks(attacks);
});

test("the benchmark's bad neighbours run beside the product without a mechanism, and make the attacks that it is there for", async () => {
  const stdout = await runBench("--neighbours", "--quick", "--without", "slow-work");
  assert.match(stdout, /^contacts of a huge company, page 4,000 /m);
  assert.match(stdout, /^look-ups of a huge company /m);
  assert.doesNotMatch(stdout, /^lists, pipelined/m);
});

test("the benchmark's imports run: into an empty database, and beside another tenant's companies", async () => {
  const stdout = await runBench("--imports", "--quick");
  assert.match(stdout, /^import of 600 companies: rows per second +[\d,.]*[1-9]/m);
  assert.match(stdout, /^the same beside 1,000 of others \/ that +[\d.]*[1-9]/m);
});

test("the benchmark's queue runs: jobs are enqueued, claimed and done", async () => {
  const stdout = await runBench("--jobs", "--quick");
  for (const figure of [
    "enqueueing",
    "claim of a job",
    "claim of 100 jobs",
    "jobs a second",
    "the smallest tenant's",
  ]) {
    const line = stdout.split("\n").find((line) => line.startsWith(figure));
    assert.match(line ?? "", / {2,}(?:0\.\d*[1-9]|[\d,]*[1-9])/, `${figure} in:\n${stdout}`);
  }
});

test("the benchmark's strangers run: they are answered at every door, and so is the member beside them", async () => {
  const stdout = await runBench("--doors", "--quick");
  assert.match(stdout, /^p99 of a member's page beside strangers of one network \/ alone +[\d.]*[1-9]/m);
});

test("the benchmark's pages of money run", async () => {
  const stdout = await runBench("--money", "--quick");
  assert.match(stdout, /^\/sales of a year by company, [\d,]+ invoices +[\d.]*[1-9]/m);
});

test("the benchmark's overload runs: requests are answered beside three times as many as can be", async () => {
  const stdout = await runBench("--overload", "--quick");
  assert.match(stdout, /^answered at 3 times the load \/ at most +[\d.]*[1-9]/m);
});

test("the benchmark's custom fields run: beside none, and in lists that are narrowed by a value", async () => {
  const stdout = await runBench("--fields", "--quick");
  assert.match(stdout, /^throughput of create with 10 custom fields \/ without +[\d.]*[1-9]/m);
  assert.match(stdout, /^list of a very common value, of a workspace that statistics do not know +[\d.]*[1-9]/m);
});

test("the benchmark's feed runs: it is read and followed beside writes, and webhooks receive it", async () => {
  const stdout = await runBench("--feed", "--quick");
  assert.match(stdout, /^reading \d+ changes, 1,000 a page +[\d.]*[1-9]/m);
  assert.match(stdout, /^throughput of update beside 50 followers of the tenant \/ alone +[\d.]*[1-9]/m);
  assert.match(stdout, /^deliveries a second to one receiver +[\d.,]*[1-9]/m);
  assert.match(stdout, /^the p99 beside as many dead ones \/ alone +[\d.]*[1-9]/m);
});
