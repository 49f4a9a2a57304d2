import assert from "node:assert/strict";

/** The metrics of an answer, as Prometheus reads it. */
export type Scraped = {
  /** By name, without the suffixes of histograms. */
  types: Map<string, string>;
  series: Series[];
  /** The sum of the series of a name whose labels are these, and any others. */
  value: (name: string, labels?: Record<string, string>) => number;
  text: string;
};

export type Series = { name: string; labels: Record<string, string>; value: number };

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const LABEL = String.raw`([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"`;
const LINE = new RegExp(String.raw`^(${NAME})(?:\{(${LABEL}(?:,${LABEL})*)\})? (-?[\d.]+(?:e[+-]?\d+)?)$`);

/** Asks for them; fails where an answer is not to the letter of format 0.0.4. */
export async function scrape(url: string): Promise<Scraped> {
  const answer = await fetch(url);
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8");
  return parseMetrics(await answer.text());
}

export function parseMetrics(text: string): Scraped {
  assert.ok(text.endsWith("\n"));
  const types = new Map<string, string>();
  const series: Series[] = [];
  let current = "";
  for (const line of text.trimEnd().split("\n")) {
    const [, helped] = new RegExp(`^# HELP (${NAME}) \\S`).exec(line) ?? [];
    const [, typed = "", type] = new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram)$`).exec(line) ?? [];
    if (helped !== undefined) {
      assert.equal(types.has(helped), false, `${helped} comes twice`);
      current = helped;
    } else if (type !== undefined) {
      assert.equal(typed, current, line);
      types.set(typed, type);
    } else {
      const [, name = "", labels = "", , , , , value] = LINE.exec(line) ?? [];
      assert.notEqual(name, "", `not a line of the format: ${line}`);
      const parts = types.get(current) === "histogram" ? /_(?:bucket|sum|count)$/ : /$^/;
      assert.equal(name.replace(parts, ""), current, line);
      const pairs = [...labels.matchAll(new RegExp(LABEL, "g"))].map(([, label = "", text = ""]) => [label, text]);
      series.push({ name, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) });
    }
  }
  const places = text.split("\n").flatMap((line) => (line.startsWith("#") ? [] : line.replace(/ [^ ]*$/, "")));
  assert.equal(new Set(places).size, places.length, "a series comes twice");
  return {
    types,
    series,
    text,
    value: (name, labels = {}) =>
      series
        .filter((one) => one.name === name && Object.entries(labels).every(([label, is]) => one.labels[label] === is))
        .reduce((sum, { value }) => sum + value, 0),
  };
}
