import { BoundedMap } from "../../platform/bounded-map.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { gathering } from "../../platform/sharing/gather.ts";
import { findTenants, type Tenant } from "../tenants/tenant-queries.ts";
import { findKeysByHash, type KeyRights } from "./api-key-queries.ts";

/** The look-ups of one authentication. */
export type KeyFinder = {
  tenantOf(slug: string): Promise<Tenant | undefined>;
  /** @param hash in hexadecimal */
  keyOf(tenant: TenantId, hash: string): Promise<KeyRights | undefined>;
};

/** The look-ups that may wait for the next statement of a kind; more would wait longer than clients do. */
export const MOST_WAITING = 5_000;
const REMEMBERED_TENANTS = 1_000;

/**
 * Looks tenants and keys up, those of many requests by one statement: guesses by the thousand cost the database as
 * little as one.
 * @param pauseMs between two statements of a kind
 */
export function createKeyFinder(database: Database, pauseMs: number): KeyFinder {
  const bounds = { pauseMs, atMost: MOST_WAITING };
  const tenants = gathering({ ask: async (slugs) => await findTenants(database, slugs), ...bounds });
  const keysOf = new BoundedMap<(hash: string) => Promise<KeyRights | undefined>>(REMEMBERED_TENANTS);

  return {
    tenantOf: async (slug) => await tenants(slug),
    async keyOf(tenant, hash) {
      const ask = async (hashes: string[]) =>
        await findKeysByHash(
          tenant,
          database,
          hashes.map((each) => `\\x${each}`),
        );
      return await keysOf.getOrInsertComputed(tenant, () => gathering({ ask, ...bounds }))(hash);
    },
  };
}
