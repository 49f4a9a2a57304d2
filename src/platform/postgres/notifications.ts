import pg from "pg";
import type { Logger } from "../logger.ts";
import type { Connection } from "./database.ts";
import { CONNECT_TIMEOUT_MS } from "./request-settings.ts";

export type Listener = { close(): Promise<void> };

const RECONNECT_MS = 500;

/**
 * Listens on channels of PostgreSQL, and reconnects if the connection breaks. `onMissed` is called whenever messages
 * may have been missed, also for the first connection.
 */
export async function listen(
  connection: Connection,
  channels: Record<string, (payload: string) => void>,
  onMissed: () => void,
  logger: Logger,
): Promise<Listener> {
  let client: pg.Client | null = null;
  let closed = false;
  let retry: NodeJS.Timeout | null = null;

  async function connect(): Promise<void> {
    const next = new pg.Client({
      ...connection,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    });
    next.on("error", (error) => logger.warn({ err: error }, "the listening database connection broke"));
    next.on("end", () => {
      if (client === next) again();
    });
    next.on("notification", ({ channel, payload = "" }) => act(() => channels[channel]?.(payload)));
    try {
      await next.connect();
      for (const channel of Object.keys(channels)) await next.query(`listen ${next.escapeIdentifier(channel)}`);
      if (closed) {
        await next.end();
        return;
      }
      client = next;
      act(onMissed);
    } catch (error) {
      await next.end().catch(() => {});
      throw error;
    }
  }

  function act(action: () => void): void {
    try {
      action();
    } catch (error) {
      logger.error({ err: error }, "a notification could not be processed");
    }
  }

  function again(): void {
    if (closed) return;
    retry = setTimeout(() => void connect().catch(again), RECONNECT_MS);
    retry.unref();
  }

  await connect();
  return {
    async close() {
      closed = true;
      if (retry !== null) clearTimeout(retry);
      await client?.end().catch(() => {});
    },
  };
}
