import { stringify } from "csv-stringify/sync";
import type { Store } from "../../kit/deps.ts";
import { isoTimestamp } from "../../platform/dates.ts";
import type { Secrets } from "../../platform/encryption/keyring.ts";
import type { ExportedRows } from "../../platform/fields/exports.ts";
import type { Field } from "../../platform/fields/fields.ts";
import { readNamed } from "../../platform/postgres/query.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import type { Kind } from "./kind.ts";
import { COMPANY_ID, COMPANY_TAX_ID } from "./reading/header.ts";

/**
 * Rows per page; fewer if their texts are long (platform/fields/long-texts.ts). Formatting a page blocks the event
 * loop. An export of 100,000 companies takes as long with 500 rows per page.
 */
const PAGE_ROWS = 100;

/**
 * Exports the live rows of a kind as CSV (docs/csv.md 6), page by page: the id, the columns that name the
 * company, and every field that an import reads. Values are not escaped, so a spreadsheet may read some as formulas.
 * Rows are sorted by ascending id, so rows inserted during the export do not shift others.
 * @param rows selects some rows instead of all
 */
export async function* exportCsv(
  { database, keyring }: Store,
  tenant: TenantId,
  { bulk, ofCompany, idColumn }: Kind,
  rows: ExportedRows = { page: bulk.page, values: {} },
): AsyncGenerator<string> {
  const named = ofCompany ? [idColumn, COMPANY_ID, COMPANY_TAX_ID] : [idColumn];
  const secrets = { keyring, tenant };
  const writers = bulk.fields.map((field) => writerOf(bulk.table, field, secrets));
  yield toCsv([[...named, ...bulk.fields.map(({ name }) => name)]]);
  for (let after = "0"; ;) {
    const values = { ...rows.values, after, limit: PAGE_ROWS };
    const page = await readNamed(tenant, database.slow, rows.page, values);
    yield toCsv(
      page.map((row) =>
        row.map((value, index) => (value === null ? "" : (writers[index - named.length]?.(value) ?? value))),
      ),
    );
    // A page with long texts may be short, so a short page is not the end.
    const last = page.at(-1)?.[0];
    if (last == null) return;
    after = last;
  }
}

function writerOf(
  table: string,
  { name, kind, encrypted }: Field,
  { keyring, tenant }: Secrets,
): (value: string) => string {
  if (encrypted) return (value) => keyring.reveal(tenant, `${table}.${name}`, value) ?? "";
  if (kind === "boolean") return (value) => (value === "t" ? "true" : "false");
  if (kind === "timestamp") return isoTimestamp;
  return (value) => value;
}

export function toCsv(rows: string[][]): string {
  // By default csv-stringify quotes CR LF, but not a single CR or LF.
  return stringify(rows, { record_delimiter: "windows", quoted_match: /[\r\n]/ });
}
