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
   * The principal of an Authorization header; throws the failures of the specification's table in its order (5.2).
   * @param addressOf the caller, asked for only where the key has an allow-list
   */
  authenticate(authorization: string | undefined, addressOf: () => string): Promise<Principal>;
  /** Forgets what is known of every key: something about one of them changed. */
  forget(): void;
};

/** What a header was found to mean. Only headers with a real key are remembered. */
type Known = {
  principal: Principal;
  isRevoked: boolean;
  isSuspended: boolean;
  /** Milliseconds since the epoch; Infinity: never. */
  expiresAt: number;
  readAt: number;
};

/** A change is announced; this bounds how long a process that missed the announcement goes on (decisions 7: 5 s). */
const MEMORY_MS = 3_000;
const MEMORY_SIZE = 10_000;
/** More than the longest slug and key have; a header padded with blanks must not fill the memory. */
const LONGEST_REMEMBERED = 200;
/** A little more than the minute that the database insists on, or every other write would come a moment early. */
const USE_RECORDED_EVERY_MS = 61_000;

export function createAuthenticator(database: Database, logger: Logger): Authenticator {
  let known = new BoundedMap<Known>(MEMORY_SIZE);
  const lastRecorded = new BoundedMap<number>(MEMORY_SIZE);

  async function look(authorization: string): Promise<Known> {
    const remembered = known.get(authorization);
    if (remembered !== undefined && now() - remembered.readAt < MEMORY_MS) return remembered;
    // A change announced while we read must not be overwritten by what we read: keep to the map we began with.
    const memory = known;
    const found = await readKey(database, authorization);
    if (authorization.length > LONGEST_REMEMBERED) return found;
    memory.set(authorization, found);
    return found;
  }

  function recordUse({ actor: { tenant }, keyId }: Principal): void {
    const key = `${tenant}/${keyId}`;
    const time = now();
    if (time - (lastRecorded.get(key) ?? 0) < USE_RECORDED_EVERY_MS) return;
    lastRecorded.set(key, time);
    recordKeyUse(tenant, database, keyId).catch((error: unknown) => {
      logger.warn({ err: error }, "the use of an API key could not be recorded");
    });
  }

  return {
    async authenticate(authorization, addressOf) {
      if (authorization === undefined) throw errors.keyMissing();
      const { principal, isRevoked, isSuspended, expiresAt } = await look(authorization);
      if (isRevoked || expiresAt <= now()) throw errors.keyInactive();
      if (isSuspended) throw errors.tenantSuspended();
      const { allowedNetworks } = principal;
      if (allowedNetworks.length > 0 && !isInNetworks(addressOf(), allowedNetworks)) throw errors.addressNotAllowed();
      recordUse(principal);
      return principal;
    },
    forget() {
      known = new BoundedMap(MEMORY_SIZE);
    },
  };
}

async function readKey(database: Database, authorization: string): Promise<Known> {
  const token = /^bearer\s+(\S.*)$/i.exec(authorization.trim())?.[1];
  if (token === undefined) throw errors.keyMissing();
  const dot = token.indexOf(".");
  const slug = token.slice(0, dot);
  const key = token.slice(dot + 1);
  if (dot < 1 || key === "") throw errors.keyFormatInvalid();
  const tenant = isStorable(slug) ? await findTenant(database, slug) : null;
  if (tenant === null) throw errors.tenantUnknown();
  const row = isWellFormedKey(key) ? await findKeyByHash(tenant.id, database, hashKey(key)) : null;
  if (row === null) throw errors.keyUnknown();

  const [id, capabilities, expiresAt = null, allowIp, rate = null, isRevoked] = row;
  return {
    principal: {
      actor: { tenant: tenant.id, country: tenant.country, by: { kind: "key", id: String(id) } },
      keyId: String(id),
      capabilities: withImplied(JSON.parse(String(capabilities)) as string[]),
      rate: rate === null ? null : Number(rate),
      allowedNetworks: parseNetworks((JSON.parse(String(allowIp)) as string[]).join(",")),
    },
    isRevoked: isRevoked === "t",
    isSuspended: tenant.suspendedAt !== null,
    expiresAt: expiresAt === null ? Infinity : Date.parse(isoTimestamp(expiresAt)),
    readAt: now(),
  };
}
