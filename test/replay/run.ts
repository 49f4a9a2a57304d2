import fs from "node:fs";
import { decided } from "./decided.ts";
import { differencesOf } from "./differences.ts";
import { recorderOf, type Recorded } from "./recorder.ts";
import { sendAll } from "./requests.ts";
import { checkoutOf, newDirectory, serveCheckout } from "./stage.ts";

/**
 * `npm run test:replay -- COMMIT`: sends the same requests to a commit and to this checkout, each on an installation of
 * its own, and prints every difference that is neither growth nor decided. Exit code 1 if there is one.
 */
const SHOWN = 3;
const EXCERPT = 300;
const [commit] = process.argv.slice(2);
if (commit === undefined) {
  console.error("Name a commit: npm run test:replay -- COMMIT");
  process.exit(2);
}
const begun = performance.now();
const before = await recordsOf(commit);
const after = await recordsOf(null);
const differences = differencesOf(before, after);
const open = differences.filter(({ kind, before: { request } }) => !decided.some((each) => each.fits(kind, request)));
for (const { kind, requests, before: old, after: now } of open) {
  console.log(`\n${requests.length} times: ${kind}`);
  for (const request of requests.slice(0, SHOWN)) console.log(`  ${request.slice(0, EXCERPT)}`);
  for (const [name, { status, headers, body }] of [["before", old] as const, ["after", now] as const]) {
    console.log(`  ${name}: ${status} ${JSON.stringify(headers)}\n    ${body.slice(0, EXCERPT)}`);
  }
}
const seconds = Math.round((performance.now() - begun) / 1000);
const counts = `${before.length} requests, ${open.length} kinds of difference, ${differences.length - open.length} decided`;
console.log(`\n${counts}, ${seconds} s`);
process.exitCode = open.length === 0 ? 0 : 1;

async function recordsOf(of: string | null): Promise<Recorded[]> {
  const directory = newDirectory();
  try {
    const stage = await serveCheckout(checkoutOf(of, directory), directory);
    const { send, records } = recorderOf(stage);
    await sendAll(send);
    await stage.end();
    return records;
  } finally {
    fs.rmSync(directory, { recursive: true });
  }
}
