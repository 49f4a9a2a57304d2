import type { FastifyInstance } from "fastify";
import { searchNothing } from "../customers/companies/company-list-queries.ts";
import { sleep, steady, within } from "../platform/clock.ts";
import { send } from "../platform/http/answers.ts";
import type { Database } from "../platform/postgres/database.ts";
import { DatabaseUnavailable, hasNoConnectionLeft } from "../platform/postgres/failures.ts";
import { readyStatement } from "../platform/postgres/ready.ts";
import { INSTALLATION } from "../platform/postgres/tenant-id.ts";

/** A load balancer gets an answer within two seconds, whatever the database does. */
const PATIENCE_MS = 1_500;
/** Between two trials, and the wait for one: a busy machine opens connections slowly, and serves meanwhile. */
const [TRIAL_EVERY_MS, TRIAL_PATIENCE_MS] = [3_000, 1_000];

/**
 * Whether the process lives, and whether it should get requests: not before all processes of its port serve, nor while
 * its database does not answer, nor once it begins to stop. Neither needs a key.
 */
export function registerHealth(
  server: FastifyInstance,
  database: Database,
  { isStarting, isDraining }: { isStarting: () => boolean; isDraining: () => boolean },
): void {
  const trial = createTrial(database);

  /** One query at a time for all callers, however long a database without an answer delays it. */
  async function ask(): Promise<void> {
    const asking = database.oneForMany("health", async () => await database.unattended.readShared(readyStatement));
    const late = () => new DatabaseUnavailable(new Error("it did not answer in time"), false);
    await within(PATIENCE_MS, Promise.all([asking, Promise.race([trial(), sleep(TRIAL_PATIENCE_MS)])]), late);
  }

  server.get("/health/live", async (_request, reply) => send(reply, 200, '{"status":"ok"}'));
  server.get("/health/ready", async (_request, reply) => {
    if (isDraining()) return send(reply, 503, '{"status":"stopping"}');
    if (isStarting()) return send(reply, 503, '{"status":"starting"}');
    await ask();
    return send(reply, 200, '{"status":"ready"}');
  });
}

/**
 * Reads as a request does, and writes a file, on a new connection: open ones keep working if PostgreSQL has lost the
 * files of its extensions. If none is free, it asks whether writes have one: reads do. Rejects while the latest trial
 * has failed. A slow trial counts for nothing.
 */
function createTrial(database: Database): () => Promise<void> {
  let endedAt = -Infinity;
  let failure: DatabaseUnavailable | null = null;

  async function run(): Promise<void> {
    try {
      await database.readFresh(INSTALLATION, searchNothing).catch(async (error: unknown) => {
        if (!hasNoConnectionLeft(error)) throw error;
        await database.unattended.readAsWriting(INSTALLATION, searchNothing);
      });
      failure = null;
    } catch (error) {
      failure = new DatabaseUnavailable(error, false);
    }
    endedAt = steady();
  }

  return async () => {
    if (steady() - endedAt >= TRIAL_EVERY_MS) await database.oneForMany("health trial", run);
    if (failure !== null) throw failure;
  };
}
