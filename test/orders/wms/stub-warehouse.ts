import { once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export type StubAnswer = { status: number; headers?: Record<string, string>; body?: unknown };
export type Heard = { method: string; url: string; headers: IncomingMessage["headers"]; body: string };

/** A WMS that gives the answer of the test, and records its requests. */
export type StubWarehouse = {
  /** For LIAISON_WMS_URL. */
  template: string;
  port: number;
  answerWith: (answer: StubAnswer | ((heard: Heard) => StubAnswer | Promise<StubAnswer>)) => void;
  heard: Heard[];
  close(): void;
};

export async function startStubWarehouse(): Promise<StubWarehouse> {
  const heard: Heard[] = [];
  let next: StubAnswer | ((heard: Heard) => StubAnswer | Promise<StubAnswer>) = { status: 500 };
  async function answer(request: IncomingMessage, response: ServerResponse) {
    const { method = "", url = "", headers } = request;
    const now = { method, url, headers, body: await text(request) };
    heard.push(now);
    const { status, headers: own, body } = typeof next === "function" ? await next(now) : next;
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
    answerWith: (answer) => (next = answer),
    heard,
    close: () => server.close(),
  };
}
