import type { FastifyInstance } from "fastify";
import { within } from "../platform/clock.ts";
import { send } from "../platform/http/answers.ts";
import type { Database } from "../platform/postgres/database.ts";
import { DatabaseUnavailable } from "../platform/postgres/failures.ts";
import { readyStatement } from "../platform/postgres/ready.ts";

/** A load balancer gets an answer within two seconds, whatever the database does. */
const PATIENCE_MS = 1_500;

/**
 * Whether the process lives, and whether it should get requests: not while its database does not answer, nor once it
 * begins to stop. Neither needs a key.
 */
export function registerHealth(server: FastifyInstance, database: Database, isDraining: () => boolean): void {
  let asking: Promise<unknown> | null = null;

  /** One query at a time for all callers, however long a database without an answer delays it. */
  async function ask(): Promise<unknown> {
    asking ??= database.unattended.readShared(readyStatement).finally(() => (asking = null));
    return await within(
      PATIENCE_MS,
      asking,
      () => new DatabaseUnavailable(new Error("it did not answer in time"), false),
    );
  }

  server.get("/health/live", async (_request, reply) => send(reply, 200, '{"status":"ok"}'));
  server.get("/health/ready", async (_request, reply) => {
    if (isDraining()) return send(reply, 503, '{"status":"stopping"}');
    await ask();
    return send(reply, 200, '{"status":"ready"}');
  });
}
