import { setImmediate } from "node:timers/promises";
import type { Deps } from "../../deps.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import type { Rest } from "./csv-reader.ts";

/** Milliseconds for 2^20 units of a reader's work, with what is made of the rows. */
const MEGABYTE_MS = 20;

/** A tenant's files are read in its turns at the event loop, and whoever is alone lets what has arrived come in between. */
export function turnsOf({ sharing }: Pick<Deps, "sharing">, tenant: TenantId): Rest {
  return async (work) => await (sharing.time.take(tenant, (MEGABYTE_MS * work) / 2 ** 20) ?? setImmediate());
}
