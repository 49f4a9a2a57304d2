import type { Server } from "node:http";
import type { Socket } from "node:net";

/** The connection of a client that reads nothing of its answer for this long is cut. */
const UNREAD_MS = 60_000;

/**
 * At each timeout of a connection with an answer in progress, Node checks whether the client has read anything since
 * the last check. What the client read first counts at the first check, so only the second one cuts the connection.
 */
export const LOOK_MS = UNREAD_MS / 2;

/** Cuts the connections of clients that read nothing; the server's timeout is LOOK_MS. */
export function cutUnreadOff(server: Server): void {
  server.on("timeout", (socket: Socket) => {
    const isFirstLook = socket.timeout === server.timeout;
    // There is nothing to read yet. The request gets a second period of the same length; its timeout is a millisecond
    // shorter to mark it.
    if (isFirstLook && socket.writableLength === 0) socket.setTimeout(server.timeout - 1);
    else socket.destroy();
  });
}
