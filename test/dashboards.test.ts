import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { parseYaml } from "@redocly/openapi-core";
import { createMetrics } from "../src/doors/metrics.ts";
import { attemptTallies } from "../src/kit/jobs/attempt-tallies.ts";
import { createRateLimiters } from "../src/platform/http/rates/rate-limit.ts";
import { expose } from "../src/platform/metrics/metric.ts";
import { startServer } from "./harness.ts";
import { parseMetrics, type Scraped } from "./metrics-text.ts";
import { orderOfNothing } from "./orders/wms/order-of-nothing.ts";
import { startStubWarehouse } from "./orders/wms/stub-warehouse.ts";

/** Every alert and every panel of docs/operations/ asks for metrics, labels and values that there are. */

const FOLDER = path.join(import.meta.dirname, "../docs/operations");

type Rules = { groups: { rules: Rule[] }[] };
type Rule = { alert: string; expr: string; annotations: Record<string, string>; labels: Record<string, string> };
type Dashboard = { panels: { title: string; targets: { expr: string; legendFormat: string }[] }[] };

const rules = (parseYaml(read("alerts.yaml")) as Rules).groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(read("dashboard.json")) as Dashboard;
const scraped = await metricsOfEverything();

/** Prometheus' own. */
const OWN = new Map([["up", ["job"]]]);
const OPERATORS = ["by", "or"];
const OF_RANGES = ["rate", "increase", "changes", "min_over_time"];
const FUNCTIONS = new Set([...OF_RANGES, ...OPERATORS, "sum", "max", "histogram_quantile", "topk", "time", "absent"]);

for (const { alert, expr, annotations, labels } of rules) {
  test(`the alert ${alert} uses existing metrics, and says what to do`, () => {
    const labelsLeft = checkExpression(expr);
    assert.match(annotations.summary ?? "", /\.$/);
    assert.match(annotations.what_to_do ?? "", /\.$/);
    assert.ok(["page", "ticket"].includes(labels.severity ?? ""));
    for (const [, label = ""] of Object.values(annotations)
      .join(" ")
      .matchAll(/\$labels\.(\w+)/g)) {
      assert.ok(labelsLeft.includes(label), `the label ${label} is none of the result`);
    }
    for (const [, document = "", section] of (annotations.what_to_do ?? "").matchAll(
      /(docs\/[\w.]+\.md)(?: (\d+))?/g,
    )) {
      const text = fs.readFileSync(path.join(FOLDER, "../..", document), "utf8");
      if (section !== undefined) assert.match(text, new RegExp(`^## ${section}\\. `, "m"));
    }
  });
}

