import fs from "node:fs";
import { compare, described } from "./compare.ts";
import { checkoutOf, newDirectory, ROOT } from "./stage.ts";

/**
 * `npm run test:replay -- COMMIT`: sends the same requests to a commit and to this checkout, each on an installation of
 * its own, and prints every difference that is neither growth nor decided. Exit code 1 if there is one.
 */
const [commit] = process.argv.slice(2);
if (commit === undefined) {
  console.error("Name a commit: npm run test:replay -- COMMIT");
  process.exit(2);
}
const begun = performance.now();
const directory = newDirectory();
try {
  const { requests, open, decided } = await compare(checkoutOf(commit, directory), ROOT);
  for (const difference of open) console.log(`\n${described(difference)}`);
  const seconds = Math.round((performance.now() - begun) / 1000);
  console.log(`\n${requests} requests, ${open.length} kinds of difference, ${decided} decided, ${seconds} s`);
  process.exitCode = open.length === 0 ? 0 : 1;
} finally {
  fs.rmSync(directory, { recursive: true });
}
