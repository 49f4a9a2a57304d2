import type { JWKS, ServerMetadata } from "openid-client";
import { BoundedMap } from "../../platform/bounded-map.ts";
import { now } from "../../platform/clock.ts";
import type { HttpClient } from "../../platform/outbound/http-client.ts";
import { providerFetch } from "./provider-fetch.ts";
import { troubleOf } from "./provider-trouble.ts";
import { SignInTrouble } from "./single-sign-on.ts";

/** A provider's documents. They are public, so all workspaces of an issuer share them. */
export type KnownProvider = {
  metadata: ServerMetadata;
  keys: { jwks: JWKS; readAt: number } | null;
};

type Entry = {
  provider: KnownProvider | null;
  readAt: number;
  /** The last attempt to read the metadata, if it failed. */
  failure: { at: number; trouble: SignInTrouble } | null;
  reading: Promise<void> | null;
  keysReadAt: number;
  /** The last call for a person's sign-in, if it failed. */
  silence: { at: number; trouble: SignInTrouble } | null;
};

/** With at most 64 KiB for each of two documents: 25 MB at the very most. */
const MOST_PROVIDERS = 200;
const METADATA_MS = 60 * 60_000;
/** For as long, old metadata is better than none. */
const OLD_METADATA_MS = 24 * 60 * 60_000;
/** After a failure, the provider is not asked again for this time. */
const AFTER_FAILURE_MS = 10_000;
export const KEYS_MS = 60 * 60_000;
/** Between two reads of the keys for a token with an unknown key, which anybody can send. */
const KEYS_AGAIN_MS = 60_000;

/** Each process has its own, with the client that reads them. */
const known = new WeakMap<HttpClient, BoundedMap<Entry>>();

/** The provider of an issuer. Throws SignInTrouble. Concurrent callers share one request. */
export async function providerOf(client: HttpClient, issuer: string): Promise<KnownProvider> {
  const entry = entryOf(client, issuer);
  if (entry.provider !== null && now() - entry.readAt < METADATA_MS) return entry.provider;
  if (entry.failure === null || now() - entry.failure.at >= AFTER_FAILURE_MS) {
    await (entry.reading ??= readMetadata(client, issuer, entry));
  }
  if (entry.provider !== null && now() - entry.readAt < OLD_METADATA_MS) return entry.provider;
  throw entry.failure?.trouble ?? new Error("a provider was neither read nor refused");
}

async function readMetadata(client: HttpClient, issuer: string, entry: Entry): Promise<void> {
  try {
    const { customFetch, discovery } = await import("openid-client");
    const found = await discovery(new URL(issuer), "unused", undefined, undefined, {
      [customFetch]: providerFetch(client),
    });
    entry.provider = { metadata: found.serverMetadata(), keys: entry.provider?.keys ?? null };
    entry.readAt = now();
    entry.failure = null;
  } catch (error) {
    entry.failure = { at: now(), trouble: troubleOf(error, "misconfigured") };
  } finally {
    entry.reading = null;
  }
}

/**
 * The provider's keys for a message that anybody can send.
 * @param isUnknown the key of the message is not among those of an earlier call
 */
export async function keysOf(client: HttpClient, issuer: string, isUnknown = false): Promise<JWKS> {
  const provider = await providerOf(client, issuer);
  const entry = entryOf(client, issuer);
  const isOld = provider.keys === null || now() - provider.keys.readAt >= KEYS_MS;
  if ((isOld || isUnknown) && now() - entry.keysReadAt >= KEYS_AGAIN_MS) {
    entry.keysReadAt = now();
    const response = await providerFetch(client)(provider.metadata.jwks_uri ?? "", { method: "GET", headers: {} });
    const jwks = (await response.json()) as JWKS;
    if (response.status === 200 && Array.isArray(jwks.keys)) provider.keys = { jwks, readAt: now() };
  }
  return provider.keys?.jwks ?? { keys: [] };
}

/**
 * The `fetch` of a person's sign-in. After a failure the provider gets no call for a while: it may be overloaded, and
 * strangers can cause calls.
 */
export function pausingFetch(client: HttpClient, issuer: string): ReturnType<typeof providerFetch> {
  const entry = entryOf(client, issuer);
  const send = providerFetch(client);
  return async (url, options) => {
    const { silence } = entry;
    if (silence !== null && now() - silence.at < AFTER_FAILURE_MS) {
      throw new SignInTrouble("down", `no call was made after a failure: ${silence.trouble.detail}`);
    }
    try {
      const response = await send(url, options);
      entry.silence = null;
      return response;
    } catch (error) {
      const trouble = troubleOf(error, "down");
      if (trouble.reason === "down") entry.silence = { at: now(), trouble };
      throw error;
    }
  };
}

function entryOf(client: HttpClient, issuer: string): Entry {
  return known
    .getOrInsertComputed(client, () => new BoundedMap(MOST_PROVIDERS))
    .getOrInsertComputed(issuer, () => ({
      provider: null,
      readAt: 0,
      failure: null,
      reading: null,
      keysReadAt: 0,
      silence: null,
    }));
}
