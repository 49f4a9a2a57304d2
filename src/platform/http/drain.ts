import type { Server } from "node:http";

/** Lets clients go elsewhere while they are still served. */
export type Drain = { begin: () => void; hasBegun: () => boolean };

/** From its beginning on, each answer says that its connection is closed behind it. */
export function drainOf(server: Server): Drain {
  let hasBegun = false;
  server.prependListener("request", (_request, response) => {
    if (hasBegun) response.shouldKeepAlive = false;
  });
  return {
    begin: () => (hasBegun = true),
    hasBegun: () => hasBegun,
  };
}
