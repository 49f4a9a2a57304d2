import type { ServerResponse } from "node:http";
import type { FastifyRequest } from "fastify";
import { callerAddress, isInNetworks, type Network } from "../network.ts";
import type { Caller } from "../sharing/caller.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Null until it is used for the first time. */
    caller: Caller | null;
    /**
     * The holder whose share the request uses: a tenant, or a network until it is authenticated (sharing/holder.ts).
     */
    holder: string;
    /** Whether it has one of its holder's places for concurrent requests. */
    hasPlace: boolean;
    /** Milliseconds that it has waited for an event because its client requested that. */
    withoutPlaceMs: number;
  }
}

/** The client that waits for the answer, until its connection closes. */
export function callerOf(request: FastifyRequest): Caller {
  return (request.caller ??= new HttpCaller(request));
}

/** A class, because an object literal with getters has a hidden class of its own, which outlives the request. */
export class HttpCaller implements Caller {
  /** Milliseconds during which the database had at least one query of it, including the wait for a place there. */
  databaseMs = 0;
  readonly #request: FastifyRequest;
  #queries = 0;
  #queriedSince = 0;

  constructor(request: FastifyRequest) {
    this.#request = request;
    // Once the request has a response writer, that replaces this caller.
    if (request.caller instanceof HttpCaller) this.databaseMs = request.caller.databaseMs;
  }

  queryBegins(): void {
    if (this.#queries++ === 0) this.#queriedSince = performance.now();
  }

  queryEnds(): void {
    if (--this.#queries === 0) this.databaseMs += performance.now() - this.#queriedSince;
  }

  /** Read each time: the request may be authenticated later. */
  get holder(): string {
    return this.#request.holder;
  }

  get hasHungUp(): boolean {
    return this.#request.raw.socket.destroyed;
  }

  whenHungUp(callback: () => void): () => void {
    const { socket } = this.#request.raw;
    // Many requests may be sent on one connection before the first is answered, and Node warns from eleven listeners
    // on.
    socket.setMaxListeners(0).once("close", callback);
    return () => socket.off("close", callback);
  }
}

/**
 * Calls back once, when an answer is sent or its connection closed. A request runs after the previous ones on its
 * connection are answered (server.ts): from then on its response has both events.
 */
export function whenClosed(caller: Caller, response: ServerResponse, callback: () => void): void {
  if (response.closed || caller.hasHungUp) callback();
  // The event comes once anyway, and `on` needs no wrapper that removes itself.
  else response.on("close", callback);
}

/** The client's address, by the trusted proxies in between (network.ts). */
export function addressOf({ raw, headers }: FastifyRequest, trustedProxies: readonly Network[]): string {
  const forwardedFor = headers["x-forwarded-for"];
  return callerAddress(raw.socket.remoteAddress ?? "", forwardedFor?.toString(), trustedProxies);
}

/** The address that the caller knows this server by, without a trailing slash. */
export function originOf(
  { headers, raw }: FastifyRequest,
  { publicUrl, trustedProxies, host }: { publicUrl: string | null; trustedProxies: readonly Network[]; host: string },
): string {
  if (publicUrl !== null) return publicUrl;
  const named = headers.host ?? "";
  const proxied = isInNetworks(raw.socket.remoteAddress ?? "", trustedProxies);
  // The first of several is the one that the client used: each proxy appends its own.
  const [sent = ""] = String(headers["x-forwarded-proto"] ?? "").split(",");
  const scheme = proxied && sent.trim().toLowerCase() === "https" ? "https" : "http";
  return `${scheme}://${/^[\w.:[\]-]+$/.test(named) ? named : `${host}:${raw.socket.localPort}`}`;
}
