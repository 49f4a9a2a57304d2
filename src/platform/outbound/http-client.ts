import type { IncomingHttpHeaders } from "node:http";
import { Agent, errors, type Dispatcher } from "undici";
import { steady } from "../clock.ts";
import { callTallies } from "./call-tallies.ts";
import { ForbiddenAddress, guardedConnector, UnknownName, type Guard } from "./guarded-connector.ts";

export type HttpClient = {
  /** Sends one request, once, and follows no redirect. Never throws. */
  exchange(request: OutboundRequest): Promise<Exchange>;
  /** Aborts the exchanges in flight. */
  close(): Promise<void>;
};

export type HttpClientOptions = Guard & {
  /** The kind of the called servers, for metrics: `warehouse`. */
  to: string;
  /** Milliseconds for a whole exchange: waiting for a connection, opening it, the request, the answer's last byte. */
  timeoutMs: number;
  /** The most bytes of an answer's body; of a drained one, after which its connection is closed. */
  maxAnswer: number;
  /** For each host; further exchanges wait, and a wait for one host delays no other. */
  connectionsPerHost: number;
  /** While calls are held, no request leaves. Never fails. */
  areCallsHeld: () => Promise<boolean>;
  /** The most hosts with an open connection at once. */
  hosts?: number;
};

export type OutboundRequest = {
  method: "GET" | "POST";
  url: URL;
  headers: Record<string, string>;
  body?: string | undefined;
  /** Aborts the exchange. */
  signal?: AbortSignal | undefined;
  /** Limits the result's body to an excerpt. The rest is drained within the client's limits. */
  excerpt?: Excerpt;
  /** The time by steady() after which the request must not leave any more; read when it is about to leave. */
  notAfter?: (() => number) | undefined;
};

/** At most `bytes` of a body that arrive within `waitMs`; nothing if the status `isWithout` a body. */
type Excerpt = { bytes: number; waitMs: number; isWithout: (status: number) => boolean };

export type Exchange =
  | { outcome: "answered"; status: number; headers: IncomingHttpHeaders; body: Buffer }
  /** No byte of the request has left: it was certainly not executed. */
  | { outcome: "unsent"; reason: UnsentReason }
  /** The request may have been executed. */
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

const HEADERS_MAX = 16 * 1024;
/** An idle connection is closed after this, or slightly before the other side announced that it would close it. */
const IDLE_MS = 10_000;
/** The interval at which a request that waits for its connection checks whether calls are held. */
const HELD_AGAIN_MS = 1_000;
const MOST_HOSTS = 1_000;

/** A client whose connections stay open between requests, until `close`. It reaches allowed addresses only. */
export function openHttpClient(options: HttpClientOptions): HttpClient {
  const agent = new Agent({
    connect: guardedConnector(options),
    connections: options.connectionsPerHost,
    maxOrigins: options.hosts ?? MOST_HOSTS,
    pipelining: 1,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    maxHeaderSize: HEADERS_MAX,
    maxResponseSize: options.maxAnswer,
    // The limit of the whole exchange covers each of its parts.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    async exchange(request) {
      if (await options.areCallsHeld()) return { outcome: "unsent", reason: "held" };
      const begunAt = steady();
      const result = await exchange(agent, request, options);
      callTallies.note([options.to, result.outcome], steady() - begunAt);
      return result;
    },
    close: () => agent.destroy(),
  };
}

/**
 * Uses undici's dispatch, because only that reports when a request leaves (`onRequestStart`). An exchange that ends
 * earlier was certainly not executed, even if it ends by its limit while it waits for a connection.
 */
function exchange(
  agent: Agent,
  request: OutboundRequest,
  { timeoutMs, areCallsHeld }: HttpClientOptions,
): Promise<Exchange> {
  return new Promise((resolve) => {
    let controller: Dispatcher.DispatchController | null = null;
    let isOver = false;
    let cut: NodeJS.Timeout | undefined;
    const { excerpt } = request;
    const finish = (result: Exchange) => {
      if (isOver) return;
      isOver = true;
      // If the body is still being drained, the limit ends that too.
      if (result.outcome === "answered" && excerpt !== undefined) limit.unref();
      else clearTimeout(limit);
      clearTimeout(cut);
      clearInterval(checking);
      request.signal?.removeEventListener("abort", stop);
      resolve(result);
    };
    const fail = (unsent: UnsentReason, unknown: UnknownReason) =>
      finish(controller === null ? { outcome: "unsent", reason: unsent } : { outcome: "unknown", reason: unknown });
    const breakOff = (unsent: UnsentReason, unknown: UnknownReason) => {
      fail(unsent, unknown);
      controller?.abort(new BrokenOff());
    };
    const stop = () => breakOff("stopped", "stopped");
    const limit = setTimeout(() => breakOff("wait", "timeout"), timeoutMs);
    const check = async () => {
      if ((await areCallsHeld()) && controller === null) finish({ outcome: "unsent", reason: "held" });
    };
    const checking = setInterval(() => void check(), HELD_AGAIN_MS);
    if (request.signal?.aborted === true) return stop();
    request.signal?.addEventListener("abort", stop);

    const answer = { status: 0, headers: {} as IncomingHttpHeaders, chunks: [] as Buffer[], bytes: 0 };
    const answered = () => {
      const { status, headers, chunks } = answer;
      finish({ outcome: "answered", status, headers, body: Buffer.concat(chunks).subarray(0, excerpt?.bytes) });
    };
    agent.dispatch(dispatchOptions(request), {
      onRequestStart(started) {
        if (isOver) return started.abort(new BrokenOff());
        // The process may have paused before this point, and another worker may have claimed its work.
        if (request.notAfter !== undefined && steady() >= request.notAfter()) {
          finish({ outcome: "unsent", reason: "stopped" });
          return started.abort(new BrokenOff());
        }
        controller = started;
        clearInterval(checking);
      },
      onResponseStart(_controller, status, headers) {
        answer.status = status;
        answer.headers = headers;
        const isLast = status >= 200;
        if (excerpt === undefined || !isLast) return;
        if (excerpt.isWithout(status)) answered();
        else cut = setTimeout(answered, excerpt.waitMs);
      },
      onResponseData(_controller, chunk) {
        if (isOver) return;
        answer.chunks.push(chunk);
        answer.bytes += chunk.length;
        if (excerpt !== undefined && answer.bytes >= excerpt.bytes) answered();
      },
      onResponseEnd() {
        clearTimeout(limit);
        answered();
      },
      onResponseError(_controller, error) {
        clearTimeout(limit);
        fail(unsentReason(error), unknownReason(error));
      },
    });
  });
}

/** Aborts an exchange whose result has already been returned. */
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
  // The codes of OpenSSL and of Node's TLS; their texts may contain a certificate's content.
  return "code" in error && /CERT|TLS|SSL|SIGNATURE/.test(String(error.code)) ? "tls" : "connect";
}

function unknownReason(error: Error): UnknownReason {
  if (error instanceof errors.ResponseExceededMaxSizeError) return "too-large";
  if (error instanceof errors.HeadersOverflowError) return "too-large";
  if (error instanceof errors.HTTPParserError) return "protocol";
  if (error instanceof errors.ClientDestroyedError) return "stopped";
  return "broken";
}
