import { once } from "node:events";
import net from "node:net";
import { text } from "node:stream/consumers";

/** An answer as it came over the wire. */
export type WireAnswer = { status: number; head: string; headers: Map<string, string>; body: string };

const PATIENCE_MS = 60_000;

/**
 * Sends bytes as they are and reads what comes back until the server closes: for what no HTTP client would send.
 * Requests should say `Connection: close`.
 */
export async function sendRaw(url: string, ...parts: (string | Uint8Array)[]): Promise<WireAnswer> {
  const { hostname, port } = new URL(url);
  return await new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    const socket = net.connect(Number(port), hostname, () => {
      for (const part of parts) socket.write(part);
    });
    socket.setTimeout(PATIENCE_MS, () => {
      socket.destroy(new Error(`no end of the answer within ${PATIENCE_MS} ms: ${Buffer.concat(chunks).toString()}`));
    });
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("error", (error) => {
      // A server that refuses the rest of a body closes while it is still being written.
      if (chunks.length > 0) resolve(parseAnswer(Buffer.concat(chunks)));
      else reject(error);
    });
    socket.on("end", () => {
      socket.end();
      resolve(parseAnswer(Buffer.concat(chunks)));
    });
  });
}

/**
 * Sends all of the parts before it reads anything, as many clients do; fails where they are not taken. What came until
 * the server closed.
 */
export async function sendThenRead(url: string, ...parts: string[]): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error(`no end of the answers within ${PATIENCE_MS} ms`)));
  for (const part of parts) if (!socket.write(part)) await once(socket, "drain");
  return await text(socket);
}

/** A request's head for sendRaw, with the token and `Connection: close`. */
export function head(requestLine: string, token: string, headers: Record<string, string> = {}): string {
  const all = { Host: "localhost", Connection: "close", Authorization: `Bearer ${token}`, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${requestLine}\r\n${lines.join("")}\r\n`;
}

/** Whether connections are accepted at all. */
export async function accepts(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return await new Promise((resolve) => {
    const socket = net.connect(Number(port), hostname);
    socket.on("connect", () => resolve(true)).on("error", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  });
}

function parseAnswer(bytes: Buffer): WireAnswer {
  const end = bytes.indexOf("\r\n\r\n");
  const head = bytes.subarray(0, end < 0 ? undefined : end).toString("latin1");
  const [statusLine = "", ...lines] = head.split("\r\n");
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  return {
    status: Number(statusLine.split(" ")[1]),
    head,
    headers,
    body: end < 0 ? "" : bytes.subarray(end + 4).toString("utf8"),
  };
}
