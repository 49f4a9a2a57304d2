import type { Store } from "../../kit/deps.ts";
import { apiText } from "../../kit/files/cells.ts";
import { toCsv } from "../../kit/files/csv-text.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import type { Kind } from "../imports/kind.ts";
import { exportRows } from "./export-rows.ts";

/** The CSV of `liaison export`: the live rows of a kind, with values as the API has them, and not escaped. */
export async function* exportCsv(store: Store, tenant: TenantId, kind: Kind): AsyncGenerator<string> {
  for await (const rows of exportRows(store, tenant, kind)) yield toCsv(rows.map((cells) => cells.map(apiText)));
}
