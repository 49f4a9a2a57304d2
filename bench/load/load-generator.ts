import autocannon from "autocannon";
import type { LoadJob, LoadResult } from "./load-job.ts";
import { summarize } from "./percentiles.ts";

// The load generator: a process of its own, the same for every candidate, so that it takes the same share of the
// machine from each. It is sent one LoadJob at a time and answers with a LoadResult.

const STOP_POLL_MS = 10;
/** Slow requests get this much longer, until each connection has had an answer. */
const PATIENCE_SECONDS = 3;

process.on("message", (job: LoadJob) => {
  void run(job).then((result) => process.send?.(result));
});
process.on("disconnect", () => process.exit());

async function run({ url, token, requests, connections, seconds, once }: LoadJob): Promise<LoadResult> {
  const latencies: number[] = [];
  let failed = 0;
  let failedStatus = 0;
  let began = 0;
  let ended = 0;
  let started = 0;
  let isOverdue = false;
  const authorization = `Bearer ${token}`;
  const headers = { authorization, "content-type": "application/json" };
  const share = Math.floor(requests.length / connections);

  return await new Promise((resolve, reject) => {
    const instance = autocannon(
      {
        url,
        connections,
        duration: seconds + PATIENCE_SECONDS + 5,
        sampleInt: STOP_POLL_MS,
        timeout: 30,
        headers: { authorization },
        setupClient(client) {
          // Few requests are for everybody; many are shared out, so that nobody sends another's.
          const own = share === 0 ? requests : requests.slice(started * share, (started + 1) * share);
          started++;
          let answers = 0;
          client.setRequests(
            own.map((request) => {
              const always = request.body === undefined ? { authorization } : headers;
              return { ...request, headers: { ...always, ...request.headers } };
            }),
          );
          client.on("response", (status, _bytes, milliseconds) => {
            if (ended > 0) return;
            latencies.push(milliseconds);
            if (status < 200 || (status > 299 && status !== 304)) {
              failed++;
              failedStatus ||= status;
            }
            // One request more is on its way by now; it is the last that has not been sent before.
            if (once && ++answers >= own.length - 1) stop();
            if (isOverdue && latencies.length >= connections) stop();
          });
        },
      },
      (error: Error | null | undefined) => {
        if (error !== null && error !== undefined) return reject(error);
        resolve(summarize(latencies, ended - began, failed, failedStatus));
      },
    );
    instance.on("start", () => {
      began = performance.now();
      setTimeout(() => {
        isOverdue = true;
        if (latencies.length >= connections) stop();
      }, seconds * 1_000);
      setTimeout(stop, (seconds + PATIENCE_SECONDS) * 1_000).unref();
    });
    function stop(): void {
      if (ended > 0) return;
      ended = performance.now();
      (instance as unknown as { stop(): void }).stop();
    }
  });
}
