import type { Network } from "../network.ts";
import type { HttpClient, HttpClientOptions } from "./http-client.ts";

/** The limit for a whole call; a later answer does not count. */
const TIMEOUT_MS = 15_000;
/** The most bytes of an answer's body, which is ignored. */
const MAX_ANSWER = 64 * 1024;
/** Many deliveries may go to one host, and none should wait for another. */
const CONNECTIONS_PER_HOST = 2_000;
const HOSTS = 10_000;

/**
 * An HTTP client for servers that are only notified, and whose answers are ignored except for their status. It is
 * loaded for the first notification: most processes send none.
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
