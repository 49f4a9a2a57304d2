import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { percentiles } from "../load/percentiles.ts";

/**
 * Receivers of webhooks, each at a port of its own: a process that gets one job at a time. It opens receivers, and
 * answers with their addresses. Or it receives a number of messages, and answers with the time of each since its
 * change.
 */
export type ReceiversJob =
  | { open: { answering: number; hanging: number; refusing: number } }
  | { hear: { messages: number; withinMs: number } };

export type Opened = { answering: string[]; dead: string[] };

/** `seconds`: between the first and the last. Times are milliseconds. */
export type HeardOf = { messages: number; seconds: number; p50: number; p99: number };

/** Messages that came, once each, however often they were sent. */
const heard = new Set<string>();
let delays: number[] = [];
let [firstAt, lastAt] = [0, 0];
let whenHeard = () => {};

process.on("message", (job: ReceiversJob) => {
  void ("open" in job ? open(job.open) : hear(job.hear)).then((result) => process.send?.(result));
});
process.on("disconnect", () => process.exit());

async function open(wanted: { answering: number; hanging: number; refusing: number }): Promise<Opened> {
  const many = async (count: number, openOne: () => net.Server) =>
    await Promise.all(Array.from({ length: count }, async () => await listening(openOne())));
  const answering = await many(wanted.answering, () => http.createServer(take));
  const hanging = await many(wanted.hanging, () => net.createServer((socket) => socket.on("error", () => {})));
  const refusing = await many(wanted.refusing, () => net.createServer());
  for (const { server } of refusing) server.close();
  const urlsOf = (all: { url: string }[]) => all.map(({ url }) => url);
  return { answering: urlsOf(answering), dead: urlsOf([...hanging, ...refusing]) };
}

async function listening(server: net.Server): Promise<{ server: net.Server; url: string }> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

function take(request: http.IncomingMessage, response: http.ServerResponse): void {
  let text = "";
  request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  request.on("end", () => {
    response.writeHead(204).end();
    const message = `${request.socket.localPort} ${String(request.headers["webhook-id"])}`;
    if (heard.has(message)) return;
    heard.add(message);
    const { timestamp } = JSON.parse(text) as { timestamp: string };
    lastAt = Date.now();
    if (delays.length === 0) firstAt = lastAt;
    delays.push(lastAt - Date.parse(timestamp));
    whenHeard();
  });
}

async function hear({ messages, withinMs }: { messages: number; withinMs: number }): Promise<HeardOf> {
  delays = [];
  await new Promise<void>((resolve) => {
    const tooLate = setTimeout(resolve, withinMs);
    whenHeard = () => {
      if (delays.length < messages) return;
      clearTimeout(tooLate);
      resolve();
    };
  });
  return { messages: delays.length, seconds: (lastAt - firstAt) / 1_000, ...percentiles(delays) };
}
