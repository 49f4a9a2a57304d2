/** One number of a metric. The values of its labels come from the program or its operator, never from its users. */
export type Sample = {
  labels: Readonly<Record<string, string>>;
  value: number;
  /** Appended to the metric's name: each part of a histogram has one. */
  suffix?: string;
};

/** A metric in Prometheus' model. A process passes its own to another one as JSON, so values are finite. */
export type Metric = {
  name: string;
  help: string;
  type: "counter" | "gauge" | "histogram";
  samples: readonly Sample[];
  /** Across several processes the largest value counts, if their sum has no meaning. */
  together?: "max";
};

/** A metric of one number, or of several. */
export function metric(name: string, help: string, type: Metric["type"], numbers: number | readonly Sample[]): Metric {
  return { name, help, type, samples: typeof numbers === "number" ? [{ labels: {}, value: numbers }] : numbers };
}

/** The metrics of several processes as one: the samples of the same labels become one. */
export function addUp(processes: readonly (readonly Metric[])[]): Metric[] {
  const byName = Map.groupBy(processes.flat(), ({ name }) => name);
  return [...byName.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const add = first.together === "max" ? Math.max : (a: number, b: number) => a + b;
    const sums = new Map<string, Sample>();
    for (const sample of [first, ...others].flatMap(({ samples }) => samples)) {
      const place = seriesOf(first.name, sample);
      const before = sums.get(place);
      sums.set(place, before === undefined ? sample : { ...sample, value: add(before.value, sample.value) });
    }
    return [{ ...first, samples: [...sums.values()] }];
  });
}

/** The text that Prometheus reads (its format 0.0.4). */
export function expose(metrics: readonly Metric[]): string {
  return metrics
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, help, type, samples }) => {
      const lines = samples.map((sample) => `${seriesOf(name, sample)} ${sample.value}\n`);
      return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
    })
    .join("");
}

function seriesOf(name: string, { labels, suffix = "" }: Sample): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${value.replaceAll(/["\\\n]/g, escaped)}"`);
  return `${name}${suffix}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`}`;
}

function escaped(character: string): string {
  return character === "\n" ? "\\n" : `\\${character}`;
}
