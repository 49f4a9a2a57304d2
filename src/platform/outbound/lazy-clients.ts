import type { Network } from "../network.ts";
import type { HttpClient, HttpClientOptions } from "./http-client.ts";

type Held = HttpClientOptions["areCallsHeld"];

/**
 * An HTTP client for servers that are only notified, and whose answers are ignored except for their status. Many
 * deliveries may go to one host, and none should wait for another.
 */
export function openReceivers(privateNetworks: readonly Network[], areCallsHeld: Held): HttpClient {
  return openedWhenUsed({
    to: "webhook",
    privateNetworks,
    areCallsHeld,
    timeoutMs: 15_000,
    maxAnswer: 64 * 1024,
    connectionsPerHost: 2_000,
    hosts: 10_000,
  });
}

/**
 * An HTTP client for identity providers. A person waits for the answer in front of a blank page, so the limit is short.
 * The largest answers are sets of keys with certificates, of some 20 KiB.
 */
export function openIdentityProviders(privateNetworks: readonly Network[], areCallsHeld: Held): HttpClient {
  return openedWhenUsed({
    to: "identity_provider",
    privateNetworks,
    areCallsHeld,
    timeoutMs: 5_000,
    maxAnswer: 64 * 1024,
    connectionsPerHost: 20,
  });
}

/** An HTTP client for the register of companies. A person waits for the answer, which is short. */
export function openRegister(privateNetworks: readonly Network[], areCallsHeld: Held): HttpClient {
  return openedWhenUsed({
    to: "register",
    privateNetworks,
    areCallsHeld,
    timeoutMs: 5_000,
    maxAnswer: 64 * 1024,
    connectionsPerHost: 50,
  });
}

/** The client is loaded for its first request: most processes send none. */
function openedWhenUsed(options: HttpClientOptions): HttpClient {
  let opened: Promise<HttpClient> | null = null;
  const open = async () => {
    const { openHttpClient } = await import("./http-client.ts");
    return openHttpClient(options);
  };
  return {
    exchange: async (request) => await (await (opened ??= open())).exchange(request),
    async close() {
      await (await opened)?.close();
    },
  };
}
