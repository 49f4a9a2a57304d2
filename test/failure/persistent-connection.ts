import net from "node:net";

/** One connection to a server that is kept for several requests. */
export type PersistentConnection = {
  /** Resolves with the answer's head; rejects when the connection closes first. */
  get: (path: string, headers?: Record<string, string>) => Promise<{ status: number; head: string }>;
  isOpen: () => boolean;
  close: () => void;
};

export async function openConnection(url: string): Promise<PersistentConnection> {
  const { hostname, port } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  socket.on("error", () => {});
  socket.setEncoding("latin1");
  return {
    async get(path, headers = {}) {
      const lines = Object.entries({ Host: "localhost", ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
      const head = await answerOn(socket);
      return { status: Number(head.split(" ")[1]), head };
    },
    isOpen: () => !socket.closed,
    close: () => socket.destroy(),
  };
}

/** Reads one answer with a Content-Length to its end, and returns its head. */
async function answerOn(socket: net.Socket): Promise<string> {
  return await new Promise((resolve, reject) => {
    let text = "";
    const read = (chunk: string) => {
      text += chunk;
      const [head = "", body] = text.split("\r\n\r\n", 2);
      if (body === undefined || body.length < Number(/content-length: (\d+)/i.exec(head)?.[1])) return;
      socket.off("data", read).off("close", lost);
      resolve(head);
    };
    const lost = () => reject(new Error("the connection closed before its answer"));
    if (socket.closed) lost();
    socket.on("data", read).once("close", lost);
  });
}
