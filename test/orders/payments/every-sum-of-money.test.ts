import { test } from "node:test";
import { runs } from "../../runs.ts";
import { keepMoneyLedger } from "./money-ledger.ts";

const SEED = Number(process.env.LIAISON_TEST_SEED ?? 20261129);

test("every sum of money is the sum of its rows, after every write of every kind", async (t) => {
  await keepMoneyLedger(t, runs(12), SEED);
});
