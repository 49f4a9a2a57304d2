import { readConfig } from "../../src/config.ts";
import { openOutbound } from "../../src/deps.ts";
import { JOBS_WAIT } from "../../src/jobs/job-queries.ts";
import { startWorker } from "../../src/jobs/run-jobs.ts";
import { createKeyring, generateEncryptionKey } from "../../src/platform/encryption/keyring.ts";
import { createLogger } from "../../src/platform/logger.ts";
import { createPasswords } from "../../src/platform/passwords/password-hash.ts";
import { openDatabase, type Connection } from "../../src/platform/postgres/database.ts";
import { listen } from "../../src/platform/postgres/notifications.ts";
import { openRequestRole } from "../../src/platform/postgres/request-role.ts";
import { createSharing } from "../../src/platform/sharing/sharing.ts";

/** A worker whose jobs do nothing: what remains is the queue. Its one parameter is the connection. */
const connection = JSON.parse(process.argv[2] ?? "{}") as Connection;
const logger = createLogger("warn");
const sharing = createSharing();
const database = openDatabase({ connection, requests: await openRequestRole(connection), logger, sharing });
const config = readConfig({});
const keyring = createKeyring([generateEncryptionKey([])]);
const deps = {
  config,
  database,
  keyring,
  passwords: createPasswords(),
  logger,
  sharing,
  ...(await openOutbound(config, async () => false)),
};
const stop = new AbortController();
const kinds = { no_op: { limit: () => 1_000, run: async () => ({ outcome: "done" }) as const } };
const worker = startWorker(deps, kinds, { stop: stop.signal });
const listener = await listen(connection, { [JOBS_WAIT]: () => worker.wake() }, () => worker.wake(), logger);
process.once("SIGTERM", () => stop.abort());
process.send?.("ready");
await worker.ended;
await listener.close();
await database.close();
process.disconnect?.();
