import path from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { testFiles } from "./together.ts";

/**
 * What `npm test` runs: every test file, alone or with others in one process. `node --test` begins files in the order
 * of their names. Here the entries of several files begin first, so that no processor waits at the end for one of them.
 */

/** More than there are processors on small machines: many files wait for a pause, a start or an end. */
const AT_ONCE = 4;
const TIMEOUT_MS = 600_000;

/** An interruption leaves no database behind. */
const interrupted = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => interrupted.abort());

const { entries, alone } = testFiles();
// In a constant, since Node's types do not know the global setup of a run yet.
const options = {
  files: [...entries, ...alone],
  concurrency: AT_ONCE,
  timeout: TIMEOUT_MS,
  signal: interrupted.signal,
  globalSetupPath: path.join(import.meta.dirname, "global-setup.ts"),
};
run(options)
  .on("test:fail", () => {
    process.exitCode = 1;
  })
  .compose(new spec())
  .pipe(process.stdout);
