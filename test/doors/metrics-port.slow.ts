import assert from "node:assert/strict";
import { test } from "node:test";
import { versionOf } from "../../src/platform/version.ts";
import { createInstallation, requester } from "../cli/installation.ts";
import { childrenOf } from "../failure/process-list.ts";
import { scrape } from "../metrics-text.ts";
import { freePort, poll, serve, start, type Server } from "../program.ts";

/** The port of the metrics of running servers and workers. */
const installation = await createInstallation();
const { json } = installation;
await json(["tenant", "create", "marker-tenant", "--name", "Acme"]);
const created = ["key", "create", "--tenant", "marker-tenant", "--name", "marker-key"];
const { token } = await json([...created, "--capabilities", "companies:write"]);

type Watched = Server & { metrics: string };

async function serveWatched(environment: Record<string, string> = {}, options: string[] = []): Promise<Watched> {
  const port = await freePort();
  const server = await serve(
    { ...installation.environment, LIAISON_METRICS_PORT: String(port), ...environment },
    [],
    options,
  );
  const [, metrics = ""] = /^Metrics are at (\S+)\.$/m.exec(server.output()) ?? [];
  assert.equal(metrics, `http://127.0.0.1:${port}/metrics`);
  return { ...server, metrics };
}

async function stop(server: Server): Promise<void> {
  server.process.kill("SIGTERM");
  assert.equal(await server.ended, 0, server.complaints());
}

/** For those who need no other; a worker is one of its own. */
const watched = await serveWatched({ LIAISON_WORKER: "off" });

test("requests are counted by route pattern and status, unknown paths under one label, and no label names a tenant or a person", async () => {
  const send = requester(watched.url, token);
  const { body } = await send("POST", "/api/v1/companies", { name: "marker-company", phone: "+40 799 010 203" });
  for (const id of [body.data.id, 0, "marker-id"]) await send("GET", `/api/v1/companies/${id}?search=marker-search`);
  for (const path of ["/marker-path", "/api/v1/marker", "/assets/marker"]) await send("GET", path);
  await send("PUT", "/api/v1/companies/batch", {});
  const { value, series, types, text } = await scrape(watched.metrics);
  const shown = { method: "GET", route: "/api/v1/companies/{id}" };
  assert.equal(value("liaison_requests_total", { ...shown, status: "200" }), 1);
  assert.equal(value("liaison_requests_total", { ...shown, status: "404" }), 2);
  assert.equal(value("liaison_requests_total", { method: "GET", route: "unknown", status: "404" }), 3);
  assert.equal(value("liaison_request_duration_seconds_count", shown), 3);
  assert.equal(value("liaison_request_duration_seconds_bucket", { ...shown, le: "+Inf" }), 3);
  assert.ok(value("liaison_request_duration_seconds_sum", shown) > 0);
  assert.ok(value("liaison_statements_total", { statement: "find_company" }) > 0, text);
  assert.ok(value("liaison_statement_seconds_total") > 0);
  assert.equal(value("liaison_database_up"), 1);
  assert.equal(value("liaison_processes"), 1);
  const { version, commit } = versionOf();
  assert.equal(value("liaison_build_info", { version, commit: commit ?? "" }), 1);
  assert.ok(value("process_cpu_seconds_total") > 0 && value("process_resident_memory_bytes") > 0);
  await poll("a look at the event loop", async () => {
    return (await scrape(watched.metrics)).value("liaison_event_loop_delay_seconds_count") > 0;
  });
  assert.ok([...types.keys()].every((name) => /^(?:liaison|process|nodejs)_/.test(name)));
  for (const marker of ["marker", "+40", token, installation.environment.LIAISON_DATA_DIR]) {
    assert.equal(text.includes(String(marker)), false, `${marker} in ${text}`);
  }
  const labels = new Set(series.flatMap((one) => Object.keys(one.labels)));
  assert.deepEqual(
    [...labels].toSorted(),
    [
      "le",
      "limit",
      "method",
      "places",
      "route",
      "state",
      "statement",
      "status",
      "kind",
      "version",
      "commit",
      "to",
      "outcome",
    ]
      .filter((label) => labels.has(label))
      .toSorted(),
  );
});

test("the buckets of a histogram count all below, up to all there are", async () => {
  for (let n = 0; n < 20; n++) await requester(watched.url, token)("GET", "/api/v1/companies");
  const { series, value } = await scrape(watched.metrics);
  const labels = { method: "GET", route: "/api/v1/companies" };
  const buckets = series.filter(
    ({ name, labels: { method, route } }) =>
      name === "liaison_request_duration_seconds_bucket" && method === labels.method && route === labels.route,
  );
  const bounds = buckets.map(({ labels: { le } }) => (le === "+Inf" ? Infinity : Number(le)));
  assert.deepEqual(
    bounds,
    bounds.toSorted((a, b) => a - b),
  );
  const counts = buckets.map((bucket) => bucket.value);
  assert.deepEqual(
    counts,
    counts.toSorted((a, b) => a - b),
  );
  assert.equal(counts.at(-1), value("liaison_request_duration_seconds_count", labels));
});

