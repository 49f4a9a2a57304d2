import assert from "node:assert/strict";
import { test } from "node:test";
import { production, withoutComments } from "./checkout.ts";

/**
 * Callers that wait for each other need turns by holder, a patience, and a way out when a client hangs up. `Places`,
 * `Time`, `gathering` and `OneForMany` of src/platform/sharing/ have them (docs/sharing.md). A promise that a module
 * keeps for later callers is a queue without any of these.
 */
const QUEUES: readonly RegExp[] = [
  // A variable of a module, which all tenants share.
  /^(?:export )?let \w+/m,
  // A promise that outlives the call that made it: in a variable, a field, or a collection.
  /^\s*let \w+: [^=;]*Promise<|^\s*(?:let|const) \w+ = Promise\.resolve\(/m,
  /new (?:Weak)?(?:Map|Set)<[^(]*Promise</,
  /^\s+(?:(?:private|readonly|static) )*#?\w+\??: Promise<[^()]*>(?: \| (?:null|undefined))?(?:;| =)/m,
  // A list of callers that wait, and a promise that another call resolves.
  /\bPromise\.withResolvers\b|\bresolve: \(|\(\(\) => void\)\[\]|(?:Set|Map)<(?:\w+, )?\(\) => void>/,
];

const SHARING = "src/platform/sharing/";

/** The files that have such state and delay no other tenant by it, each with the reason. */
const justified: Record<string, string> = {
  "src/doors/agents-scope.ts": "a library that is loaded once",
  "src/doors/api-scope.ts": "the parsed body of one request",
  "src/exchange/imports/writing/import-csv.ts": "the statements of one import",
  "src/exchange/imports/writing/in-order.ts": "the batches of one import",
  "src/exchange/imports/writing/find-owners.ts": "the users of one file",
  "src/kit/jobs/run-jobs.ts": "jobs in lanes, which jobs/job.ts explains",
  "src/platform/clock.ts": "the last time that was read",
  "src/platform/cluster/embedded-postgres.ts": "the process's use of its cluster",
  "src/platform/encryption/keyring.ts": "random bytes that are drawn in advance",
  "src/platform/http/outgoing.ts": "the memory of one answer, a place of its holder",
  "src/platform/log-destination.ts": "the log that is open",
  "src/platform/outbound/lazy-clients.ts": "a library that is loaded once",
  "src/platform/passwords/password-hash.ts": "one thread, which callers reach through the places for passwords",
  "src/platform/postgres/held-calls.ts": "the last answer, which is read again after some time",
  "src/platform/postgres/transactions/coalescer.ts": "calls in transactions, with places by tenant",
  "src/platform/postgres/transactions/lane.ts": "a connection that is being opened",
  "src/platform/postgres/transactions/pending-commit.ts": "the steps of one transaction",
  "src/people/single-sign-on/known-providers.ts": "one provider, whose callers have the places for single sign-on",
  "src/kit/stored-answers/answer-once.ts": "requests with the same key of one tenant, with a patience",
  "src/people/users/password.ts": "a list of words that is loaded once",
  "src/exchange/webhooks/sending/send-webhook.ts": "the deliveries of one job",
};

const hasQueue = (text: string) => QUEUES.some((pattern) => pattern.test(withoutComments(text)));

test("callers wait for each other in src/platform/sharing/ only", () => {
  const found = production
    .filter(({ name }) => !name.startsWith(SHARING) && !name.startsWith("src/kit/web/assets/"))
    .filter(({ text }) => hasQueue(text))
    .map(({ name }) => name);
  assert.deepEqual(
    found.filter((name) => justified[name] === undefined),
    [],
    "use sharing.places (platform/sharing/shares.ts), sharing.time, gathering() or oneForMany(); if no other tenant waits for it, say why in test/tidy/queues.test.ts",
  );
  assert.deepEqual(
    Object.keys(justified).filter((name) => !found.includes(name)),
    [],
    "no longer needs a reason",
  );
});

test("a promise chain, a lock and a list of waiting callers are found", () => {
  for (const text of [
    "let last: Promise<unknown> = Promise.resolve();",
    "export function create() {\n  let last = Promise.resolve();\n}",
    "let isBusy = false;",
    "class Lock {\n  #last: Promise<void> | null = null;\n}",
    "  const running = new Map<string, Promise<void>>();",
    "  const waiting: (() => void)[] = [];",
    "  const { promise, resolve } = Promise.withResolvers<void>();",
  ]) {
    assert.ok(hasQueue(text), text);
  }
  assert.ok(!hasQueue("  const found = await Promise.all(rows.map(read));\n  let at = 0;"));
});
