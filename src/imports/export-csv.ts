import { stringify } from "csv-stringify/sync";
import type { ExportedRows } from "../companies/company-export-queries.ts";
import type { Store } from "../deps.ts";
import { isoTimestamp } from "../platform/dates.ts";
import type { Secrets } from "../platform/encryption/keyring.ts";
import type { Field } from "../platform/fields/fields.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";
import type { Kind } from "./kind.ts";
import { COMPANY_ID, COMPANY_TAX_ID } from "./reading/header.ts";

/**
 * Fewer where their texts are long (platform/fields/long-texts.ts). A page is made at one go, while the event loop answers nobody else; an
 * export of 100,000 companies takes as long with 500 rows in each.
 */
const PAGE_ROWS = 100;

/**
 * The live rows of a kind as CSV (docs/operations.md 4.6), a page at a time: the id, the columns that name the company,
 * and every field that an import reads. Values are as they are: a spreadsheet may take some for formulas. Rows come by
 * ascending id, so those that are inserted meanwhile shift none.
 * @param rows fewer than all: their pages, and the parameters behind those of `bulk.page`
 */
export async function* exportCsv(
  { database, keyring }: Store,
  tenant: TenantId,
  { bulk, ofCompany, idColumn }: Kind,
  rows: ExportedRows = { page: bulk.page, parameters: [] },
): AsyncGenerator<string> {
  const named = ofCompany ? [idColumn, COMPANY_ID, COMPANY_TAX_ID] : [idColumn];
  const secrets = { keyring, tenant };
  const writers = bulk.fields.map((field) => writerOf(bulk.table, field, secrets));
  yield toCsv([[...named, ...bulk.fields.map(({ name }) => name)]]);
  for (let after = "0"; ;) {
    const page = await database.slow.read(tenant, rows.page, [after, PAGE_ROWS, ...rows.parameters]);
    yield toCsv(
      page.map((row) =>
        row.map((value, index) => (value === null ? "" : (writers[index - named.length]?.(value) ?? value))),
      ),
    );
    // A page may be short because its texts are long.
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
  // csv-stringify quotes a CR LF but neither of the two alone, unless told.
  return stringify(rows, { record_delimiter: "windows", quoted_match: /[\r\n]/ });
}
