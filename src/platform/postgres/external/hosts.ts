import net from "node:net";
import pg from "pg";
import { steady } from "../../clock.ts";
import type { Connection } from "../database.ts";
import { CONNECT_TIMEOUT_MS } from "../request-settings.ts";

/** A server: its name, which certificates have, and its address if that is not looked up. */
export type Host = { host: string; port: number; address?: string };

/** After this time, a new connection checks again which server accepts writes. */
const KNOWN_FOR_MS = 1_000;

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

export const NO_WRITES = "It accepts no writes: it is a standby, or read-only. Name the server that accepts writes";

/** Whether the server accepts writes: it is no standby, and not set to be read-only. */
export async function acceptsWrites(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ answer: string }>("select current_setting('transaction_read_only') as answer");
  return rows[0]?.answer === "off";
}

/** Throws the most useful failure: that of a server that answered, otherwise the last one. */
async function firstWriting(connection: Connection, hosts: readonly Host[]): Promise<Host> {
  let failure: unknown = null;
  for (const one of hosts) {
    const only = connectingTo(connection, [one]);
    const client = new pg.Client({ connectionTimeoutMillis: CONNECT_TIMEOUT_MS, ...connection, stream: only });
    client.on("error", () => {});
    try {
      await client.connect();
      if (await acceptsWrites(client)) return one;
      failure = new Error(NO_WRITES);
    } catch (error) {
      if (failure === null || isAway(failure)) failure = error;
    } finally {
      await client.end().catch(() => {});
    }
  }
  throw failure;
}

/** Whether nothing answered at a server's address. */
function isAway(failure: unknown): boolean {
  return !(failure instanceof pg.DatabaseError) && (failure as NodeJS.ErrnoException).syscall !== undefined;
}
