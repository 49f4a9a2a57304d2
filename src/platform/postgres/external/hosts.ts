import net from "node:net";
import pg from "pg";
import { steady } from "../../clock.ts";
import type { Connection } from "../database.ts";

/** A server: its name, which certificates have, and its address if that is not looked up. */
export type Host = { host: string; port: number; address?: string };

/** The server that writes is looked for again after this time. */
const KNOWN_FOR_MS = 1_000;
const CONNECT_TIMEOUT_MS = 3_000;

/**
 * The sockets of a connection that has several servers: each leads to the first server that accepts writes. After a
 * failover, lost connections are made again at the new one.
 */
export function connectingTo(connection: Connection, hosts: readonly Host[]): () => net.Socket {
  let known: { at: number; host: Promise<Host> } | null = null;

  async function writing(): Promise<Host> {
    if (known === null || steady() - known.at > KNOWN_FOR_MS) {
      known = { at: steady(), host: hosts.length === 1 ? firstOf(hosts) : firstWriting(connection, hosts) };
    }
    return await known.host;
  }

  return () => {
    const socket = new net.Socket();
    const connect = socket.connect.bind(socket) as (port: number, host: string) => net.Socket;
    const leading = () => {
      void writing().then(
        ({ host, port, address }) => (socket.destroyed ? socket : connect(port, address ?? host)),
        (error: unknown) => {
          known = null;
          socket.destroy(error as Error);
        },
      );
      return socket;
    };
    return Object.assign(socket, { connect: leading });
  };
}

async function firstOf([first]: readonly Host[]): Promise<Host> {
  if (first === undefined) throw new Error("a connection has a host");
  return first;
}

/** Throws the failure of the last server. */
async function firstWriting(connection: Connection, hosts: readonly Host[]): Promise<Host> {
  let failure: unknown = new Error("no server of DATABASE_URL accepts writes");
  for (const one of hosts) {
    const only = connectingTo(connection, [one]);
    const client = new pg.Client({ connectionTimeoutMillis: CONNECT_TIMEOUT_MS, ...connection, stream: only });
    client.on("error", () => {});
    try {
      await client.connect();
      const { rows } = await client.query<{ waits: boolean }>("select pg_is_in_recovery() as waits");
      if (rows[0]?.waits === false) return one;
    } catch (error) {
      failure = error;
    } finally {
      await client.end().catch(() => {});
    }
  }
  throw failure;
}
