import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import net from "node:net";
import type { ToParent, ToProcess } from "./process-messages.ts";

/** Accepted connections that wait for a process: more are closed at once. */
const MOST_WAITING = 1_000;

/** The one port of several processes. The parent has it, so that it stays open when they end. */
export type ParentsPort = {
  port: number;
  /** Passes connections to a process until it ends. */
  admit(child: ChildProcess): void;
  close(): void;
};

/**
 * Listens, and passes connections to the processes in turn, one at a time to each. Before the first process serves,
 * connections are closed at once; later, if no process is free, they wait for the next one. Fails as net.Server does.
 */
export async function openParentsPort({ host, port }: { host: string; port: number }): Promise<ParentsPort> {
  const waiting: net.Socket[] = [];
  const free = new Set<ChildProcess>();
  /**
   * The parent closes a connection that a process did not confirm before it ended, so that the client tries again.
   */
  const onTheirWay = new Map<ChildProcess, net.Socket>();
  let isOpen = false;

  const handOver = (): void => {
    for (const child of free) {
      const socket = waiting.shift();
      if (socket === undefined) return;
      free.delete(child);
      const message: ToProcess = { passes: "connection" };
      onTheirWay.set(child, socket);
      child.send(message, socket, { keepOpen: true }, () => {});
    }
  };

  const letGo = (child: ChildProcess): void => {
    onTheirWay.get(child)?.destroy();
    onTheirWay.delete(child);
  };

  const server = net.createServer({ pauseOnConnect: true }, (socket) => {
    socket.on("error", () => {});
    if (!isOpen || waiting.length >= MOST_WAITING) socket.destroy();
    else waiting.push(socket);
    handOver();
  });
  server.listen({ host, port });
  await once(server, "listening");
  return {
    port: (server.address() as net.AddressInfo).port,
    admit(child) {
      isOpen = true;
      child.on("message", (message: ToParent) => {
        if (!("accepted" in message)) return;
        letGo(child);
        free.add(child);
        handOver();
      });
      child.once("exit", () => {
        free.delete(child);
        letGo(child);
      });
      free.add(child);
      handOver();
    },
    close() {
      isOpen = false;
      server.close();
      for (const socket of waiting.splice(0)) socket.destroy();
    },
  };
}
