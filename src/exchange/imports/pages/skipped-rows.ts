import type { Deps } from "../../../kit/deps.ts";
import { namedTable } from "../../../kit/tables/rows.ts";
import { inInput } from "../../../kit/web/forms/field.ts";
import { labelledSelect } from "../../../kit/web/forms/select.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import { wholeNumber, type Language } from "../../../kit/web/language.ts";
import { INVOICE_NUMBER, TEXT } from "../../../orders/payments/payment.ts";
import { UndecryptableValue } from "../../../platform/encryption/keyring.ts";
import type { TenantId } from "../../../platform/postgres/tenant-id.ts";
import { isWithin } from "../../../platform/text.ts";
import { columnLabeller } from "../columns/column-labels.ts";
import { readCells, type CellsByLine } from "../import-file-queries.ts";
import type { Import } from "../import-queries.ts";
import type { Rejection } from "../kind.ts";
import type { ImportReason } from "../reasons.ts";
import { rejectionIn } from "./import-messages.ts";
import { importWords } from "./import-words.ts";

/** Columns of a skipped row on the page, and characters of a cell. A longer one is corrected in the file. */
const MOST_COLUMNS = 40;
const MOST_CHARACTERS = 1_000;

/** A skipped row: its line, the whole reason, and its cells. Those that are wrong are fields. */
export function skippedRows(
  language: Language,
  of: Import,
  rejections: readonly Rejection[],
  file: { cells: CellsByLine; fields: readonly string[] } | null,
): Html {
  const words = importWords[language];
  const label = columnLabeller(of, language);
  return namedTable("list skipped", rejections, [
    ["line", words.line, ({ line }) => wholeNumber(language, line)],
    ["why", words.why, (rejection) => html`${rejectionIn(language, of, rejection)}`],
    file !== null && ["cells", words.cells, (rejection) => cellsOf(language, label, rejection, file)],
  ]);
}

/** @param fields the field of each column; empty for one that is not imported */
function cellsOf(
  language: Language,
  labelOf: (name: string) => string,
  { line, errors, row }: Rejection,
  { cells, fields }: { cells: CellsByLine; fields: readonly string[] },
): Html | null {
  const found = cells[line];
  if (found === undefined) return null;
  const shown = fields.flatMap((field, index) => (field === "" ? [] : [{ field, index }])).slice(0, MOST_COLUMNS);
  const inputs: Html[] = [];
  const others: string[] = [];
  for (const { field, index } of shown) {
    const value = found[index] ?? "";
    const label = labelOf(field);
    const isWhole = row !== undefined && Object.keys(errors).length === 0;
    if (row?.code === "severalInvoices" && field !== INVOICE_NUMBER) {
      if (field === TEXT) inputs.push(choiceOf(row, { name: `cell.${line}.${index}`, label, value }, language));
      else if (value !== "") others.push(`${label}: ${value.slice(0, 80)}`);
      continue;
    }
    const isWrong = Object.hasOwn(errors, field) || (isWhole && (row.code !== "total" || value !== ""));
    if (isWrong && isWithin(value, MOST_CHARACTERS)) {
      inputs.push(html`<label>${label} <input name="cell.${line}.${index}" value="${inInput(value)}"></label>`);
    } else if (value !== "") others.push(`${label}: ${value.slice(0, 80)}`);
  }
  return html`${inputs.length > 0 && html`<div>${inputs}</div>`}${others.length > 0 && html`<small>${others.join(" · ")}</small>`}`;
}

/** The invoices that a transfer may pay, and all of them: the choice becomes the text of the row. */
function choiceOf(
  { numbers, split }: Extract<ImportReason, { code: "severalInvoices" }>,
  { name, label, value }: { name: string; label: string; value: string },
  language: Language,
): Html {
  const words = importWords[language];
  const choices = [
    { value, label: words.chooseInvoice },
    ...numbers.map((number) => ({ value: number, label: number })),
    ...(split === "" ? [] : [{ value: split, label: words.oldestFirst(split) }]),
  ];
  return html`${labelledSelect(words.pays, name, value, choices)}<small>${label}: ${value.slice(0, 200)}</small>`;
}

/** The stored cells of skipped rows; none if they cannot be decrypted any more. */
export async function skippedCells(deps: Deps, tenant: TenantId, id: string): Promise<CellsByLine> {
  try {
    return await readCells(tenant, deps, id, "skipped");
  } catch (error) {
    if (error instanceof UndecryptableValue) return {};
    throw error;
  }
}
