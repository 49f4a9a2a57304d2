import { BoundedMap } from "../platform/bounded-map.ts";
import { now } from "../platform/clock.ts";
import type { Database } from "../platform/postgres/database.ts";
import { isoTimestamp } from "../platform/dates.ts";
import { errors } from "../errors.ts";
import type { Logger } from "../platform/logger.ts";
import { isInNetworks, parseNetworks } from "../platform/network.ts";
import { isStorable } from "../platform/text.ts";
import { findTenant } from "../tenants/tenant-queries.ts";
import { findKeyByHash, recordKeyUse } from "./api-key-queries.ts";
import { withImplied } from "./capability.ts";
import { hashKey, isWellFormedKey } from "./key-format.ts";
import type { Principal } from "./principal.ts";

export type Authenticator = {
  /**
   * The principal of an Authorization header; throws the failures of docs/contract.md 2.2 in their order.
   * @param addressOf the caller, asked for only where the key has an allow-list
   */
  authenticate(authorization: string | undefined, addressOf: () => string): Promise<Principal>;
  /** Forgets every key: something about one of them changed. */
  forget(): void;
};

/** The meaning of a header. Only headers with a real key are remembered. */
type Access = {
  principal: Principal;
  isRevoked: boolean;
  isSuspended: boolean;
  /** Milliseconds since the epoch; Infinity: never. */
  expiresAt: number;
  /** When the database said so. */
  readAt: number;
};

/**
 * A change is announced; this bounds how long a process that missed the announcement goes on
 * (docs/contract.md 2.6: 5 s).
 */
const MEMORY_MS = 3_000;
const MEMORY_SIZE = 10_000;
/** More than the longest slug and key have; a header padded with blanks must not fill the memory. */
const LONGEST_REMEMBERED = 200;
/** A little more than the minute that the database insists on, or every other write would come a moment early. */
const USE_RECORDED_EVERY_MS = 61_000;

export function createAuthenticator(database: Database, logger: Logger): Authenticator {
  let memory = new BoundedMap<Access>(MEMORY_SIZE);
  const lastRecorded = new BoundedMap<number>(MEMORY_SIZE);

  async function accessOf(authorization: string): Promise<Access> {
    const remembered = memory.get(authorization);
    if (remembered !== undefined && now() - remembered.readAt < MEMORY_MS) return remembered;
    // A change announced during the look-up must not be overwritten by its result: that goes into the map of before.
    const memoryBefore = memory;
    const access = await lookUpAccess(database, authorization);
    if (authorization.length > LONGEST_REMEMBERED) return access;
    memoryBefore.set(authorization, access);
    return access;
  }

  function recordUse({ actor: { tenant }, keyId }: Principal): void {
    const name = `${tenant}/${keyId}`;
    const time = now();
    if (time - (lastRecorded.get(name) ?? 0) < USE_RECORDED_EVERY_MS) return;
    lastRecorded.set(name, time);
    recordKeyUse(tenant, database, keyId).catch((error: unknown) => {
      logger.warn({ err: error }, "the use of an API key could not be recorded");
    });
  }

  return {
    async authenticate(authorization, addressOf) {
      if (authorization === undefined) throw errors.keyMissing();
      const { principal, isRevoked, isSuspended, expiresAt } = await accessOf(authorization);
      if (isRevoked || expiresAt <= now()) throw errors.keyInactive();
      if (isSuspended) throw errors.tenantSuspended();
      const { allowedNetworks } = principal;
      if (allowedNetworks.length > 0 && !isInNetworks(addressOf(), allowedNetworks)) throw errors.addressNotAllowed();
      recordUse(principal);
      return principal;
    },
    forget() {
      memory = new BoundedMap(MEMORY_SIZE);
    },
  };
}

async function lookUpAccess(database: Database, authorization: string): Promise<Access> {
  const token = /^bearer\s+(\S.*)$/i.exec(authorization.trim())?.[1];
  if (token === undefined) throw errors.keyMissing();
  const dot = token.indexOf(".");
  const slug = token.slice(0, dot);
  const secret = token.slice(dot + 1);
  if (dot < 1 || secret === "") throw errors.keyFormatInvalid();
  const tenant = isStorable(slug) ? await findTenant(database, slug) : null;
  if (tenant === null) throw errors.tenantUnknown();
  const key = isWellFormedKey(secret) ? await findKeyByHash(tenant.id, database, hashKey(secret)) : null;
  if (key === null) throw errors.keyUnknown();
  return {
    principal: {
      actor: { tenant: tenant.id, country: tenant.country, by: { kind: "key", id: key.id } },
      keyId: key.id,
      capabilities: withImplied(key.capabilities),
      rate: key.rate,
      allowedNetworks: parseNetworks(key.allowIp.join(",")),
    },
    isRevoked: key.isRevoked,
    isSuspended: tenant.suspendedAt !== null,
    expiresAt: key.expiresAt === null ? Infinity : Date.parse(isoTimestamp(key.expiresAt)),
    readAt: now(),
  };
}
