import { once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export type Told = { status: number; headers?: Record<string, string>; body?: unknown };
export type Heard = { method: string; url: string; headers: IncomingMessage["headers"]; body: string };

/** A WMS that answers as it is told, and tells what it heard. */
export type ToldWarehouse = {
  /** For LIAISON_WMS_URL. */
  template: string;
  port: number;
  tell: (answer: Told | ((heard: Heard) => Told | Promise<Told>)) => void;
  heard: Heard[];
  close(): void;
};

export async function startToldWarehouse(): Promise<ToldWarehouse> {
  const heard: Heard[] = [];
  let told: Told | ((heard: Heard) => Told | Promise<Told>) = { status: 500 };
  async function answer(request: IncomingMessage, response: ServerResponse) {
    const { method = "", url = "", headers } = request;
    const now = { method, url, headers, body: await text(request) };
    heard.push(now);
    const { status, headers: own, body } = typeof told === "function" ? await told(now) : told;
    const isRaw = body instanceof Buffer || typeof body === "string";
    response.writeHead(status, own).end(isRaw ? body : JSON.stringify(body));
  }
  const server = http.createServer((request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    template: `http://{subdomain}.localhost:${port}/api/v1`,
    port,
    tell: (answer) => (told = answer),
    heard,
    close: () => server.close(),
  };
}
