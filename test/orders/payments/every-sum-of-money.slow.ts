import { test } from "node:test";
import { runs } from "../../runs.ts";
import { keepMoneyLedger } from "./money-ledger.ts";

/** Another seed each time; a failure names it. */
const SEED = Number(process.env.LIAISON_TEST_SEED ?? Date.now() % 1_000_000);

test("every sum of money is the sum of its rows, after hundreds of writes of every kind", async (t) => {
  await keepMoneyLedger(t, runs(200), SEED);
});
