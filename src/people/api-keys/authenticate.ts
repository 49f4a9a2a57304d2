import { errors } from "../../kit/errors.ts";
import { BoundedMap } from "../../platform/bounded-map.ts";
import { now } from "../../platform/clock.ts";
import { isoTimestamp } from "../../platform/dates.ts";
import type { Logger } from "../../platform/logger.ts";
import { isInNetworks, parseNetworks } from "../../platform/network.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { backgroundCaller } from "../../platform/sharing/caller.ts";
import { isSlug } from "../tenants/tenant.ts";
import { recordCapabilityUse, recordKeyUse } from "./api-key-queries.ts";
import { bearerToken } from "./bearer-token.ts";
import { withImplied, type Capability } from "./capability.ts";
import { createRequestCounts } from "./count-requests.ts";
import { createKeyFinder, type KeyFinder } from "./find-key.ts";
import { hashKey, isWellFormedKey } from "./key-format.ts";
import type { Principal } from "./principal.ts";

export type Authenticator = {
  /** The principal of an Authorization header; throws the failures of docs/contract.md 2.2 in their order. */
  authenticate(authorization: string | undefined, bearer: Bearer): Promise<Principal>;
  /** The same for a request that was admitted before and continues: it counts as no further use of its key. */
  authenticateAgain(authorization: string | undefined, bearer: Bearer): Promise<Principal>;
  /** Notes that a request of a key used one of its capabilities. */
  noteUse(principal: Principal, capability: Capability): void;
  /** Forgets every key: something about one of them changed. */
  forget(): void;
  /** Stores the counts that are only in memory. */
  close(): void;
};

/** The client that presents a token. */
export type Bearer = {
  /** Called only if the key has an allow-list, or its use has to be recorded. */
  address: () => string;
  /** Whether the address has failed too often, so that the next token is likely a guess (docs/contract.md 2.8). */
  isGuessing: () => boolean;
};

/** The meaning of a token. Only those with a real key are remembered. */
type Access = {
  principal: Principal;
  isRevoked: boolean;
  isSuspended: boolean;
  /** Milliseconds since the epoch; Infinity: never. */
  expiresAt: number;
  /** The beginning of the look-up: a change since then may not be in it. */
  readAt: number;
};

/**
 * A change is announced; this bounds how long a process that missed the announcement goes on
 * (docs/contract.md 2.6: 5 s).
 */
const MEMORY_MS = 3_000;
const MEMORY_SIZE = 10_000;
/** Slightly more than the minute that the statement checks: otherwise every second write would be too early. */
const USE_RECORDED_EVERY_MS = 61_000;
/** The same for a capability and an hour. */
const CAPABILITY_RECORDED_EVERY_MS = 3_601_000;
/** Guesses are looked up together, ten times a second, however many there are. */
export const GUESSES_EVERY_MS = 100;

export function createAuthenticator(shared: Database, logger: Logger): Authenticator {
  // One look-up is made for the keys of many.
  const database = shared.forCaller(backgroundCaller("keys"));
  let memory = new BoundedMap<Access>(MEMORY_SIZE);
  const lastRecorded = new BoundedMap<number>(6 * MEMORY_SIZE);
  const counts = createRequestCounts(database, logger);
  const finder = createKeyFinder(database, 0);
  const finderOfGuesses = createKeyFinder(database, GUESSES_EVERY_MS);

  async function readAccess(token: string, remembered: Access | undefined, isGuessing: () => boolean): Promise<Access> {
    // A change announced during the look-up must not be overwritten by its result: that goes into the map of before.
    const memoryBefore = memory;
    // A key that was valid a moment ago is no guess, even if others guess from its address.
    const isGuess = remembered === undefined && isGuessing();
    const access = await lookUpAccess(isGuess ? finderOfGuesses : finder, token);
    memoryBefore.set(token, access);
    return access;
  }

  function record(name: string, everyMs: number, work: () => Promise<void>): void {
    const time = now();
    if (time - (lastRecorded.get(name) ?? 0) < everyMs) return;
    lastRecorded.set(name, time);
    work().catch((error: unknown) => {
      logger.warn({ err: error }, "the use of an API key could not be recorded");
    });
  }

  function recordUse({ actor: { tenant }, keyId }: Principal, address: () => string): void {
    record(`${tenant}/${keyId}`, USE_RECORDED_EVERY_MS, async () => {
      await recordKeyUse(tenant, database, keyId, address());
    });
  }

  async function admit(authorization: string | undefined, { address, isGuessing }: Bearer): Promise<Principal> {
    const token = bearerToken(authorization);
    if (token === null) throw errors.keyMissing();
    const remembered = memory.get(token);
    const isFresh = remembered !== undefined && now() - remembered.readAt < MEMORY_MS;
    const access = isFresh ? remembered : await readAccess(token, remembered, isGuessing);
    const { principal, isRevoked, isSuspended, expiresAt } = access;
    if (isRevoked || expiresAt <= now()) throw errors.keyInactive();
    if (isSuspended) throw errors.tenantSuspended();
    const { allowedNetworks } = principal;
    if (allowedNetworks.length > 0 && !isInNetworks(address(), allowedNetworks)) throw errors.addressNotAllowed();
    return principal;
  }

  return {
    async authenticate(authorization, bearer) {
      const principal = await admit(authorization, bearer);
      recordUse(principal, bearer.address);
      counts.add(principal.actor.tenant, principal.keyId);
      return principal;
    },
    authenticateAgain: admit,
    noteUse({ actor: { tenant }, keyId }, capability) {
      record(`${tenant}/${keyId}/${capability}`, CAPABILITY_RECORDED_EVERY_MS, async () => {
        await recordCapabilityUse(tenant, database, keyId, capability);
      });
    },
    forget() {
      memory = new BoundedMap(MEMORY_SIZE);
    },
    close() {
      counts.close();
    },
  };
}

async function lookUpAccess(finder: KeyFinder, token: string): Promise<Access> {
  const readAt = now();
  const dot = token.indexOf(".");
  const slug = token.slice(0, dot);
  const secret = token.slice(dot + 1);
  if (dot < 1 || secret === "") throw errors.keyFormatInvalid();
  const tenant = isSlug(slug) ? await finder.tenantOf(slug) : undefined;
  if (tenant === undefined) throw errors.tenantUnknown();
  const key = isWellFormedKey(secret) ? await finder.keyOf(tenant.id, hashKey(secret).toString("hex")) : undefined;
  if (key === undefined) throw errors.keyUnknown();
  return {
    principal: {
      actor: { tenant: tenant.id, country: tenant.country, by: { kind: "key", id: key.id } },
      keyId: key.id,
      capabilities: withImplied(key.capabilities),
      rate: key.rate,
      allowedNetworks: parseNetworks(key.allowIp.join(",")),
      confirmsOnPage: key.confirmsOnPage,
    },
    isRevoked: key.isRevoked,
    isSuspended: tenant.suspendedAt !== null,
    expiresAt: key.expiresAt === null ? Infinity : Date.parse(isoTimestamp(key.expiresAt)),
    readAt,
  };
}
