import { once } from "node:events";
import http, { type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import type { Simulator } from "../../../wms-simulator/simulator.ts";

export type Called = { status: number; headers: IncomingMessage["headers"]; body: unknown };

/** A call to an instance of a simulator, without Liaison. `path` is that below the instance's address. */
export async function call(
  { port }: Simulator,
  instance: string,
  method: string,
  path: string,
  { body, headers }: { body?: object | undefined; headers?: Record<string, string> } = {},
): Promise<Called> {
  const request = http.request({
    host: "127.0.0.1",
    port,
    method,
    path: `/api/v1${path}`,
    headers: { host: `${instance}.localhost:${port}`, authorization: "Bearer any", ...headers },
  });
  request.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = (await once(request, "response")) as [IncomingMessage];
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: JSON.parse(await text(response)) as unknown,
  };
}

/** An endpoint of the simulator itself. */
export async function administer(
  { admin }: Pick<Simulator, "admin">,
  method: string,
  path: string,
  body?: unknown,
): Promise<unknown> {
  const options = body === undefined ? { method } : { method, body: JSON.stringify(body) };
  const answer = await fetch(`${admin}${path}`, options);
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return await answer.json();
}
