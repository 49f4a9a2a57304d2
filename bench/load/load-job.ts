/** A job of a load generator: the requests, and for how many seconds. */
export type LoadJob = {
  url: string;
  token: string;
  requests: LoadRequest[];
  connections: number;
  seconds: number;
  /** Ends the job before its time is up: a request that creates something is not sent twice. */
  once: boolean;
};

export type LoadRequest = {
  method: "GET" | "POST" | "PUT" | "DELETE";
  path: string;
  body?: string;
  /** Beside those that every request has. */
  headers?: Record<string, string>;
};

export type LoadResult = {
  requests: number;
  milliseconds: number;
  /** Milliseconds per request. */
  latencies: { p50: number; p99: number };
  /** How many answers were neither 2xx nor 304, and the first such status. */
  failed: number;
  failedStatus: number;
};
