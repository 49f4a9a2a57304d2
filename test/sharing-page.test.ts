import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { GUESSES_EVERY_MS } from "../src/people/api-keys/authenticate.ts";
import { MOST_WAITING } from "../src/people/api-keys/find-key.ts";
import { SIGNED_OUT_FORM_LIMIT } from "../src/platform/http/body.ts";
import { ENTRIES_OF_PART, FEW_ENTRIES, SMALL_BODY } from "../src/platform/http/json-body.ts";
import { FREE_CHUNKS, SHORT_CHUNK } from "../src/platform/http/short-chunks.ts";
import { LANE_LOCK_TIMEOUT_MS } from "../src/platform/postgres/request-settings.ts";
import { READS, WRITES } from "../src/platform/postgres/transactions/lane-policies.ts";
import { PRESENT_AT_LOOP_FOR_MS, PRESENT_FOR_MS } from "../src/platform/sharing/presence.ts";
import { PRICES } from "../src/platform/sharing/prices.ts";
import { SHARES, type Share } from "../src/platform/sharing/shares.ts";
import { SLOW_FOR_MS, SLOW_MS } from "../src/platform/sharing/slow-work.ts";
import { AT_ONCE_MS, BETWEEN_LOOKS_MS, MOST_TIMES, REST } from "../src/platform/sharing/time.ts";

const page = fs.readFileSync(path.join(import.meta.dirname, "../docs/sharing.md"), "utf8");

/** The rows of a table of the page, by its first column's heading: each row's first cell, and the others. */
function tableOf(heading: string): Map<string, string[]> {
  const lines =
    page
      .slice(page.indexOf(`\n| ${heading} |`))
      .trim()
      .split("\n\n")[0]
      ?.split("\n")
      .slice(2) ?? [];
  const rows = lines.map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll("`", "")),
  );
  return new Map(rows.map(([name = "", ...cells]) => [name, cells]));
}

function text(value: number): string {
  return value === Infinity ? "any" : value.toLocaleString("en");
}

test("docs/sharing.md has each share with its numbers, and no other", () => {
  const told = tableOf("places");
  assert.deepEqual([...told.keys()], Object.keys(SHARES));
  for (const [name, { all, each = all, alone = each, waitMs, waiting, waitingAll }] of Object.entries<Share>(SHARES)) {
    const [, ofAll, ofEach = "", ofLoner, patience] = told.get(name) ?? [];
    const [ofOne, ofEverybody] = [waiting, waitingAll].map((most) => (most === undefined ? null : text(most)));
    const waits = `${waitMs / 1_000} s${ofOne === null ? "" : `, ${ofOne} waiting`}${ofEverybody === null ? "" : `, ${ofEverybody} in all`}`;
    assert.deepEqual([ofAll, ofLoner, patience], [text(all), text(alone), waits], name);
    // The number of processors may decide.
    assert.ok(ofEach.split(" or ").includes(text(each)), name);
  }
});

test("docs/sharing.md says what a long line of requests may", () => {
  const told = `Of more than 100 waiting \`requests\`, ${SHARES.requests.ofLong} are in work at once.`;
  assert.ok(page.replaceAll(/\s+/g, " ").includes(told));
});

test("docs/sharing.md has each price, each time and what stands at the doors", () => {
  const prices = [...tableOf("price")].map(([name, [, ms]]) => [name, Number(ms)]);
  assert.deepEqual(Object.fromEntries(prices), PRICES);
  assert.deepEqual(numbersOf("time"), [BETWEEN_LOOKS_MS, AT_ONCE_MS, PRESENT_AT_LOOP_FOR_MS, PRESENT_FOR_MS]);
  assert.deepEqual(numbersOf("slow work"), [
    READS.patienceMs,
    WRITES.patienceMs,
    SLOW_MS,
    SLOW_FOR_MS,
    LANE_LOCK_TIMEOUT_MS,
  ]);
  const keys = [MOST_WAITING, GUESSES_EVERY_MS];
  const bodies = [FREE_CHUNKS, SHORT_CHUNK, SIGNED_OUT_FORM_LIMIT, SMALL_BODY, FEW_ENTRIES, ENTRIES_OF_PART];
  assert.deepEqual(numbersOf("door"), [...keys, ...bodies]);
  // In words: a quarter of the time, and up to four times what was expected.
  assert.deepEqual([1 / (1 + REST), MOST_TIMES], [1 / 4, 4]);
});

function numbersOf(heading: string): number[] {
  return [...tableOf(heading).values()].map(([number = ""]) => Number(number.replaceAll(",", "")));
}
