import { isReached, type Figure } from "../figures/figure.ts";
import { medianSample, ratioTo, type Series } from "../figures/interleaved-rounds.ts";
import type { Spent } from "../figures/spent.ts";

const COLUMNS = [
  "scenario",
  "requests/s",
  "p50 ms",
  "p99 ms",
  "CPU µs",
  "+ database",
  "of the limit",
  "of the ideal",
  "x usual way",
  "x compared",
  "CPU x",
  "+ database x",
];
const BUDGET_WIDTHS = [20, 11, 11, 9, 9, 14];
const WIDTHS = [20, 11, 9, 9, 8, 11, 13, 13, 12, 11, 8, 13];

export function headerOf(size: number): string {
  return `\n${size.toLocaleString("en")} companies\n${cells(COLUMNS, WIDTHS)}`;
}

/** One scenario: the product's medians, and its throughput by that of the others. */
export function seriesLine(series: Series): string {
  const { requestsPerSecond, p50, p99, serverCpu, databaseCpu } = medianSample(series.samples.product ?? []);
  const ratios = (["limit", "ideal", "usual way", "compared"] as const).map((name) => short(ratioTo(series, name)));
  const row = [
    series.scenario,
    short(requestsPerSecond),
    short(p50),
    short(p99),
    short(serverCpu),
    short(databaseCpu),
    ...ratios,
    ...(["serverCpu", "databaseCpu"] as const).map((part) => short(partOfCpu(series, part))),
  ];
  return cells(row, WIDTHS);
}

/** A part of the product's processor time per request, divided by the other commit's. */
function partOfCpu({ samples }: Series, part: "serverCpu" | "databaseCpu"): number {
  const [own, other] = [samples.product ?? [], samples.compared ?? []].map((each) => medianSample(each)[part]);
  return (own ?? Number.NaN) / (other ?? Number.NaN);
}

export function figureLines(figures: Figure[]): string {
  const rows = figures.map(({ name, value, unit, atLeast, atMost, byCpu }) => {
    const goal = atLeast !== undefined ? `>= ${atLeast}` : atMost !== undefined ? `<= ${atMost}` : "";
    const verdict = isReached({ value, atLeast, atMost }) ? "reached" : "not reached";
    return `${name.padEnd(72)} ${`${short(value)} ${unit ?? ""}`.padEnd(12)} ${goal.padEnd(10)} ${(goal === "" ? "" : verdict).padEnd(12)} ${byCpu === undefined ? "" : short(byCpu)}`;
  });
  return `\n${"figure".padEnd(72)} ${"measured".padEnd(12)} ${"goal".padEnd(23)} by CPU\n${rows.map((row) => row.trimEnd()).join("\n")}`;
}

/** The budget of the README beside what was measured: kind, product, ideal server, their ratio, and the verdict. */
export function budgetLines(spent: readonly Spent[]): string {
  const rows = spent.map(({ kind, product, ideal, ratio, most, isAbove }) => {
    const verdict = isAbove ? `${short(100 * (ratio / most - 1))} % above` : "within";
    return cells([kind, short(product), short(ideal), short(ratio), short(most), verdict], BUDGET_WIDTHS);
  });
  return ["", cells(["budget", "CPU µs", "ideal's", "ratio", "at most", ""], BUDGET_WIDTHS), ...rows].join("\n");
}

/** The first cell to the left, the others to the right. */
export function cells(texts: string[], widths: number[]): string {
  return texts
    .map((text, index) => (index === 0 ? text.padEnd(widths[index] ?? 0) : text.padStart(widths[index] ?? 0)))
    .join("")
    .trimEnd();
}

/** Three significant digits are more than the machine repeats. */
export function short(value: number): string {
  if (Number.isNaN(value)) return "-";
  if (value >= 100) return Math.round(value).toLocaleString("en");
  return String(Number(value.toPrecision(3)));
}
