import { setImmediate } from "node:timers/promises";
import type { Deps } from "../../../kit/deps.ts";
import type { TenantId } from "../../../platform/postgres/tenant-id.ts";
import { PRICES } from "../../../platform/sharing/prices.ts";
import type { Rest } from "./csv-reader.ts";

/**
 * Charges a tenant's event-loop time for storing and reading files. If the tenant need not wait, pending events still
 * run. Fails with Overloaded if the client hangs up while it waits.
 */
export function throttleOf({ sharing, database }: Pick<Deps, "sharing" | "database">, tenant: TenantId): Rest {
  return async (work) =>
    await (sharing.time.waitForTurn(tenant, (PRICES.megabyteOfImport * work) / 2 ** 20, database.caller) ??
      setImmediate());
}
