import { setMaxListeners } from "node:events";
import http from "node:http";
import type { LoadRequest } from "../load/load-job.ts";
import type { BystanderJob, BystanderResult, Noticed } from "./bystander-job.ts";

// A process of its own that sends requests as an ordinary tenant does: each kind at a steady pace, even if earlier ones
// are not answered yet, so that a wait does not slow the pace. It gets one BystanderJob at a time.

const READY: LoadRequest = { method: "GET", path: "/health/ready" };
const READY_EVERY_MS = 100;
/** A request without an answer this long after the end counts as not answered. */
const PATIENCE_MS = 30_000;

process.on("message", (job: BystanderJob) => {
  void run(job).then((result) => process.send?.(result));
});
process.on("disconnect", () => process.exit());

async function run({ url, token, operations, perSecond, seconds }: BystanderJob): Promise<BystanderResult> {
  const agent = new http.Agent({ keepAlive: true });
  const stop = AbortSignal.timeout(1_000 * seconds);
  const late = AbortSignal.timeout(1_000 * seconds + PATIENCE_MS);
  setMaxListeners(0, late);
  const target = new URL(url);
  const ask = async (request: LoadRequest) => await answerOf(target, request, { agent, token, signal: late });
  const noticed: Record<string, Noticed> = {};
  const asking = Object.entries(operations).map(async ([name, requests], index) => {
    const of: Noticed = (noticed[name] = { milliseconds: [], failed: {} });
    // Not all at the same moment.
    const phase = index / Object.keys(operations).length;
    await atAPace(1_000 / perSecond, phase, stop, async (n) => {
      note(of, await ask(requests[n % requests.length] ?? READY));
    });
  });
  const ready: Noticed = { milliseconds: [], failed: {} };
  const watching = atAPace(READY_EVERY_MS, 0, stop, async () => note(ready, await ask(READY)));
  await Promise.all([...asking, watching]);
  agent.destroy();
  return { operations: noticed, ready };
}

/** At least once; resolves when all that was begun has ended. */
async function atAPace(
  everyMs: number,
  phase: number,
  stop: AbortSignal,
  act: (n: number) => Promise<void>,
): Promise<void> {
  const began = performance.now() + phase * everyMs;
  const acts: Promise<void>[] = [];
  do {
    const due = began + acts.length * everyMs;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
    acts.push(act(acts.length));
  } while (!stop.aborted);
  await Promise.all(acts);
}

type Asked = { agent: http.Agent; token: string; signal: AbortSignal };

async function answerOf(
  url: URL,
  { method, path, body }: LoadRequest,
  { agent, token, signal }: Asked,
): Promise<Answered> {
  const sent = performance.now();
  const status = await new Promise<number>((resolve) => {
    const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
    const headers = { authorization: `Bearer ${token}`, ...length };
    const request = http.request({ host: url.hostname, port: url.port, method, path, headers, agent, signal });
    request.on("response", (response) => response.resume().on("end", () => resolve(response.statusCode ?? 0)));
    request.on("error", () => resolve(0));
    request.on("close", () => resolve(0));
    request.end(body);
  });
  return { status, milliseconds: performance.now() - sent };
}

/** Status 0: there was no answer. */
type Answered = { status: number; milliseconds: number };

function note({ milliseconds, failed }: Noticed, answer: Answered): void {
  milliseconds.push(answer.milliseconds);
  if (answer.status < 200 || answer.status > 299) failed[answer.status] = (failed[answer.status] ?? 0) + 1;
}
