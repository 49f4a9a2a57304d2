import net from "node:net";
import type pg from "pg";
import { sleep } from "../../clock.ts";

/** `CancelRequest` of PostgreSQL's protocol: its length, its code, then the connection's process id and key. */
const LENGTH = 16;
const CODE = 80_877_102;
const PATIENCE_MS = 3_000;
const AGAIN_AFTER_MS = 50;

/**
 * Cancels a connection's statement. The request is repeated until that has ended, because a request between two
 * statements has no effect.
 * @returns whether later requests can no longer hit the connection; otherwise it must not be used again
 */
export async function cancelUntil(client: pg.Client, isDone: () => boolean): Promise<boolean> {
  while (!isDone()) {
    if (!(await cancelRunning(client))) return false;
    if (!isDone()) await sleep(AGAIN_AFTER_MS);
  }
  return true;
}

/**
 * Cancels by a separate connection, as the protocol requires. PostgreSQL closes that connection once it has passed the
 * request on: only statements that are sent after that are safe from it.
 * @returns whether PostgreSQL passed the request on; if not, it may still cancel a later statement
 */
async function cancelRunning(client: pg.Client): Promise<boolean> {
  const { host, port, processID, secretKey } = client as pg.Client & { processID: number; secretKey: number };
  // Of several servers or addresses, the one that the connection leads to.
  const { remoteAddress = host, remotePort = port } = client.connection.stream as net.Socket;
  const message = Buffer.alloc(LENGTH);
  for (const [index, value] of [LENGTH, CODE, processID, secretKey].entries()) message.writeInt32BE(value, index * 4);
  return await new Promise((resolve) => {
    const address = host.startsWith("/")
      ? { path: `${host}/.s.PGSQL.${port}` }
      : { host: remoteAddress, port: remotePort };
    const socket = net.connect(address, () => socket.end(message));
    let isPassedOn = false;
    socket.setTimeout(PATIENCE_MS, () => socket.destroy());
    socket.on("end", () => (isPassedOn = true));
    socket.on("error", () => {});
    socket.on("close", () => resolve(isPassedOn));
    socket.resume();
  });
}
