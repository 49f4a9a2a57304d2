import { customTableOf } from "../../customers/custom-fields/defined-fields.ts";
import type { Store } from "../../kit/deps.ts";
import { toCsv, toSpreadsheet } from "../../kit/files/csv-text.ts";
import { writtenNumber } from "../../kit/web/assets/numbers.js";
import type { Language } from "../../kit/web/language.ts";
import { isoTimestamp } from "../../platform/dates.ts";
import type { Secrets } from "../../platform/encryption/keyring.ts";
import { customValues } from "../../platform/fields/custom.ts";
import type { ExportedRows } from "../../platform/fields/exports.ts";
import type { Field } from "../../platform/fields/fields.ts";
import { readNamed } from "../../platform/postgres/query.ts";
import type { Row } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import type { Kind } from "../imports/kind.ts";
import { exportHeader } from "../imports/reading/header.ts";

/**
 * Rows per page; fewer if their texts are long (platform/fields/long-texts.ts). Formatting a page blocks the event
 * loop. An export of 100,000 companies takes as long with 500 rows per page.
 */
const PAGE_ROWS = 100;

/**
 * Exports the live rows of a kind as CSV (docs/csv.md 6), page by page: the id, the columns that name the company, and
 * every field that an import reads, those of the workspace last. Without a language values are not escaped, for machines. Rows are sorted by ascending
 * id, so rows inserted during the export do not shift others.
 * @param rows selects some rows instead of all
 * @param language the language of a person, whose spreadsheet opens the file; null for machines
 * @param onRows receives the number of rows of each page
 */
export async function* exportCsv(
  { database, keyring }: Store,
  tenant: TenantId,
  { bulk, ofCompany, idColumn }: Kind,
  rows: ExportedRows = { page: bulk.page, values: {} },
  language: Language | null = null,
  onRows: (count: number) => void = () => {},
): AsyncGenerator<string> {
  const text = (cells: string[][]) => (language === null ? toCsv(cells) : toSpreadsheet(cells, language));
  const custom = await customTableOf(tenant, database, bulk);
  const fields = [...bulk.fields, ...custom.fields];
  const header = exportHeader({ bulk: { ...bulk, fields }, ofCompany, idColumn });
  const named = header.length - fields.length;
  const secrets = { keyring, tenant };
  const writers = bulk.fields.map((field) => writerOf(bulk.table, field, secrets, language));
  const width = named + bulk.fields.length;
  const cellsOf = (row: Row) => {
    const values = custom.fields.length === 0 ? {} : customValues(custom, row[width] ?? null);
    return [
      ...row.slice(0, width).map((value, at) => (value === null ? "" : (writers[at - named]?.(value) ?? value))),
      ...custom.fields.map(({ name, kind }) => writtenAs(kind, values[name] ?? "", language)),
    ];
  };
  if (language !== null) yield "\ufeff";
  yield text([header]);
  for (let after = "0"; ;) {
    const values = { ...rows.values, after, limit: PAGE_ROWS };
    const page = await readNamed(tenant, database.slow, rows.page, values);
    onRows(page.length);
    yield text(page.map(cellsOf));
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
  language: Language | null,
): (value: string) => string {
  if (encrypted) return (value) => keyring.reveal(tenant, `${table}.${name}`, value) ?? "";
  if (kind === "boolean") return (value) => (value === "t" ? "true" : "false");
  if (kind === "timestamp") return isoTimestamp;
  return (value) => writtenAs(kind, value, language);
}

function writtenAs(kind: Field["kind"], value: string, language: Language | null): string {
  return kind === "decimal" && language !== null && value !== ""
    ? marked(value, writtenNumber(value, language))
    : value;
}

/** With a zero more than the number has, as it is written with one that would have two readings. */
function marked(value: string, written: string): string {
  return /^-?[1-9]\d{0,2}\.\d{3}0+$/.test(value) ? `${written}0` : written;
}
