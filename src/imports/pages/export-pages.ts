import type { Page } from "../../web/page.ts";
import { exportCsv } from "../export-csv.ts";
import { kindOf } from "../kinds.ts";

const CSV = "text/csv; charset=utf-8";

/** GET /export/{kind}.csv: all rows of a kind, as an import reads them. */
export function exportPage(kind: string): Page {
  return async (deps, { actor }) => ({
    file: `${kind}.csv`,
    contentType: CSV,
    body: exportCsv(deps, actor.tenant, kindOf(kind)),
  });
}
