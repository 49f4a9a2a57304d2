import type { TestContext } from "node:test";
import { compare } from "./compared-sums.ts";
import { fileWrites } from "./money-file-writes.ts";
import { kills, victimOf } from "./money-kills.ts";
import { moves } from "./money-moves.ts";
import { openStage, shuffled } from "./money-stage.ts";
import { askForSums, sums } from "./money-sums.ts";
import { writes } from "./money-writes.ts";

const kinds = { ...writes, ...fileWrites, ...kills, ...moves, ...sums };

/**
 * Random writes of all kinds by all doors, each kind at least once. After each of them every sum that the program shows
 * is that of the rows.
 */
export async function keepMoneyLedger(t: TestContext, steps: number, seed: number): Promise<void> {
  t.diagnostic(`LIAISON_TEST_SEED=${seed}`);
  const stage = await openStage(seed);
  // It takes a while.
  void victimOf(stage);
  for (let at = 0; at < 6; at++) await writes.invoice(stage);
  await sums.summed(stage);
  let deck: (keyof typeof kinds)[] = [];
  const done: string[] = [];
  for (let step = 0; step < steps; step++) {
    if (deck.length === 0) deck = shuffled(stage, Object.keys(kinds) as (keyof typeof kinds)[]);
    const kind = deck.pop() ?? "payment";
    done.push(kind);
    try {
      await kinds[kind](stage);
      // The job that keeps sums of sales runs beside the comparison, or has not run yet.
      if (stage.random(2) === 0) await askForSums(stage);
      await compare(stage);
    } catch (cause) {
      throw new Error(`seed ${seed}, after ${done.join(", ")}: ${(cause as Error).message}`, { cause });
    }
  }
}
