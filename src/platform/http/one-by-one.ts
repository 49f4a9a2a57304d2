import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** The response to the request that came last on a connection. */
const latest = new WeakMap<Socket, ServerResponse>();

/**
 * Continues with a request once the previous one on its connection is answered. A client may send hundreds without
 * waiting. They are answered in order anyway, and together would delay everyone else.
 */
export function oneByOne(socket: Socket, response: ServerResponse, goOn: () => void): void {
  const before = latest.get(socket);
  latest.set(socket, response);
  if (before === undefined || before.closed) goOn();
  else before.once("close", goOn);
}
