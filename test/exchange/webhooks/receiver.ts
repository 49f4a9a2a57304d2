import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { after } from "node:test";
import { Webhook } from "standardwebhooks";

/** A message as it arrived. */
export type Heard = {
  path: string;
  headers: http.IncomingHttpHeaders;
  text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests assert on what it turns out to be
  body: any;
};

/** What a receiver answers: a status, or by itself. */
type Answer = number | ((heard: Heard, response: http.ServerResponse) => unknown);

/** A server on loopback that receives changes, until the test file ends. */
export type Receiver = {
  url: string;
  heard: Heard[];
  /** What it answers from now on; 204 before. */
  answers(answer: Answer): void;
  /** Resolves when it has received this number of messages in all. */
  untilHeard(count: number): Promise<void>;
  close(): Promise<void>;
};

export async function startReceiver(port = 0): Promise<Receiver> {
  const heard: Heard[] = [];
  let answer: Answer = 204;
  const server = http.createServer((request, response) => void hear(request, response));
  async function hear(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += String(chunk);
    const message = { path: request.url ?? "", headers: request.headers, text, body: JSON.parse(text) as unknown };
    heard.push(message);
    server.emit("heard");
    if (typeof answer === "number") response.writeHead(answer).end();
    else answer(message, response);
  }
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const close = async () => {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  after(close);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    heard,
    answers(next) {
      answer = next;
    },
    async untilHeard(count) {
      while (heard.length < count) await once(server, "heard");
    },
    close,
  };
}

/** Whether a message is signed by a secret. */
export function isVerified(secret: string, heard: Heard): boolean {
  try {
    verified(secret, heard);
    return true;
  } catch {
    return false;
  }
}

/** The message, as a library of Standard Webhooks reads it. Throws where its signature is another secret's. */
export function verified(secret: string, { text, headers }: Heard): unknown {
  return new Webhook(secret).verify(text, headers as Record<string, string>);
}
