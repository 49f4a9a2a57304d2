import pg from "pg";
import { now, sleep } from "../clock.ts";
import { Refusal } from "../refusal.ts";
import { asOwner } from "./as-owner.ts";
import type { Connection } from "./database.ts";

/** The wait for a database that starts together with the program. */
const PATIENCE_MS = 15_000;
const RETRY_MS = 500;
const OLDEST_VERSION = 150_000;

/**
 * Resolves once the database of a URL answers and has been found suitable. Otherwise throws Refusal, one line without
 * the password.
 */
export async function useExternalDatabase(databaseUrl: string, stop: AbortSignal): Promise<Connection> {
  const connection = connectionTo(databaseUrl);
  const deadline = now() + PATIENCE_MS;
  for (;;) {
    try {
      await asOwner(connection, checkServer);
      return connection;
    } catch (error) {
      if (error instanceof Refusal) throw error;
      if (!mayPass(error) || now() > deadline) throw unusable(reasonOf(error));
      stop.throwIfAborted();
      await sleep(RETRY_MS);
    }
  }
}

/** The driver lets a URL's own `options` replace ours, which set the role of requests. */
function connectionTo(databaseUrl: string): Connection {
  const [address = "", search = ""] = databaseUrl.split("?");
  const parameters = search.split("&").filter((parameter) => parameter !== "");
  const options = new URLSearchParams(search).get("options");
  const others = parameters.filter((parameter) => !parameter.startsWith("options="));
  return {
    connectionString: others.length === 0 ? address : `${address}?${others.join("&")}`,
    ...(options === null ? {} : { options }),
  };
}

async function checkServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    "select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding",
  );
  const { version, encoding } = rows[0] as { version: number; encoding: string };
  if (version < OLDEST_VERSION) throw unusable("PostgreSQL 15 or newer is needed.");
  if (encoding !== "UTF8") throw unusable(`its encoding is ${encoding}, and UTF8 is needed.`);
}

function unusable(reason: string): Refusal {
  return new Refusal(`The database of DATABASE_URL cannot be used: ${reason}`);
}

/**
 * Whether waiting may help: the server is not there yet, starting, or out of connections; unlike a wrong password or
 * name.
 */
function mayPass(error: unknown): boolean {
  return !(error instanceof pg.DatabaseError) || /^(?:57P|53|08)/.test(error.code ?? "");
}

/** Several addresses of one name fail together, with an empty message of their own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  return `${(error as Error).message.replaceAll(/\s+/g, " ")}.`;
}