test("each alert leads to its own section of the runbook, and each section there is of an alert", () => {
  const [, section = ""] = /^## The alerts\n([^]*)/m.exec(read("../runbook.md")) ?? [];
  const titles = [...section.matchAll(/^### (\w+)\n\n\S/gm)].map(([, title = ""]) => title);
  assert.deepEqual(
    titles,
    rules.map(({ alert }) => alert),
  );
  for (const { alert, annotations } of rules)
    assert.equal(annotations.runbook_url, `docs/runbook.md#${alert.toLowerCase()}`);
});

for (const { title, targets } of panels) {
  test(`the panel "${title}" uses existing metrics`, () => {
    assert.ok(targets.length > 0);
    for (const { expr, legendFormat } of targets) {
      const labelsLeft = checkExpression(expr.replaceAll("$__rate_interval", "5m"));
      for (const [, label = ""] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) {
        assert.ok(labelsLeft.includes(label), `${expr} leaves no label ${label}`);
      }
    }
  });
}

test("every metric is in an alert or a panel, or in neither for a reason", () => {
  const asked = [
    ...rules.map(({ expr }) => expr),
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ].join(" ");
  const unasked = [...scraped.types.keys()].filter((name) => !asked.includes(name));
  assert.deepEqual(unasked, []);
});

test("every metric is in docs/operations.md 13, and everything there is a metric", () => {
  const [, section = ""] = /^## 13\. Metrics\n([^]*?)^## /m.exec(read("../operations.md")) ?? [];
  const table = section.split("\n").filter((line) => line.startsWith("| `"));
  const documented = table.flatMap((line) => {
    const [, cell = ""] = line.split("|");
    const names = [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
    return names.map((name) => (name.startsWith("_") ? `liaison${name}` : name));
  });
  assert.deepEqual(documented.toSorted(), [...scraped.types.keys()].toSorted());
});

test("an expression about an unknown metric fails the check", () => {
  for (const wrong of [
    "liaison_nothing > 0",
    "sum by (tenant) (rate(liaison_requests_total[5m]))",
    'rate(liaison_requests_total{path="/"}[5m])',
    'liaison_places{places="nowhere"}',
    'liaison_places{places=~"nowhere|noplace"}',
    "rate(liaison_places)",
    "liaison_places[5m]",
    "sum(rate(liaison_requests_total[5m])",
    "median(liaison_places)",
    "histogram_quantile(0.99, rate(liaison_requests_total[5m]))",
  ]) {
    assert.throws(() => checkExpression(wrong), assert.AssertionError, wrong);
  }
});

/** Checks what an expression names; the labels that its result may have. */
function checkExpression(expression: string): string[] {
  const quoted = expression.replaceAll(/"[^"]*"/g, (text) => text.replaceAll(/[(){}[\]]/g, "_"));
  for (const [open, close] of ["()", "{}", "[]"]) {
    assert.equal(
      quoted.split(String(open)).length,
      quoted.split(String(close)).length,
      `${open}${close} in ${expression}`,
    );
  }
  const selectors = [...quoted.matchAll(/(?<![\w"$])([a-z_]\w*)(\{[^}]*\})?(\[\w+\])?(?!\w|\s*\()/g)].filter(
    ({ index, 1: name = "" }) => !FUNCTIONS.has(name) && !isInLists(quoted, index),
  );
  for (const [, called = ""] of quoted.matchAll(/([a-z_]\w*)\s*\(/g)) {
    assert.ok(FUNCTIONS.has(called), `the function ${called} in ${expression}`);
  }
  const labelsLeft = selectors.flatMap(([, name = "", matchers = "", range]) =>
    checkSelector(expression, name, matchers, range),
  );
  const kept = [...quoted.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = ""]) =>
    list.split(",").map((label) => label.trim()),
  );
  for (const label of kept) assert.ok(labelsLeft.includes(label), `${expression}: no label ${label} to sum by`);
  if (/histogram_quantile/.test(quoted)) assert.ok(kept.includes("le"), `${expression}: a quantile of no histogram`);
  return /\b(?:sum|max)\b/.test(quoted) ? kept : labelsLeft;
}

/** Whether a place is in the braces of a selector or in the list of `by`. */
function isInLists(expression: string, at: number): boolean {
  return [...expression.matchAll(/\{[^}]*\}|\bby \([^)]*\)/g)].some(
    ({ index, 0: text }) => at > index && at < index + text.length,
  );
}

function checkSelector(expression: string, name: string, matchers: string, range: string | undefined): string[] {
  const series = scraped.series.filter((one) => one.name === name);
  const own = OWN.get(name);
  assert.ok(series.length > 0 || own !== undefined, `${expression}: there is no ${name}`);
  const isCount = /_(?:total|bucket|sum|count)$/.test(name);
  const ofRange = new RegExp(String.raw`(?:${OF_RANGES.join("|")})\(\s*${name}\b`).test(expression);
  assert.equal(range !== undefined, ofRange, `${expression}: rates are of ranges, and nothing else is`);
  if (isCount) assert.ok(range !== undefined, `${expression}: ${name} only ever grows`);
  const labels = [...new Set(series.flatMap((one) => Object.keys(one.labels))), ...(own ?? [])];
  for (const [, label = "", operator, value = ""] of matchers.matchAll(/(\w+)(=~|=)"([^"]*)"/g)) {
    // The job is the scraping Prometheus' word.
    if (label === "job") continue;
    assert.ok(labels.includes(label), `${expression}: ${name} has no label ${label}`);
    // There is no error to be had here, nor anybody's impatience.
    if (label === "status") continue;
    for (const one of operator === "=~" ? value.split("|") : [value]) {
      assert.ok(
        series.some((each) => each.labels[label] === one),
        `${expression}: no ${name} has the ${label} ${one}`,
      );
    }
  }
  return labels;
}

function read(file: string): string {
  return fs.readFileSync(path.join(FOLDER, file), "utf8");
}

/** The metrics of a server at which everything has happened that is counted. */
async function metricsOfEverything(): Promise<Scraped> {
  const warehouse = await startStubWarehouse();
  const environment = {
    LIAISON_DATA_DIR: FOLDER,
    LIAISON_WMS_URL: warehouse.template,
    LIAISON_WMS_PRIVATE_NETWORKS: "127.0.0.1",
  };
  const server = await startServer(environment);
  const { id } = await server.createTenant();
  await server.sql("insert into jobs (tenant_id, kind, subject, lane, state) values ($1, 'a', 1, 'a', 'failed')", [id]);
  await server.sql("insert into jobs (tenant_id, kind, subject, lane) values ($1, 'a', 2, 'a')", [id]);
  for (const status of [422, 401]) {
    warehouse.answerWith({ status, body: { error: "no" } });
    await server.deps.warehouse?.createOrder({ subdomain: "a", key: "b" }, orderOfNothing);
  }
  warehouse.close();
  attemptTallies.note(["a", "done"], 1);
  const metrics = createMetrics(server.deps, createRateLimiters());
  metrics.observe({ method: "GET", route: "/", status: 200, ms: 1, bytes: 1 }, null as never);
  const told = parseMetrics(expose([...metrics.ofProcess(), ...(await metrics.ofInstallation())]));
  metrics.stop();
  return told;
}
