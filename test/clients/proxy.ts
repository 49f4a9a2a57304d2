import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { after } from "node:test";

/**
 * - `lost`: the server answers, and the connection is cut before the client hears of it.
 * - `half`: the client hears half of the answer's body.
 * - an answer: of the proxy itself; the server is not asked.
 */
type Fate = "lost" | "half" | { status: number; headers?: Record<string, string>; body?: string };

/** A proxy between a client and the server; gone when the test file ends. */
export type Proxy = {
  url: string;
  /** The fates of the next requests; those behind them pass. */
  next(...fates: Fate[]): void;
  /** The requests so far, each with what the server answered to it. */
  requests: { method: string; key: string | undefined; status: number | null }[];
};

export async function startProxy(to: string): Promise<Proxy> {
  const fates: Fate[] = [];
  const requests: Proxy["requests"] = [];
  const server = http.createServer((request, response) => void pass(request, response));
  async function pass(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const fate = fates.shift() ?? "pass";
    const { method = "", url = "", headers } = request;
    const seen: Proxy["requests"][number] = { method, key: String(headers["idempotency-key"]), status: null };
    requests.push(seen);
    const sent = Buffer.concat(await request.toArray());
    if (typeof fate === "object") {
      response.writeHead(fate.status, fate.headers).end(fate.body);
      return;
    }
    const forwarded = http.request(`${to}${url}`, { method, headers });
    forwarded.on("error", () => response.destroy());
    forwarded.end(sent);
    const [answer] = (await once(forwarded, "response")) as [http.IncomingMessage];
    const body = Buffer.concat(await answer.toArray());
    seen.status = answer.statusCode ?? null;
    if (fate === "lost") {
      response.destroy();
      return;
    }
    response.writeHead(answer.statusCode ?? 0, answer.headers);
    if (fate === "pass") response.end(body);
    else response.write(body.subarray(0, body.length / 2), () => response.destroy());
  }
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    next: (...more) => fates.push(...more),
    requests,
  };
}
