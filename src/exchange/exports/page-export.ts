import type { Deps } from "../../kit/deps.ts";
import { fileOf } from "../../kit/files/report-file.ts";
import type { Downloaded, Page, PageRequest } from "../../kit/web/page.ts";
import type { ExportedRows } from "../../platform/fields/exports.ts";
import { kindOf } from "../imports/kinds.ts";
import { exportRows } from "./export-rows.ts";

/** The rows of an export that are found when it is read; undefined: all of the kind. */
type FoundRows = () => Promise<ExportedRows | undefined>;

/** A file with rows of a kind, for a person who may export. Throws mayNotExport. */
export function exportFile(deps: Deps, request: PageRequest, kind: string, find?: FoundRows): Downloaded {
  const { tenant } = request.actor;
  return fileOf(deps, request, kind, async function* (onRows) {
    yield* exportRows(deps, tenant, kindOf(kind), await find?.(), onRows);
  });
}

/** GET /export/{kind}.csv: all rows of a kind, as an import reads them. */
export function exportPage(kind: string): Page {
  return async (deps, request) => exportFile(deps, request, kind);
}
