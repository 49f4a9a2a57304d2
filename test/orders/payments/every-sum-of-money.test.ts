import { test } from "node:test";
import { SEED, runs } from "../../properties.ts";
import { keepMoneyLedger } from "./money-ledger.ts";

test("every sum of money is the sum of its rows, after every write of every kind", async (t) => {
  await keepMoneyLedger(t, runs(6), SEED);
});
