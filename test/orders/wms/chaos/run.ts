import assert from "node:assert/strict";
import { test } from "node:test";
import { parseArgs } from "node:util";
import { connectTo, createDataDirectory, isAlive, postmasterOf } from "../../../failure/data-directory.ts";
import { poll } from "../../../program.ts";
import { unleash } from "./chaos.ts";
import type { Ground } from "./stage.ts";

/**
 * `npm run test:wms`: the same as chaos.slow.ts at length, with `liaison worker` as it is, on an embedded PostgreSQL
 * that is killed too. Prints the number of steps, and `dup=0 lost=0 mismatched=0 unknown=0 unseen=0 unprotected=0`.
 * A run on a machine that was too busy for the simulator is void, whatever it found.
 */
const { values } = parseArgs({
  options: {
    invoices: { type: "string", default: "10000" },
    companies: { type: "string", default: "40" },
    instances: { type: "string", default: "10" },
    tenants: { type: "string", default: "4" },
    kills: { type: "string", default: "200" },
    minutes: { type: "string", default: "20" },
  },
});
const size = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, atLeastOne(name, value)])) as {
  [name in keyof typeof values]: number;
};

test("whatever fails or dies, each invoice becomes one order, and its link is that order", async () => {
  const begun = performance.now();
  const say = (line: string) => console.log(`${Math.round((performance.now() - begun) / 1000)} s: ${line}`);
  const { minutes, ...others } = size;
  const { verdict, unseen, unprotected, isVoid } = await unleash(createGround(), {
    ...others,
    seconds: minutes * 60,
    isHasty: false,
    say,
  });
  const { dup, lost, mismatched, unknown } = verdict;
  say("judged");
  console.log(
    `dup=${dup} lost=${lost} mismatched=${mismatched} unknown=${unknown} unseen=${unseen} unprotected=${unprotected}`,
  );
  assert.equal(isVoid, false, "the run is void, because the simulator was too late: run it again on a quieter machine");
  assert.deepEqual(verdict, { dup: 0, lost: 0, mismatched: 0, unknown: 0 });
  assert.equal(unseen, 0, "the list of needs has each cancelled invoice whose goods go on");
  assert.equal(unprotected, 0, "an invoice that a warehouse has is locked");
});

/** An embedded PostgreSQL in a directory of its own, which the programs start, and start again. */
function createGround(): Ground {
  const dataDir = createDataDirectory();
  return {
    environment: { LIAISON_DATA_DIR: dataDir },
    leaseMs: null,
    async sql(text, parameters = []) {
      let rows: Record<string, unknown>[] = [];
      // It is asked again while PostgreSQL is away.
      await poll("PostgreSQL", async () => {
        const client = await connectTo(dataDir).catch(() => null);
        const result = await client?.query(text, parameters).catch(() => null);
        await client?.end().catch(() => {});
        if (result) rows = result.rows;
        return Boolean(result);
      });
      return rows;
    },
    async killPostgres() {
      let postmaster: number | null = null;
      await poll("PostgreSQL", () => (postmaster = postmasterOf(dataDir)) !== null);
      const pid = Number(postmaster);
      process.kill(pid, "SIGKILL");
      await poll("PostgreSQL's end", () => !isAlive(pid));
    },
  };
}

function atLeastOne(option: string, value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1) throw new Error(`--${option} needs a whole number from 1`);
  return number;
}
