import { setImmediate } from "node:timers/promises";
import type { Deps } from "../../deps.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { PRICES } from "../../platform/sharing/prices.ts";
import type { Rest } from "./csv-reader.ts";

/** A tenant's files are stored and read in its turns at the event loop, and whoever is alone lets what has arrived come in between. */
export function turnsOf({ sharing }: Pick<Deps, "sharing">, tenant: TenantId): Rest {
  return async (work) =>
    await (sharing.time.take(tenant, (PRICES.megabyteOfImport * work) / 2 ** 20) ?? setImmediate());
}
