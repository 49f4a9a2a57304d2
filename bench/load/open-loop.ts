import { setTimeout } from "node:timers/promises";
import { Connection } from "./connection.ts";
import type { OpenLoad, Sent } from "./open-load.ts";

// Sends requests at their times, whether or not earlier ones are answered. It is sent one OpenLoad at a time. Its own
// work is little, since it takes processor time from the server.

const TICK_MS = 1;
/** Requests that find no connection have no answer. */
const CONNECTIONS = 20_000;
/** A client gives up then. */
const PATIENCE_MS = 10_000;

process.on("message", (load: OpenLoad) => {
  void run(load).then((sent) => process.send?.(sent));
});
process.on("disconnect", () => process.exit());

async function run({ url, token, paths, phases }: OpenLoad): Promise<Sent[]> {
  const server = new URL(url);
  const head = `HTTP/1.1\r\nhost: ${server.host}\r\nauthorization: Bearer ${token}\r\n\r\n`;
  const requests = paths.map((path) => `GET ${path} ${head}`);
  const idle: Connection[] = [];
  const sent: Sent[] = [];
  const answers: Promise<void>[] = [];
  const began = performance.now();
  let open = 0;

  function freeConnection(): Connection | null {
    for (;;) {
      const last = idle.pop();
      if (last === undefined) return open < CONNECTIONS ? new Connection(server) : null;
      if (last.isOpen) return last;
    }
  }

  async function send(phase: number): Promise<void> {
    const request = requests[sent.length % requests.length] ?? "";
    const own: Sent = { phase, at: performance.now() - began, ms: PATIENCE_MS, status: 0 };
    sent.push(own);
    const connection = freeConnection();
    if (connection === null) return;
    open++;
    own.status = await connection.get(request, PATIENCE_MS);
    own.ms = performance.now() - began - own.at;
    open--;
    idle.push(connection);
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
  for (const connection of idle) connection.close();
  return sent;
}
