import type { Server } from "node:http";
import type { Socket } from "node:net";

/** A client that takes nothing of its answer for this long has been cut off. */
const UNREAD_MS = 60_000;

/**
 * Of a connection with an answer on its way node compares, each time its timeout has passed, what the client has yet to take with what it
 * had to take before: what it took at first counts at the first look, so that the second one cuts it off.
 */
export const LOOK_MS = UNREAD_MS / 2;

/** Cuts off who takes nothing; the server's timeout is LOOK_MS. */
export function cutUnreadOff(server: Server): void {
  server.on("timeout", (socket: Socket) => {
    const isFirstLook = socket.timeout === server.timeout;
    // There is nothing to take yet. A request may be worked on for a second time that is as long, told from the first by a millisecond.
    if (isFirstLook && socket.writableLength === 0) socket.setTimeout(server.timeout - 1);
    else socket.destroy();
  });
}
