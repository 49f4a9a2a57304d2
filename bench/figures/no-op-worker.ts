import { JOBS_WAIT } from "../../src/kit/jobs/job-queries.ts";
import { startWorker } from "../../src/kit/jobs/run-jobs.ts";
import { createKeyring, generateEncryptionKey } from "../../src/platform/encryption/keyring.ts";
import type { Connection } from "../../src/platform/postgres/database.ts";
import { listen } from "../../src/platform/postgres/notifications.ts";
import { openBenchDeps } from "../load/bench-deps.ts";

/** A worker whose jobs do nothing: what remains is the queue. Its one parameter is the connection. */
const connection = JSON.parse(process.argv[2] ?? "{}") as Connection;
const deps = await openBenchDeps(connection, createKeyring([generateEncryptionKey([])]));
const stop = new AbortController();
const kinds = { no_op: { limit: () => 1_000, run: async () => ({ outcome: "done" }) as const } };
const worker = startWorker(deps, kinds, { stop: stop.signal });
const listener = await listen(connection, { [JOBS_WAIT]: () => worker.wake() }, () => worker.wake(), deps.logger);
process.once("SIGTERM", () => stop.abort());
process.send?.("ready");
await worker.ended;
await listener.close();
await deps.database.close();
process.disconnect?.();
