import { errorOf, LiaisonError, NoAnswerError } from "./errors.ts";

export type ClientOptions = {
  /** The URL of Liaison, without `/api/v1`: `https://crm.example`. */
  url: string;
  /** `<tenant>.<key>`. */
  token: string;
  /** Maximum attempts of a call; 6 by default. */
  tries?: number;
  /**
   * Milliseconds after which an attempt without a response is aborted; 60,000 by default. Following the feed needs more
   * than 30,000.
   */
  timeout?: number;
  /** Replaces the global fetch. */
  fetch?: typeof fetch;
  /** Called for the answer to each attempt, also for errors. An error that it throws ends the call. */
  onResponse?: (response: ResponseReport) => void;
};

/** Facts about an answer, for logs and metrics. */
export type ResponseReport = {
  method: string;
  url: string;
  status: number;
  /** For questions to the operator of Liaison. */
  requestId: string | null;
  /** Whether it is the stored answer of an earlier request with the same key. */
  replayed: boolean;
  /** The key's limit of requests in a minute, and the rest of it; null without a limit. */
  rateLimit: { limit: number; remaining: number } | null;
};

/** Options of any call. */
export type CallOptions = {
  /** Aborts the call and its pauses; the call throws the signal's reason. */
  signal?: AbortSignal;
  /** Further members of the resources in the answer. Each call's resource says which it may have. */
  include?: readonly ("external" | "contacts" | "addresses" | "invoices" | "lines")[];
};

/** Options of a call that writes. */
export type WriteOptions = CallOptions & {
  /** A key that outlives this program, for example an order's number. By default each call creates its own. */
  idempotencyKey?: string;
};

/** Options of a call that changes one resource. */
export type ChangeOptions = WriteOptions & {
  /**
   * The tag (`tagOf`) of the state that the resource must have; otherwise `ResourceChangedError`. An undefined one is
   * refused.
   */
  ifMatch?: string;
};

/** Query parameters; undefined ones are not sent. */
/** An object is a parameter for each of its members: `custom[price_list]=gold`. */
export type Query = Record<string, string | number | Record<string, string> | undefined>;

type Method = "GET" | "POST" | "PATCH" | "DELETE";

/**
 * Sends requests, and repeats those that may be repeated. Returns the parsed body of a success; throws `LiaisonError`.
 */
export type Transport = {
  get<T>(path: string, query?: Query, options?: CallOptions): Promise<T>;
  write<T>(method: Exclude<Method, "GET">, path: string, body?: object, options?: ChangeOptions): Promise<T>;
};

const BACKOFF_MS = 250;
/** Maximum pause. If a response asks for a longer one, the error is thrown. */
const LONGEST_PAUSE_MS = 90_000;

const tags = new WeakMap<object, string>();

/** The `ETag` of a resource's own response, for `ifMatch`; undefined for a resource from a list. */
export function tagOf(resource: object): string | undefined {
  return tags.get(resource);
}

export function createTransport(options: ClientOptions): Transport {
  const { token, tries = 6, timeout = 60_000, onResponse } = options;
  // The error message of an invalid header would contain the token.
  if (!/^[\x21-\x7e]+$/.test(token)) throw new TypeError("A token has visible characters of ASCII only.");
  const ask = options.fetch ?? globalThis.fetch.bind(globalThis);
  const base = `${options.url.replace(/\/+$/, "")}/api/v1`;

  async function call<T>(method: Method, path: string, body: object | undefined, options: ChangeOptions): Promise<T> {
    const { signal, ifMatch, include = [] } = options;
    const url = `${base}${path}${includeOf(include, path)}`;
    // Without a tag, the write would overwrite any state.
    if ("ifMatch" in options && typeof ifMatch !== "string") {
      throw new TypeError("ifMatch is not a tag: tagOf() has none for a resource from a list. Get the resource first.");
    }
    const idempotencyKey = method === "GET" ? null : (options.idempotencyKey ?? crypto.randomUUID());
    const headers = new Headers({ authorization: `Bearer ${token}`, accept: "application/json" });
    if (idempotencyKey !== null) headers.set("idempotency-key", idempotencyKey);
    if (ifMatch !== undefined) headers.set("if-match", ifMatch);
    if (body !== undefined) headers.set("content-type", "application/json");
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    for (let attempt = 1; ; attempt++) {
      signal?.throwIfAborted();
      // A redirect could send the token to another server, or turn a POST into a GET.
      const init = { method, headers, ...sent, redirect: "manual", signal: withTimeout(signal, timeout) } as const;
      const asked = ask(url, init);
      const outcome = await answerOf(asked, idempotencyKey);
      // Outside the attempt: an error of the callback is no broken connection.
      const response = onResponse === undefined ? null : await asked.catch(() => null);
      if (response !== null) onResponse?.(reportOf(response, method, url));
      if (!(outcome instanceof LiaisonError)) return outcome.body as T;
      signal?.throwIfAborted();
      const pause = pauseBehind(outcome, attempt);
      if (attempt >= tries || !isWorthRepeating(outcome) || pause > LONGEST_PAUSE_MS) throw outcome;
      await sleep(pause, signal);
    }
  }

  return {
    get: async (path, query = {}, options = {}) => await call("GET", `${path}${queryOf(query)}`, undefined, options),
    write: async (method, path, body, options = {}) => await call(method, path, body, options),
  };
}

