import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import net from "node:net";
import type { ToParent, ToProcess } from "./process-messages.ts";

/** Connections that no process has taken yet: more are closed at once. */
const MOST_WAITING = 1_000;

/** The one port of several processes. It is the parent's, so that it stays open whichever of them end. */
export type ParentsPort = {
  port: number;
  /** Lets a process that serves take its turn, until it ends. */
  admit(child: ChildProcess): void;
  close(): void;
};

/**
 * Listens. Connections go to the processes by turns, one at a time to each; while there is none they wait for the next one,
 * but for those of before the first: until then there is nothing to wait for. Fails as net.Server does.
 */
export async function openParentsPort({ host, port }: { host: string; port: number }): Promise<ParentsPort> {
  const waiting: net.Socket[] = [];
  const free = new Set<ChildProcess>();
  /** Ours too until they are taken: one whose process ends before that is closed, and its client tries again. */
  const onTheirWay = new Map<ChildProcess, net.Socket>();
  let isOpen = false;

  const handOver = (): void => {
    for (const child of free) {
      const socket = waiting.shift();
      if (socket === undefined) return;
      free.delete(child);
      const message: ToProcess = { takes: "connection" };
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
        if (!("taken" in message)) return;
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
