import { parseArgs } from "node:util";
import { budget } from "./load/budget.ts";
import { scenarios, type Scenario } from "./load/scenarios.ts";
import type { Attack } from "./neighbours/attack.ts";
import { attacks } from "./neighbours/attacks.ts";
import { mechanisms, type Mechanism } from "./neighbours/mechanisms.ts";

export type Options = {
  sizes: number[];
  smallTenants: number;
  scenarios: Scenario[];
  /** The pages, instead of the scenarios. */
  pages: boolean;
  rounds: number;
  /** Of one round of one scenario with one candidate. */
  seconds: number;
  usualWay: boolean;
  figures: boolean;
  long: boolean;
  /** Of the import that --long compares with COPY. */
  rows: number;
  soakMinutes: number;
  compare: string | null;
  /** Only the kinds of requests with a budget, beside the ideal server alone. */
  budget: boolean;
  /** Instead of everything else. */
  neighbours: boolean;
  attacks: Attack[];
  /** Of the product's, what is missing. */
  without: Mechanism | null;
  /** Requests per second of an attack. */
  rate: number;
  /** The queue, instead of everything else. */
  jobs: boolean;
  /** Imports into new tenants, instead of everything else. */
  imports: boolean;
  /** The feed of changes, with the webhooks that follow it, instead of everything else. */
  feed: boolean;
  /** These alone. */
  webhooks: boolean;
  /** Custom fields, instead of everything else. */
  fields: boolean;
  /** The pages of money, instead of everything else. */
  money: boolean;
  /** More requests than can be answered, instead of everything else. */
  overload: boolean;
  /** Strangers at the doors for people, instead of everything else. */
  doors: boolean;
  /** The nodes of a Citus cluster, instead of everything else. */
  citus: boolean;
  json: boolean;
  quick: boolean;
};

export const USAGE = `npm run bench -- [options]
  --sizes 1000,100000      tenants to measure, by their number of companies (default 1000,100000,1000000)
  --only show,create       scenarios: ${scenarios.map(({ name }) => slugOf(name)).join(", ")}
  --only pages             the web interface's main pages beside the API's list, one request after the other
  --rounds N               rounds, of which the medians count (default 3)
  --seconds N              of one round (default 0.6)
  --no-usual-way           leaves the usual way out
  --no-figures             the scenarios alone
  --long                   also 10 minutes of the mix, and the import of a million rows beside COPY of the same
  --rows N, --minutes N    how much of that
  --budget                 the processor time of requests beside their budget; exits with 1 if one is above it
  --compare COMMIT         runs that commit too, interleaved
  --neighbours             instead: the effect of one tenant's attacks on another tenant
  --attacks a,b            of these: ${attacks.map(({ name }) => slugOf(name)).join(", ")}
  --without NAME           without one mechanism of sharing, during the attacks that it limits:
                           ${mechanisms.map(({ name }) => name).join(", ")}
  --rate N                 requests per second of an attack (default 100, which is the default rate limit)
  --jobs                   instead: the queue of jobs
  --imports                instead: imports into new tenants, of an empty database and beside a million companies of others
  --feed                   instead: the feed of changes, read and followed, and its webhooks
  --webhooks               instead: the webhooks alone
  --fields                 instead: ten custom fields, and a million companies narrowed by a value
  --money                  instead: /money and /sales of a workspace with 50,000 and with 1,000,000 invoices
  --overload               instead: three times the load that is answered at most
  --doors                  instead: the effect of strangers at the doors of passkeys, single sign-on and mail on a member
  --citus                  instead: the processor time of a Citus cluster's nodes (LIAISON_CITUS_BIN names its programs)
  --json                   appends the run to bench/results.ndjson
  --quick                  a few seconds on a tiny database: shows that everything runs, and measures nothing`;

/** Throws for an unknown option, scenario or number. */
export function readOptions(argv: string[]): Options {
  const { values } = parseArgs({
    args: argv,
    allowNegative: true,
    options: {
      sizes: { type: "string" },
      only: { type: "string" },
      rounds: { type: "string" },
      seconds: { type: "string" },
      "usual-way": { type: "boolean", default: true },
      figures: { type: "boolean", default: true },
      long: { type: "boolean", default: false },
      rows: { type: "string", default: "1000000" },
      minutes: { type: "string", default: "10" },
      compare: { type: "string" },
      budget: { type: "boolean", default: false },
      neighbours: { type: "boolean", default: false },
      attacks: { type: "string" },
      without: { type: "string" },
      rate: { type: "string", default: "100" },
      jobs: { type: "boolean", default: false },
      imports: { type: "boolean", default: false },
      feed: { type: "boolean", default: false },
      webhooks: { type: "boolean", default: false },
      fields: { type: "boolean", default: false },
      money: { type: "boolean", default: false },
      overload: { type: "boolean", default: false },
      doors: { type: "boolean", default: false },
      citus: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      quick: { type: "boolean", default: false },
    },
  });
  const { quick, neighbours, budget: hasBudget } = values;
  if (hasBudget) values.only ??= [...budget.keys()].join(",");
  const without = values.without === undefined ? null : mechanismNamed(values.without);
  const isPages = values.only === "pages";
  const seconds = neighbours ? (quick ? "0.1" : "8") : quick ? "0.05" : "0.6";
  return {
    sizes: (values.sizes ?? (quick ? "300" : hasBudget ? "1000" : "1000,100000,1000000")).split(",").map(positive),
    smallTenants: quick ? 2 : 200,
    scenarios: values.only === undefined ? [...scenarios] : isPages ? [] : values.only.split(",").map(scenarioNamed),
    pages: isPages,
    rounds: positive(values.rounds ?? (quick ? "1" : hasBudget ? "9" : "3")),
    seconds: positive(values.seconds ?? seconds),
    // It has dependencies of its own, which a test must not fetch.
    usualWay: values["usual-way"] && !quick && !isPages && !hasBudget,
    figures: values.figures && !quick && !isPages && !hasBudget,
    long: values.long,
    rows: positive(values.rows),
    soakMinutes: positive(values.minutes),
    compare: values.compare ?? null,
    budget: hasBudget,
    neighbours,
    attacks:
      values.attacks?.split(",").map(attackNamed) ??
      (without === null ? [...attacks] : without.attacks.map(attackNamed)),
    without,
    rate: positive(values.rate),
    jobs: values.jobs,
    imports: values.imports,
    feed: values.feed,
    webhooks: values.webhooks,
    fields: values.fields,
    money: values.money,
    overload: values.overload,
    doors: values.doors,
    citus: values.citus,
    json: values.json,
    quick,
  };
}

/** As the command line names a scenario. */
export function slugOf(name: string): string {
  return name.replaceAll(",", "").replaceAll(" ", "-");
}

function scenarioNamed(text: string): Scenario {
  const found = scenarios.find(({ name }) => slugOf(name) === text || name === text);
  if (found === undefined) throw new Error(`There is no scenario ${text}.`);
  return found;
}

function attackNamed(text: string): Attack {
  const found = attacks.find(({ name }) => slugOf(name) === text || name === text);
  if (found === undefined) throw new Error(`There is no attack ${text}.`);
  return found;
}

function mechanismNamed(text: string): Mechanism {
  const found = mechanisms.find(({ name }) => name === text);
  if (found === undefined) throw new Error(`There is no mechanism ${text}.`);
  return found;
}

function positive(text: string): number {
  const number = Number(text);
  if (!(number > 0)) throw new Error(`${text} is no number above 0.`);
  return number;
}
