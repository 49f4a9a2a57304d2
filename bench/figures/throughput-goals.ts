import { contacts, create, listPage1, searchFew, show, update, wmsOrders, type Scenario } from "../load/scenarios.ts";
import type { Figure } from "./figure.ts";
import { cpuRatioTo, ratioTo, type Series } from "./interleaved-rounds.ts";

/** The size at which the product is held against the usual way. */
const COMPARED_SIZE = 100_000;

/** What follows from the rounds; what was not measured is left out. */
export function throughputFigures(series: Series[]): Figure[] {
  const size = series.some((one) => one.size === COMPARED_SIZE) ? COMPARED_SIZE : series[0]?.size;
  const of = (scenario: Scenario) => series.find((one) => one.size === size && one.scenario === scenario.name);
  const ratio = (other: "ideal" | "usual way", goals: [Scenario, number][]): Figure[] =>
    goals.flatMap(([scenario, atLeast]) => {
      const found = of(scenario);
      if (found?.samples[other] === undefined) return [];
      const name = `throughput of ${scenario.name} / ${other}'s, ${size?.toLocaleString("en")} companies`;
      return [{ name, value: ratioTo(found, other), atLeast, byCpu: cpuRatioTo(found, other) }];
    });
  return [
    ...ratio("ideal", [
      [show, 0.75],
      [listPage1, 0.75],
      [contacts, 0.75],
      [wmsOrders, 0.75],
      [create, 0.7],
      [update, 0.7],
    ]),
    ...ratio("usual way", [
      [show, 5],
      [listPage1, 10],
      [searchFew, 1.5],
      [create, 2.5],
      [update, 2.5],
    ]),
  ];
}
