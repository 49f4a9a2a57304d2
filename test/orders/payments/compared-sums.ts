import { oneOf, type Stage } from "./money-stage.ts";
import { assertRowsObey, compareCompany, compareDebts, compareLists } from "./sums-of-rows.ts";
import { compareSales } from "./sums-of-sales.ts";

const AS_OF = ["2025-12-31", "2026-01-31", "2026-07-15", "2026-11-15", "2027-06-30"];
const PERIODS = [
  ["2026-01-01", "2026-11-30"],
  ["2026-03-31", "2026-08-31"],
  ["2026-10-20", "2026-11-20"],
] as const;
const DIMENSIONS = ["company", "owner", "city", "month", "product"] as const;

/** The sums at every door, of a random day, period and company, beside those of the rows. */
export async function compare(stage: Stage): Promise<void> {
  const asOf = stage.random(2) === 0 ? oneOf(stage, AS_OF) : null;
  await assertRowsObey(stage);
  await Promise.all([
    compareDebts(
      stage,
      asOf,
      oneOf(stage, ["", "currency=RON", "assigned_to=0", `assigned_to=${stage.owner}`, "overdue=1"]),
    ),
    compareLists(stage),
    compareCompany(stage, String(oneOf(stage, stage.companies))),
    compareSales(stage, oneOf(stage, PERIODS), oneOf(stage, DIMENSIONS)),
  ]);
}
