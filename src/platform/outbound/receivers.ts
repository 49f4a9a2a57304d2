import type { Network } from "../network.ts";
import type { HttpClient, HttpClientOptions } from "./http-client.ts";

/** For a whole call: what is answered later does not count. */
const TIMEOUT_MS = 15_000;
/** Bytes of an answer's body, in which nobody is interested. */
const MAX_ANSWER = 64 * 1024;
/** One host may be told of any number of things, none of which is to wait for another. */
const CONNECTIONS_PER_HOST = 2_000;
const HOSTS = 10_000;

/**
 * The way to servers that are told something, whoever they are, and need say no more than that they have heard it. The HTTP client is
 * loaded when something is told first: most processes tell nobody anything.
 */
export function openReceivers(
  privateNetworks: readonly Network[],
  areCallsHeld: HttpClientOptions["areCallsHeld"],
): HttpClient {
  let opened: Promise<HttpClient> | null = null;
  const open = async () => {
    const { openHttpClient } = await import("./http-client.ts");
    return openHttpClient({
      to: "webhook",
      privateNetworks,
      areCallsHeld,
      timeoutMs: TIMEOUT_MS,
      maxAnswer: MAX_ANSWER,
      connectionsPerHost: CONNECTIONS_PER_HOST,
      hosts: HOSTS,
    });
  };
  return {
    exchange: async (request) => await (await (opened ??= open())).exchange(request),
    async close() {
      await (await opened)?.close();
    },
  };
}
