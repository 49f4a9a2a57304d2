import { customTableOf } from "../../customers/custom-fields/defined-fields.ts";
import type { Store } from "../../kit/deps.ts";
import { cellOfDay, cellOfNumber, type Cell } from "../../kit/files/cells.ts";
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
 * The live rows of a kind, page by page (docs/csv.md 6): the id, the columns that name the company, and every field
 * that an import reads, those of the workspace last. Rows are sorted by ascending id, so rows inserted during the
 * export do not shift others. The first batch is the header.
 * @param rows selects some rows instead of all
 * @param onRows receives the number of rows of each page
 */
export async function* exportRows(
  { database, keyring }: Store,
  tenant: TenantId,
  { bulk, ofCompany, idColumn }: Kind,
  rows: ExportedRows = { page: bulk.page, values: {} },
  onRows: (count: number) => void = () => {},
): AsyncGenerator<Cell[][]> {
  const custom = await customTableOf(tenant, database, bulk);
  const fields = [...bulk.fields, ...custom.fields];
  const header = exportHeader({ bulk: { ...bulk, fields }, ofCompany, idColumn });
  const named = header.length - fields.length;
  const secrets = { keyring, tenant };
  const writers = bulk.fields.map((field) => writerOf(bulk.table, field, secrets));
  const width = named + bulk.fields.length;
  const cellsOf = (row: Row) => {
    const values = custom.fields.length === 0 ? {} : customValues(custom, row[width] ?? null);
    return [
      ...row.slice(0, width).map((value, at) => (value === null ? "" : (writers[at - named]?.(value) ?? value))),
      ...custom.fields.map(({ name, kind }) => writtenAs(kind, values[name] ?? "")),
    ];
  };
  yield [header];
  for (let after = "0"; ;) {
    const values = { ...rows.values, after, limit: PAGE_ROWS };
    const page = await readNamed(tenant, database.slow, rows.page, values);
    onRows(page.length);
    yield page.map(cellsOf);
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
): (value: string) => Cell {
  if (encrypted) return (value) => keyring.reveal(tenant, `${table}.${name}`, value) ?? "";
  if (kind === "boolean") return (value) => (value === "t" ? "true" : "false");
  if (kind === "timestamp") return isoTimestamp;
  return (value) => writtenAs(kind, value);
}

function writtenAs(kind: Field["kind"], value: string): Cell {
  if (kind === "date") return cellOfDay(value);
  return kind === "decimal" || kind === "integer" ? cellOfNumber(value) : value;
}
