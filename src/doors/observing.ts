import type { FastifyReply, FastifyRequest, onRequestHookHandler } from "fastify";
import { patternOf } from "../platform/http/route-pattern.ts";

/** A completed request. */
export type Observed = {
  /** The method and the route's pattern; `unknown` for a request without a route. */
  method: string;
  route: string;
  /** HUNG_UP if the caller hung up before the answer was sent. */
  status: number;
  ms: number;
  /** Sent, with the answer's head. */
  bytes: number;
};

export type Observer = (observed: Observed, request: FastifyRequest) => void;

/** Not a status of HTTP; proxies log it with this meaning. */
export const HUNG_UP = 499;

/** Calls the observers once for each request, when its answer is sent or its connection closed. */
export function observing(observers: readonly Observer[]): onRequestHookHandler {
  return (request, reply, next) => {
    const { socket } = request.raw;
    const sentBefore = socket.bytesWritten;
    // The event comes once, and `on` is cheaper.
    reply.raw.on("close", () => {
      const observed = {
        method: request.method,
        route: patternOf(request),
        status: statusOf(reply),
        ms: reply.elapsedTime,
        bytes: socket.bytesWritten - sentBefore,
      };
      for (const observe of observers) observe(observed, request);
    });
    next();
  };
}

function statusOf({ raw }: FastifyReply): number {
  return raw.writableFinished ? raw.statusCode : HUNG_UP;
}
