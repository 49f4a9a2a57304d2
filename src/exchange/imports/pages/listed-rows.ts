import { namedTable, type RowColumn } from "../../../kit/tables/rows.ts";
import { html, type Content, type Html } from "../../../kit/web/html.ts";
import { wholeNumber } from "../../../kit/web/language.ts";
import { rowsWithinRoom } from "../../../kit/web/page-room.ts";
import type { PageRequest } from "../../../kit/web/page.ts";
import type { ListedRow } from "../checking/listed-rows.ts";
import { columnLabeller } from "../columns/column-labels.ts";
import type { Import } from "../import-queries.ts";
import { wholeKind } from "../kinds.ts";
import { fileFields } from "../reading/header.ts";
import { alikeCell } from "./alike-rows.ts";
import { readValue } from "./changed-rows.ts";
import { decisionWords } from "./decision-words.ts";
import { importWords } from "./import-words.ts";
import { resourceLink } from "./resource-link.ts";

/** Rows per page, and the fields that have a column; the others stand together in the last one. */
const SHOWN = 50;
const MOST_COLUMNS = 4;

type Listed = { rows: readonly ListedRow[]; all: number; outcome: "create" | "same" };

/** Rows of the file as they were read, page by page. */
export function listedRows({ language, query }: PageRequest, found: Import, { rows, all, outcome }: Listed): Html {
  const words = importWords[language];
  const { id } = found;
  const kind = wholeKind(found);
  const from = Number(/^\d{1,4}$/.exec(query.get("from") ?? "")?.[0] ?? 0);
  const label = columnLabeller(found, language);
  const shown = rowsWithinRoom(rows.slice(from, from + SHOWN), ({ fields }) =>
    fields.flatMap(([name, value]) => [label(name), value]),
  );
  const { table: noun } = kind.bulk;
  const used = new Set(rows.flatMap((row) => row.fields.map(([name]) => name)));
  const fields = fileFields(kind).filter(({ name }) => used.has(name));
  const [own, others] = [fields.slice(0, MOST_COLUMNS), fields.slice(MOST_COLUMNS)];
  const value = ({ fields: of }: ListedRow, field: (typeof fields)[number]): Content => {
    const read = of.find(([name]) => name === field.name);
    const [, currency] = of.find(([name]) => name === "currency") ?? [];
    return read === undefined ? "" : readValue(noun, field, read[1], { language, currency });
  };
  const rest = (row: ListedRow) => {
    const values = others.filter(({ name }) => hasField(row, name));
    return values.map((field) => `${label(field.name)}: ${String(value(row, field))}`).join(" · ");
  };
  const columns = own.map((field, index): RowColumn<ListedRow> => {
    const linked = (row: ListedRow) => {
      const text = value(row, field);
      return row.id === null ? text : resourceLink(noun, row.id, String(text) || null, language);
    };
    return index === 0
      ? ["name", label(field.name), linked]
      : ["labelled", label(field.name), (row) => value(row, field)];
  });
  const page = (at: number, word: string) =>
    html`<a class="button" href="/imports/${id}?rows=${outcome}&amp;from=${at}">${word}</a>`;
  const next = from + shown.length;
  return html`${namedTable("list foreseen", shown, [
    ["number", words.line, ({ line }) => wholeNumber(language, line)],
    ...columns,
    rows.some(({ alike }) => alike !== undefined) && [
      "text",
      decisionWords[language].looksLike,
      ({ alike }) => alike !== undefined && alikeCell(language, alike),
    ],
    others.length > 0 && ["text", words.otherFields, (row) => html`<small>${rest(row)}</small>`],
  ])}
${rows.length < all && html`<p class="hint">${words.rejectedMore(wholeNumber(language, rows.length), wholeNumber(language, all))}</p>`}
${(from > 0 || next < rows.length) && html`<p class="actions">${from > 0 && page(0, words.changesFirst)}${next < rows.length && page(next, words.changesNext)}</p>`}`;
}

function hasField({ fields }: ListedRow, field: string): boolean {
  return fields.some(([name]) => name === field);
}
