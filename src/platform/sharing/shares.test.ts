import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { READS, WRITES } from "../postgres/transactions/manners.ts";
import { ASIDE_FOR_MS, SLOW_MS } from "./aside.ts";
import { PRICES } from "./prices.ts";
import { SHARES, type Share } from "./shares.ts";
import { AT_ONCE_MS, BETWEEN_LOOKS_MS } from "./time.ts";

const page = fs.readFileSync(path.join(import.meta.dirname, "../../../docs/sharing.md"), "utf8");

/** The rows of a table of the page, by its first column's heading: each row's first cell, and the others. */
function tableOf(heading: string): Map<string, string[]> {
  const lines =
    page
      .slice(page.indexOf(`\n| ${heading} |`))
      .trimStart()
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

test("docs/sharing.md has each price and each time", () => {
  const prices = [...tableOf("price")].map(([name, [, ms]]) => [name, Number(ms)]);
  assert.deepEqual(Object.fromEntries(prices), PRICES);
  const times = [...tableOf("time").values()].map(([ms]) => Number(ms));
  assert.deepEqual(times, [BETWEEN_LOOKS_MS, AT_ONCE_MS]);
  const aside = [...tableOf("aside").values()].map(([ms = ""]) => Number(ms.replace(",", "")));
  assert.deepEqual(aside, [READS.patienceMs, WRITES.patienceMs, SLOW_MS, ASIDE_FOR_MS]);
});
