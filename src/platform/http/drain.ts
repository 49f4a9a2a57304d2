import type { Server } from "node:http";

/** A file of its own: it knows HTTP alone. Lets clients move to another server while they are still served. */
export type Drain = { begin: () => void; hasBegun: () => boolean };

/** Once it has begun, each answer announces that its connection will be closed. */
export function drainOf(server: Server): Drain {
  let hasBegun = false;
  return {
    begin() {
      hasBegun = true;
      server.prependListener("request", (_request, response) => {
        response.shouldKeepAlive = false;
      });
    },
    hasBegun: () => hasBegun,
  };
}
