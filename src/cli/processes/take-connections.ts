import type { Server } from "node:http";
import type { Socket } from "node:net";
import type { ToParent, ToProcess } from "./process-messages.ts";

/** The connections that a process has from its parent; `ended` resolves when all are closed. */
export type TakenConnections = { ended(): Promise<void> };

/** Serves the connections that the parent passes on (parents-port.ts), instead of those of its own port. */
export function takeConnections(server: Server): TakenConnections {
  const taken = new Set<Socket>();
  // From here on Node tracks the connections: it closes idle ones, and those whose requests take too long.
  server.emit("listening");
  process.on("message", (message: ToProcess, socket?: Socket) => {
    if (!("takes" in message)) return;
    const taking: ToParent = { taken: true };
    process.send?.(taking, () => {});
    // It may have been closed on the way.
    if (socket === undefined) return;
    taken.add(socket);
    socket.once("close", () => taken.delete(socket));
    // As Node opens the connections of a port.
    socket.allowHalfOpen = true;
    socket.setNoDelay(true);
    server.emit("connection", socket);
  });
  return {
    async ended() {
      await Promise.all(
        [...taken].map(async (socket) => await new Promise((resolve) => socket.once("close", resolve))),
      );
    },
  };
}
