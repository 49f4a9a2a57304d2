import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** The response to the request that came last on a connection. */
const latest = new WeakMap<Socket, ServerResponse>();

/**
 * Goes on with a request when the one before it on its connection has its answer. Of those that a client sends without
 * waiting hundreds arrive at once, are answered in their order anyway, and would keep everybody else waiting meanwhile.
 */
export function oneByOne(socket: Socket, response: ServerResponse, goOn: () => void): void {
  const before = latest.get(socket);
  latest.set(socket, response);
  if (before === undefined || before.closed) goOn();
  else before.once("close", goOn);
}
