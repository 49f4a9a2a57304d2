import fs from "node:fs";
import path from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";

/**
 * What `npm test` runs: the files of the patterns that it is given, in their order. `node --test` begins files in the
 * order of their names; what takes long is begun first here, so that in the end no processor waits for another's last
 * file.
 */

/** More than there are processors on small machines: many files wait for a pause, a start or an end. */
const AT_ONCE = 4;
const TIMEOUT_MS = 600_000;

/** An interruption leaves no database behind. */
const interrupted = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => interrupted.abort());

const files = process.argv.slice(2).flatMap((pattern) => fs.globSync(pattern).toSorted());
// In a constant, since Node's types do not know the global setup of a run yet.
const options = {
  files: files.map((file) => path.resolve(file)),
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