test("/metrics is a GET, and there is nothing else at its port", async () => {
  const head = await fetch(watched.metrics, { method: "HEAD" });
  assert.deepEqual([head.status, await head.text()], [200, ""]);
  const post = await fetch(watched.metrics, { method: "POST" });
  assert.deepEqual([post.status, post.headers.get("allow")], [405, "GET, HEAD"]);
  for (const path of ["/", "/metrics/", "/api/v1/companies"]) {
    assert.equal((await fetch(new URL(path, watched.metrics))).status, 404, path);
  }
  assert.equal((await fetch(`${watched.url}/metrics`)).status, 404, "nor is it at the port of requests");
  const many = await Promise.all(Array.from({ length: 50 }, () => scrape(watched.metrics)));
  assert.ok(many.every(({ value }) => value("liaison_database_up") === 1));
});

test("a port that is taken stops the start with one line that names the variable", async () => {
  const LIAISON_METRICS_PORT = new URL(watched.metrics).port;
  for (const options of [[], ["--processes", "2"]]) {
    const second = start(["serve", ...options], { ...installation.environment, LIAISON_METRICS_PORT });
    assert.equal(await second.ended, 1);
    assert.match(second.complaints(), /^LIAISON_METRICS_PORT \d+ is in use on 127\.0\.0\.1: .*\n$/);
  }
});

test("with several processes the parent answers for all, and what one has counted outlives it", async () => {
  const server = await serveWatched({}, ["--processes", "2"]);
  const send = requester(server.url, token);
  const answered = { method: "GET", route: "/api/v1/companies", status: "200" };
  // Each of them has its own connections.
  for (let n = 0; n < 10; n++) await send("GET", "/api/v1/companies");
  const before = await scrape(server.metrics);
  assert.equal(before.value("liaison_requests_total", answered), 10);
  assert.equal(before.value("liaison_processes"), 2);
  assert.equal(before.value("liaison_build_info"), 1);
  assert.equal(before.value("liaison_database_up"), 1);
  const [killed = 0] = childrenOf(server.process.pid ?? 0);
  process.kill(killed, "SIGKILL");
  await poll("its successor", async () => (await scrape(server.metrics)).value("liaison_processes") === 2);
  const after = await scrape(server.metrics);
  assert.equal(after.value("liaison_requests_total", answered), 10);
  assert.ok(after.value("process_cpu_seconds_total") >= before.value("process_cpu_seconds_total"));
  await stop(server);
});

test("a separate worker reports its jobs, and the queue reports the waiting ones", async () => {
  const enqueued = `insert into jobs (tenant_id, kind, subject, lane, run_at)
    select id, 'forget-answers', 0, 'x', now() - interval '1 hour' from tenants`;
  await installation.sql(enqueued);
  const waiting = { kind: "forget-answers", state: "waiting" };
  const { value } = await scrape(watched.metrics);
  assert.equal(value("liaison_jobs", waiting), 1);
  assert.ok(value("liaison_jobs_overdue_seconds", { kind: "forget-answers" }) >= 3_600);
  assert.ok(value("liaison_jobs_oldest_seconds", waiting) >= 0);
  const port = await freePort();
  const worker = start(["worker"], { ...installation.environment, LIAISON_METRICS_PORT: String(port) });
  await poll("the attempt", async () => {
    if (!worker.output().includes("is ready")) return false;
    const told = await scrape(`http://127.0.0.1:${port}/metrics`);
    return told.value("liaison_job_attempts_total", { kind: "forget-answers" }) > 0;
  });
  await poll("its end", async () => (await scrape(watched.metrics)).value("liaison_jobs_overdue_seconds") === 0);
  worker.process.kill("SIGTERM");
  assert.equal(await worker.ended, 0, worker.complaints());
  await stop(watched);
});

test("requests beyond a limit are counted, whichever limit it was", async () => {
  const server = await serveWatched({ LIAISON_RATE_LIMIT: "2", LIAISON_AUTH_FAILURE_LIMIT: "1" });
  for (let n = 0; n < 5; n++) await requester(server.url, token)("GET", "/api/v1/companies");
  for (let n = 0; n < 3; n++) await requester(server.url, "a.b")("GET", "/api/v1/companies");
  const { value } = await scrape(server.metrics);
  assert.equal(value("liaison_requests_limited_total", { limit: "rate" }), 3);
  assert.equal(value("liaison_requests_limited_total", { limit: "failures" }), 2);
  await stop(server);
});

test("who did not ask for metrics has no port for them", async () => {
  const server = await serve(installation.environment);
  assert.doesNotMatch(server.output(), /Metrics/);
  await stop(server);
});