/** The body of a success, in an object so that no body can be mistaken for an error; otherwise the error. */
async function answerOf(
  asked: Promise<Response>,
  idempotencyKey: string | null,
): Promise<{ body: unknown } | LiaisonError> {
  const nothing = { status: 0, code: null, body: null, retryAfter: null, requestId: null, idempotencyKey };
  let answer: Response;
  let text: string;
  try {
    answer = await asked;
    // An incomplete response counts as none.
    text = await answer.text();
  } catch (cause) {
    return new NoAnswerError(nothing, { cause });
  }
  const body = parse(text);
  // A network's sign-in page is a success too, but not from Liaison.
  if (answer.ok && typeof body === "object" && body !== null) {
    keepTag(body, answer.headers.get("etag"));
    return { body };
  }
  return errorOf({
    status: answer.status,
    code: answer.headers.get("x-error-code"),
    body,
    retryAfter: numberIn(answer.headers.get("retry-after")),
    requestId: answer.headers.get("x-request-id"),
    idempotencyKey,
  });
}

function reportOf({ status, headers }: Response, method: string, url: string): ResponseReport {
  const [limit, remaining] = ["x-ratelimit-limit", "x-ratelimit-remaining"].map((name) => numberIn(headers.get(name)));
  return {
    method,
    url,
    status,
    requestId: headers.get("x-request-id"),
    replayed: headers.get("idempotency-replayed") === "true",
    rateLimit: limit == null || remaining == null ? null : { limit, remaining },
  };
}

/**
 * A 5xx without Liaison's code comes from a proxy that could not reach it. Every write has a key, so a repetition is
 * safe.
 */
function isWorthRepeating({ status, code }: LiaisonError): boolean {
  return [0, 429, 502, 503, 504].includes(status) || code === "idempotency_key_in_progress";
}

/**
 * Milliseconds: doubled for each attempt, or the time that the response asks for. Up to a quarter is added, so that
 * many clients do not return at the same time.
 */
function pauseBehind({ retryAfter }: LiaisonError, attempt: number): number {
  const pause = Math.max(BACKOFF_MS * 2 ** (attempt - 1), (retryAfter ?? 0) * 1_000);
  return pause * (1 + Math.random() / 4);
}

function numberIn(header: string | null): number | null {
  return header !== null && /^\d+$/.test(header) ? Number(header) : null;
}

function withTimeout(signal: AbortSignal | undefined, timeout: number): AbortSignal {
  const late = AbortSignal.timeout(timeout);
  return signal === undefined ? late : AbortSignal.any([signal, late]);
}

/** Resolves early when the signal aborts; never rejects. */
export async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", wake);
      resolve();
    };
    const timer = setTimeout(wake, ms);
    signal?.addEventListener("abort", wake);
  });
}

function keepTag(body: { data?: unknown }, tag: string | null): void {
  const { data } = body;
  if (tag !== null && typeof data === "object" && data !== null) tags.set(data, tag);
}

function queryOf(query: Query): string {
  const sent = Object.entries(query).flatMap(([name, value]): [string, string][] => {
    if (value === undefined) return [];
    if (typeof value !== "object") return [[name, String(value)]];
    return Object.entries(value).map(([key, each]) => [`${name}[${key}]`, each]);
  });
  return sent.length === 0 ? "" : `?${new URLSearchParams(sent).toString()}`;
}

function includeOf(words: readonly string[], path: string): string {
  return words.length === 0 ? "" : `${path.includes("?") ? "&" : "?"}include=${words.join(",")}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
