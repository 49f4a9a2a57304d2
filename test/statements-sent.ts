import { expose } from "../src/platform/metrics/metric.ts";
import { statementTallies } from "../src/platform/postgres/statement-tallies.ts";
import { parseMetrics } from "./metrics-text.ts";

/** The number of times that this process has sent a statement so far. */
export function statementsSent(statement: string): number {
  return parseMetrics(expose(statementTallies.metrics())).value("liaison_statements_total", { statement });
}
