import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import type { Config } from "../../kit/config.ts";
import { expose, type Metric } from "../../platform/metrics/metric.ts";
import { Refusal } from "../../platform/refusal.ts";
import { createOneForMany } from "../../platform/sharing/one-for-many.ts";

/** The port on which metrics are served. */
export type MetricsPort = { close(): Promise<void> };

/** Prometheus' default limit for a scrape is ten seconds: a slower client occupies a socket for nothing. */
const REQUEST_MS = 10_000;

/**
 * Answers `GET /metrics` at LIAISON_METRICS_PORT (docs/operations.md 13); null if that is unset. Requests
 * that arrive while an answer is being made share the next one, so metrics are read once at a time.
 */
export async function openMetricsPort(
  { host, metricsPort }: Pick<Config, "host" | "metricsPort">,
  read: () => Promise<Metric[]>,
): Promise<MetricsPort | null> {
  if (metricsPort === null) return null;
  const oneForMany = createOneForMany();
  const text = async () => await oneForMany("metrics", async () => expose(await read()));

  const server = http.createServer({ requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS }, (request, response) => {
    const path = request.url?.split("?")[0];
    if (path !== "/metrics") return void response.writeHead(404).end();
    if (request.method !== "GET" && request.method !== "HEAD") {
      return void response.writeHead(405, { allow: "GET, HEAD" }).end();
    }
    text().then(
      (metrics) => response.writeHead(200, { "content-type": "text/plain; version=0.0.4; charset=utf-8" }).end(metrics),
      () => response.writeHead(503).end(),
    );
  });
  server.listen({ host, port: metricsPort });
  await once(server, "listening").catch(({ code, message }: NodeJS.ErrnoException) => {
    throw new Refusal(
      code === "EADDRINUSE"
        ? `LIAISON_METRICS_PORT ${metricsPort} is in use on ${host}: stop the program that has it, or set another.`
        : `LIAISON_METRICS_PORT cannot be listened on: ${message}.`,
    );
  });
  const { port } = server.address() as AddressInfo;
  console.log(`Metrics are at http://${host.includes(":") ? `[${host}]` : host}:${port}/metrics.`);
  return {
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
