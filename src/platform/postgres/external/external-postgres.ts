import pg from "pg";
import { now, sleep } from "../../clock.ts";
import { Refusal } from "../../refusal.ts";
import { asOwner } from "../as-owner.ts";
import type { Connection } from "../database.ts";
import { connectionTo } from "./connection-url.ts";
import { acceptsWrites, NO_WRITES } from "./hosts.ts";

/** The wait for a database that starts together with the program. */
const PATIENCE_MS = 15_000;
const RETRY_MS = 500;
const OLDEST_VERSION = 150_000;

/**
 * Resolves once the database of a URL answers and has been found suitable. Otherwise throws Refusal, one line without
 * the password.
 */
export async function useExternalDatabase(databaseUrl: string, stop: AbortSignal): Promise<Connection> {
  const { connection, mayBePlain } = connectionTo(databaseUrl);
  const deadline = now() + PATIENCE_MS;
  for (;;) {
    try {
      await asOwner(connection, checkServer);
      return connection;
    } catch (error) {
      if (error instanceof Refusal) throw error;
      if (mayBePlain && connection.ssl !== false && isWithoutTls(error)) {
        connection.ssl = false;
        continue;
      }
      if (!mayPass(error) || now() > deadline) throw unusable(reasonOf(error));
      stop.throwIfAborted();
      await sleep(RETRY_MS);
    }
  }
}

async function checkServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    "select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding",
  );
  const { version, encoding } = rows[0] as { version: number; encoding: string };
  if (version < OLDEST_VERSION) throw unusable("PostgreSQL 15 or newer is needed.");
  if (encoding !== "UTF8") throw unusable(`its encoding is ${encoding}, and UTF8 is needed.`);
  if (!(await acceptsWrites(client))) throw unusable(`${NO_WRITES}.`);
}

function unusable(reason: string): Refusal {
  return new Refusal(`The database of DATABASE_URL cannot be used: ${reason}`);
}

/**
 * Whether waiting may help: the server is not there yet, starting, or out of connections; unlike a wrong password or
 * name.
 */
function mayPass(error: unknown): boolean {
  if (isWithoutTls(error) || adviceFor(error) !== null) return false;
  return !(error instanceof pg.DatabaseError) || /^(?:57P|53|08)/.test(error.code ?? "");
}

function isWithoutTls(error: unknown): boolean {
  return error instanceof Error && error.message === "The server does not support SSL connections";
}

/** The parameter of DATABASE_URL that helps; null if none does. */
function adviceFor(error: unknown): string | null {
  const { code = "", message = "" } = error as { code?: string; message?: string };
  if (isWithoutTls(error)) return "It has no TLS: use sslmode=disable or sslmode=prefer";
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") {
    return "Its certificate is of another host: use that host in the URL, or sslmode=verify-ca with sslrootcert";
  }
  if (/^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)$/.test(code)) return "Renew the certificate of that server";
  if (CERTIFICATE.test(code)) {
    return "Its certificate is not trusted: name the file of its authority in sslrootcert, or use sslmode=require without it";
  }
  if (/no pg_hba\.conf entry.*no encryption/.test(message)) return "It may want TLS: use sslmode=require";
  return /client certificate/.test(message) ? "Name the files of the client's certificate in sslcert and sslkey" : null;
}

const CERTIFICATE = /^(?:SELF_SIGNED|DEPTH_ZERO|UNABLE_TO|CERT_|ERR_OSSL|ERR_SSL)/;

/** Several addresses of one name fail together, with an empty message of their own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  const { message } = error as Error;
  const advice = adviceFor(error);
  // Node's own advice is about options of Node, which are no settings here.
  const text = message.replaceAll(/\s+/g, " ").replace(/;? ?if the root CA is installed locally.*$/, "");
  return advice === null ? `${text}.` : `${text}. ${advice}.`;
}
