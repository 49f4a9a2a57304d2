import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { ToParent, ToProcess } from "./process-messages.ts";

/**
 * The connections that a server has from elsewhere than its own socket: from its parent, or from other sockets of its
 * port (listen-often.ts). `ended` resolves when all are closed.
 */
export type PassedConnections = { ended(): Promise<void> };

/** Serves the connections that the parent passes on (parents-port.ts), instead of those of its own port. */
export function acceptConnections(server: Server): PassedConnections {
  const accepted = new Set<Socket>();
  // From here on Node tracks the connections: it closes idle ones, and those whose requests take too long.
  server.emit("listening");
  process.on("message", (message: ToProcess, socket?: Socket) => {
    if (!("passes" in message)) return;
    const confirmed: ToParent = { accepted: true };
    process.send?.(confirmed, () => {});
    // It may have been closed on the way.
    if (socket === undefined) return;
    accepted.add(socket);
    socket.once("close", () => accepted.delete(socket));
    // As Node opens the connections of a port.
    socket.allowHalfOpen = true;
    socket.setNoDelay(true);
    server.emit("connection", socket);
  });
  return {
    async ended() {
      await Promise.all(
        [...accepted].map(async (socket) => await new Promise((resolve) => socket.once("close", resolve))),
      );
    },
  };
}
