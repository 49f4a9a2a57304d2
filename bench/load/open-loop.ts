import http from "node:http";
import { setTimeout } from "node:timers/promises";
import type { OpenLoad, Sent } from "./open-load.ts";

// Sends requests at their times, whether or not earlier ones are answered. It is sent one OpenLoad at a time.

const TICK_MS = 1;
/** More requests wait in this process. */
const SOCKETS = 20_000;
/** A client gives up then. */
const PATIENCE_MS = 10_000;

process.on("message", (load: OpenLoad) => {
  void run(load).then((sent) => process.send?.(sent));
});
process.on("disconnect", () => process.exit());

async function run({ url, token, paths, phases }: OpenLoad): Promise<Sent[]> {
  const { hostname, port } = new URL(url);
  const agent = new http.Agent({ keepAlive: true, maxSockets: SOCKETS });
  const headers = { authorization: `Bearer ${token}` };
  const sent: Sent[] = [];
  const answers: Promise<void>[] = [];
  const began = performance.now();
  let open = 0;

  async function send(phase: number): Promise<void> {
    const path = paths[sent.length % paths.length] ?? "";
    const own: Sent = { phase, at: performance.now() - began, ms: PATIENCE_MS, status: 0 };
    sent.push(own);
    open++;
    await new Promise<void>((resolve) => {
      const signal = AbortSignal.timeout(PATIENCE_MS);
      const request = http.get({ hostname, port, path, agent, headers, signal }, (response) => {
        response.on("error", resolve).resume();
        response.on("end", () => {
          own.ms = performance.now() - began - own.at;
          own.status = response.statusCode ?? 0;
          resolve();
        });
      });
      request.on("error", () => resolve());
    });
    open--;
  }

  let end = 0;
  for (const [index, { seconds, perSecond, atOnce }] of phases.entries()) {
    const from = end;
    end += 1_000 * seconds;
    const before = sent.length;
    for (;;) {
      const now = performance.now() - began;
      if (now >= end) break;
      const due = atOnce === undefined ? (perSecond * (now - from)) / 1_000 - (sent.length - before) : atOnce - open;
      for (let count = 0; count < due; count++) answers.push(send(index));
      await setTimeout(TICK_MS);
    }
  }
  await Promise.all(answers);
  agent.destroy();
  return sent;
}
