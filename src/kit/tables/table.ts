import { assets } from "../web/assets.ts";
import { html, type Html } from "../web/html.ts";
import { amount, summand, type Language } from "../web/language.ts";
import type { PageRequest } from "../web/page.ts";
import { sortHead } from "../web/sort-head.ts";
import { workbookHref } from "../web/workbook-href.ts";
import { sortIn, type Choices, type ListColumn, type ListedItems, type ListOf, type Money } from "./list.ts";
import { namedTable, type RowColumn } from "./rows.ts";
import { tableWords } from "./table-words.ts";

/** Outside the part of a page that follows the filters, where a script would not run. */
export const selectScript = html`<script type="module" src="${assets.pathOf("select.js")}"></script>`;

/** The rows of a page; if the list has a file, with what can be done with the selected ones. */
export function listTable<Item>(
  list: ListOf<Item>,
  columns: readonly ListColumn<Item>[],
  found: ListedItems<Item>,
  choices: Choices,
  request: PageRequest,
): Html {
  const { language, address } = request;
  const rows = rowsOf(list, columns, found, request);
  if (list.file === undefined) return rows;
  const words = tableWords[language];
  const { items, total, isCut } = found;
  const reached = isCut ? (list.reached?.(request, total) ?? null) : null;
  const { name } = list;
  const { role, mayExport } = request.session.user;
  const actions = (list.actions ?? []).filter(
    (action) => (action.for !== "admins" || role === "admin") && action.isOffered?.(choices) !== false,
  );
  const more = items.length < total || isCut;
  const { sums: ofAll = [], columnSums = [] } = found;
  const sums = sumsText(ofAll, language);
  const { labels } = list.words[language];
  const file = `/${name}/export`;
  const toFile =
    mayExport &&
    html`<button formaction="${file}">${words.exportSelected}</button><button formaction="${workbookHref(file)}">${words.asWorkbook}</button>`;
  return html`<form method="post" action="/${name}/${actions[0]?.path ?? "export"}" data-select>
<input type="hidden" name="to" value="${address}"><input type="hidden" name="rows" value="${items.length}">
<input type="hidden" name="matching" value="${request.query.othersThanPage}">
<label class="button choosing"><input type="checkbox">${words.choose}</label>${rows}
${sums !== "" && html`<div class="sums">${words.sum} ${sums}</div>`}
${columnSums.map(({ column, amounts, isMore }) => amounts.length > 0 && html`<div class="sums">${words.sumOf(labels[column] ?? "")} ${isMore && "≥ "}${sumsText(amounts, language)}</div>`)}
<fieldset class="bulk"><legend class="hidden">${words.bulk}</legend>
<span>${words.selected} <span data-selected></span>${list.sum !== undefined && html`<span data-sums></span>`}</span>
${more && html`<label class="all"><input type="checkbox" name="all" value="1" data-total="${total}${isCut && reached === null && "+"}"${sums !== "" && html` data-sums=" · ${sums}"`}> ${reached ?? words.selectAll(total, isCut)}</label>`}
${actions.map(
  ({ path, label, fields }, index) =>
    html`${fields?.(request, choices)}<button${index === 0 && html` class="main"`} formaction="/${name}/${path}">${label(language)}</button>`,
)}
${toFile}
</fieldset>
</form>`;
}

/** Sums by currency: `1,234.00 RON · 20.00 EUR`. */
function sumsText(sums: readonly Money[], language: Language): string {
  return sums.map((of) => amount(language, of.amount, of.currency)).join(" · ");
}

/** A name of these characters is never cut, so it needs no title. */
const SHORT_NAME = 16;

function rowsOf<Item>(
  list: ListOf<Item>,
  columns: readonly ListColumn<Item>[],
  { items }: ListedItems<Item>,
  request: PageRequest,
): Html {
  const { language, query } = request;
  const words = tableWords[language];
  const { labels } = list.words[language];
  const { name, rowAction } = list;
  const sort = sortIn(list, query);
  const shown = new Set(columns.map((column) => column.name));
  const rows = items.map((item) => ({ item, title: list.title(item, request, shown), sum: list.sum?.(item, request) }));
  type Row = (typeof rows)[number];
  const check = html`<th class="check"><input type="checkbox" data-select-all hidden aria-label="${words.selectPage}"></th>`;
  const th = (of: string, sorts: ListColumn<Item>["sorts"], kind: "number" | null = null) =>
    sorts === undefined || list.sorts.length === 1 ? null : sortHead(labels[of] ?? "", sorts, sort, query, kind);
  const others = columns.map(({ name: of, sorts, kind = "text", isMinor, cell, hint }): RowColumn<Row> => {
    const isSorted = sorts?.includes(sort) ?? false;
    const more = {
      isSorted: isSorted && isMinor === true,
      th: th(of, sorts, kind === "number" ? kind : null),
      isMinor: isMinor === true && !isSorted,
      ...(hint !== undefined && { hint: ({ item }: Row) => hint(item, request) }),
    };
    return [kind, labels[of] ?? "", ({ item }) => cell(item, request), more];
  });
  return namedTable<Row>(`list ${name}`, rows, [
    list.file !== undefined && [
      "check",
      words.selectPage,
      ({ title, sum }) =>
        html`<input type="checkbox" name="id" value="${title.id}"${sum && html` data-sum="${summand(sum.amount, sum.currency)}"`} aria-label="${words.select(title.name)}">`,
      { th: check },
    ],
    [
      "name",
      labels.name ?? "",
      ({ title: { href, shown: text, after } }) =>
        html`${href === null ? text : html`<a href="${href}">${text}</a>`}${after != null && html` <span class="muted">${after}</span>`}`,
      {
        th: th("name", list.nameSorts),
        hint: ({ title: { name: whole } }) => (whole.length > SHORT_NAME ? whole : null),
      },
    ],
    ...others,
    rowAction !== undefined && ["action", rowAction.label(request), ({ item }) => rowAction.control(item, request)],
  ]);
}
