import type { IncomingHttpHeaders } from "node:http";
import { Agent, errors, type Dispatcher } from "undici";
import { steady } from "../clock.ts";
import { callTallies } from "./call-tallies.ts";
import { ForbiddenAddress, guardedConnector, UnknownName, type Guard } from "./guarded-connector.ts";

export type HttpClient = {
  /** Sends one request, once, and follows no redirect. Never throws. */
  exchange(request: OutboundRequest): Promise<Exchange>;
  /** Breaks off what is under way. */
  close(): Promise<void>;
};

export type HttpClientOptions = Guard & {
  /** The kind of those who are called, for metrics: `warehouse`. */
  to: string;
  /** Milliseconds for a whole exchange: waiting for a connection, opening it, the request, the answer's last byte. */
  timeoutMs: number;
  /** Bytes of an answer's body; of one whose body is of no interest, after which its connection is closed. */
  maxAnswer: number;
  /** Of each host; others wait, and what waits for one host delays no other. */
  connectionsPerHost: number;
  /** While they are held no request leaves. */
  areCallsHeld: () => Promise<boolean>;
  /** With an open connection, at once. */
  hosts?: number;
};

export type OutboundRequest = {
  method: "GET" | "POST";
  url: URL;
  headers: Record<string, string>;
  body?: string | undefined;
  /** Breaks the exchange off. */
  signal?: AbortSignal | undefined;
  /** The answer is its status and its headers: `body` is empty, and what comes behind is drained within the client's bounds. */
  isBodyIgnored?: true;
  /** The moment, as steady() says it, from which on the request must not leave any more; asked when it does. */
  notAfter?: (() => number) | undefined;
};

export type Exchange =
  | { outcome: "answered"; status: number; headers: IncomingHttpHeaders; body: Buffer }
  /** No byte of the request has left: it was certainly not executed. */
  | { outcome: "unsent"; reason: UnsentReason }
  /** It may have been executed. */
  | { outcome: "unknown"; reason: UnknownReason };

export type UnsentReason =
  | "address"
  | "name"
  | "connect"
  | "connect-timeout"
  | "tls"
  | "wait"
  | "stopped"
  | "request"
  | "held";
export type UnknownReason = "timeout" | "stopped" | "broken" | "too-large" | "protocol";

const MAX_HEADERS = 16 * 1024;
/** A connection that nobody uses is closed after this, or a little before the other side says that it would. */
const IDLE_MS = 10_000;
const MAX_HOSTS = 1_000;

export function openHttpClient(options: HttpClientOptions): HttpClient {
  const agent = new Agent({
    connect: guardedConnector(options),
    connections: options.connectionsPerHost,
    maxOrigins: options.hosts ?? MAX_HOSTS,
    pipelining: 1,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    maxHeaderSize: MAX_HEADERS,
    maxResponseSize: options.maxAnswer,
    // The exchange's own limit stands above each of its parts.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    async exchange(request) {
      if (await options.areCallsHeld()) return { outcome: "unsent", reason: "held" };
      const begunAt = steady();
      const result = await exchange(agent, request, options.timeoutMs);
      callTallies.note([options.to, result.outcome], steady() - begunAt);
      return result;
    },
    close: () => agent.destroy(),
  };
}

/**
 * By undici's dispatch, because it alone tells when a request leaves (`onRequestStart`): an exchange that ends before is
 * certainly not executed, also where it ends by its limit while it waits for a connection.
 */
function exchange(agent: Agent, request: OutboundRequest, timeoutMs: number): Promise<Exchange> {
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | null = null;
    let isOver = false;
    const finish = (result: Exchange) => {
      if (isOver) return;
      isOver = true;
      // Where the body is drained yet, the limit ends that too.
      if (result.outcome === "answered" && request.isBodyIgnored) limit.unref();
      else clearTimeout(limit);
      request.signal?.removeEventListener("abort", stop);
      resolve(result);
    };
    const breakOff = (unsent: UnsentReason, unknown: UnknownReason) => {
      finish(controller === null ? { outcome: "unsent", reason: unsent } : { outcome: "unknown", reason: unknown });
      controller?.abort(new BrokenOff());
    };
    const stop = () => breakOff("stopped", "stopped");
    const limit = setTimeout(() => breakOff("wait", "timeout"), timeoutMs);
    if (request.signal?.aborted === true) return stop();
    request.signal?.addEventListener("abort", stop);

    const answer = { status: 0, headers: {} as IncomingHttpHeaders, chunks: [] as Buffer[] };
    agent.dispatch(dispatchOptions(request), {
      onRequestStart(started) {
        if (isOver) return started.abort(new BrokenOff());
        // A process that was paused goes on here, and somebody else has taken over what it was about to do.
        if (request.notAfter !== undefined && steady() >= request.notAfter()) {
          finish({ outcome: "unsent", reason: "stopped" });
          return started.abort(new BrokenOff());
        }
        controller = started;
      },
      onResponseStart(_controller, status, headers) {
        answer.status = status;
        answer.headers = headers;
        const isLast = status >= 200;
        if (request.isBodyIgnored && isLast) finish({ outcome: "answered", status, headers, body: Buffer.alloc(0) });
      },
      onResponseData(_controller, chunk) {
        if (!isOver) answer.chunks.push(chunk);
      },
      onResponseEnd() {
        clearTimeout(limit);
        const { status, headers, chunks } = answer;
        finish({ outcome: "answered", status, headers, body: Buffer.concat(chunks) });
      },
      onResponseError(_controller, error) {
        clearTimeout(limit);
        finish(
          controller === null
            ? { outcome: "unsent", reason: unsentReason(error) }
            : { outcome: "unknown", reason: unknownReason(error) },
        );
      },
    });
  });
}

/** Somebody gave up on the exchange and has its result already. */
class BrokenOff extends Error {}

function dispatchOptions({ method, url, headers, body }: OutboundRequest): Dispatcher.DispatchOptions {
  return { origin: url.origin, path: `${url.pathname}${url.search}`, method, headers, body: body ?? null };
}

function unsentReason(error: Error): UnsentReason {
  if (error instanceof ForbiddenAddress) return "address";
  if (error instanceof UnknownName) return "name";
  if (error instanceof errors.ConnectTimeoutError) return "connect-timeout";
  if (error instanceof errors.InvalidArgumentError) return "request";
  if (error instanceof errors.ClientDestroyedError || error instanceof errors.ClientClosedError) return "stopped";
  if (error instanceof errors.MaxOriginsReachedError) return "wait";
  // The codes of OpenSSL and of Node's TLS; the texts may name what a certificate holds.
  return "code" in error && /CERT|TLS|SSL|SIGNATURE/.test(String(error.code)) ? "tls" : "connect";
}

function unknownReason(error: Error): UnknownReason {
  if (error instanceof errors.ResponseExceededMaxSizeError) return "too-large";
  if (error instanceof errors.HeadersOverflowError) return "too-large";
  if (error instanceof errors.HTTPParserError) return "protocol";
  if (error instanceof errors.ClientDestroyedError) return "stopped";
  return "broken";
}
