import fs from "node:fs";
import path from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { Outcome } from "./outcome.ts";
import { testFiles } from "./together.ts";

/**
 * What `npm test` runs: every test file, alone or with others in one process. `node --test` begins files in the order
 * of their names. Here the entries of several files begin first, so that no processor waits at the end for one of them.
 * With the argument `slow` it runs the files of `npm run test:slow`.
 */

/** More than there are processors on small machines: many files wait for a pause, a start or an end. */
const AT_ONCE = 4;
const TIMEOUT_MS = 600_000;

const isSlow = process.argv[2] === "slow";
const OTHERS = isSlow ? "" : "npm run test:slow, test:long, test:citus and test:wms run the other tests.\n";

/** An interruption leaves no database behind. */
const interrupted = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => interrupted.abort());

const { entries, alone, slow } = testFiles();
const outcome = new Outcome();
// In a constant, since Node's types do not know the global setup of a run yet.
const options = {
  files: isSlow ? slow : [...entries, ...alone],
  concurrency: AT_ONCE,
  timeout: TIMEOUT_MS,
  signal: interrupted.signal,
  globalSetupPath: path.join(import.meta.dirname, "global-setup.ts"),
};
run(options)
  .on("test:pass", (event) => outcome.note(event, "passed"))
  .on("test:fail", (event) => {
    outcome.note(event, "failed");
    process.exitCode = 1;
  })
  .on("test:summary", (event) => outcome.noteFile(event))
  .compose(new spec())
  .pipe(process.stdout);

// At the exit, when all processes of the tests have ended. The stream's end comes before the global teardown.
process.once("exit", () => {
  fs.writeSync(1, `\n${outcome.slowest()}\n\n${OTHERS}${outcome.line()}\n`);
});
