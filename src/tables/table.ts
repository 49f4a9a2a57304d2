import { assets } from "../web/assets.ts";
import { html, type Html } from "../web/html.ts";
import { wholeNumber } from "../web/language.ts";
import type { PageRequest } from "../web/page.ts";
import { sortHead } from "../web/sort-head.ts";
import { choosing } from "./choosing.ts";
import { filtersText, sortIn, type Choices, type ListColumn, type ListedItems, type ListOf } from "./list.ts";
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
  const { newest } = list.words[language];
  const { items, total, isCut } = found;
  const { name } = list;
  const { role } = request.session.user;
  const actions = (list.actions ?? []).filter((action) => action.for !== "admins" || role === "admin");
  const more = items.length < total || isCut;
  const toFile = html`<button formaction="/${name}/export">${words.exportSelected}</button>`;
  return html`<form method="post" action="/${name}/${actions[0]?.path ?? "export"}" data-select>
<input type="hidden" name="to" value="${address}"><input type="hidden" name="rows" value="${items.length}">
<input type="hidden" name="matching" value="${filtersText(list, request.query)}">
${choosing(language)}${rows}
<fieldset class="bulk"><legend class="hidden">${words.bulk}</legend>
<span>${words.selected} <span data-selected></span>${list.sum !== undefined && html`<span data-sums></span>`}</span>
${more && html`<label class="all"><input type="checkbox" name="all" value="1" data-total="${total}${isCut && newest === undefined && "+"}"> ${(isCut && newest?.(wholeNumber(language, total))) || words.selectAll(total, isCut)}</label>`}
${actions.map(
  ({ path, label, fields }, index) =>
    html`${fields?.(request, choices)}<button${index === 0 && html` class="main"`} formaction="/${name}/${path}">${label(language)}</button>`,
)}
${toFile}
</fieldset>
</form>`;
}

function rowsOf<Item>(
  list: ListOf<Item>,
  columns: readonly ListColumn<Item>[],
  { items }: ListedItems<Item>,
  request: PageRequest,
): Html {
  const { language, query } = request;
  const words = tableWords[language];
  const { labels } = list.words[language];
  const sort = sortIn(list, query);
  const hasTicks = list.file !== undefined;
  const shown = new Set(columns.map(({ name }) => name));
  const head = ({ name, sorts, kind }: Pick<ListColumn<Item>, "name" | "sorts" | "kind">) =>
    sorts === undefined || list.sorts.length === 1
      ? html`<th scope="col"${kind === "number" && html` class="number"`}>${labels[name]}</th>`
      : sortHead(labels[name] ?? "", sorts, sort, query, kind === "number" ? kind : null);
  return html`<table class="list ${list.name}"><thead><tr>
${hasTicks && html`<th scope="col" class="check"><input type="checkbox" data-select-all hidden aria-label="${words.selectPage}"></th>`}
${head({ name: "name", ...(list.nameSorts && { sorts: list.nameSorts }) })}${columns.map(head)}${
    list.rowAction !== undefined &&
    html`<th scope="col"><span class="hidden">${list.rowAction.label(request)}</span></th>`
  }</tr></thead>
<tbody>${items.map((item) => {
    const { id, name, href, shown: title, after } = list.title(item, request, shown);
    const sum = list.sum?.(item);
    return html`<tr>
${hasTicks && html`<td class="check"><input type="checkbox" name="id" value="${id}"${sum && html` data-sum="${sum.amount} ${sum.currency}"`} aria-label="${words.select(name)}"></td>`}
<td class="name" title="${name}">${href === null ? title : html`<a href="${href}">${title}</a>`}${after != null && html` <span class="muted">${after}</span>`}</td>
${columns.map((column) => cell(column, labels[column.name] ?? "", { item, request, isSorted: column.sorts?.includes(sort) ?? false }))}
${list.rowAction !== undefined && html`<td class="action">${list.rowAction.control(item, request)}</td>`}
</tr>`;
  })}</tbody></table>`;
}

/** The complete text is the cell's title, because the cell may cut it. */
function cell<Item>(
  { kind, isMinor, cell: contentOf, hint }: ListColumn<Item>,
  label: string,
  { item, request, isSorted }: { item: Item; request: PageRequest; isSorted: boolean },
): Html {
  const content = contentOf(item, request);
  const title = hint?.(item, request) ?? (typeof content === "string" ? content : null);
  const names = [...(kind === undefined ? [] : [kind]), ...(isMinor && !isSorted ? ["minor"] : [])];
  const isLabelled = kind === "date" || kind === "number";
  return html`<td${names.length > 0 && html` class="${names.join(" ")}"`}${title !== null && html` title="${title}"`}${isLabelled && html` data-label="${label}"`}>${content}</td>`;
}
