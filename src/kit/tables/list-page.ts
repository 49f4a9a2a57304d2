import { html, type Html } from "../web/html.ts";
import { wholeNumber } from "../web/language.ts";
import type { Page, PageRequest } from "../web/page.ts";
import { pageHref, pager } from "../web/pager.ts";
import { workbookHref } from "../web/workbook-href.ts";
import { columnMenu, shownColumns } from "./columns.ts";
import { isNarrowed, type ListOf } from "./list.ts";
import { activeFilters, filterForm } from "./narrowing.ts";
import { tableWords } from "./table-words.ts";
import { listTable, selectScript } from "./table.ts";

/** GET /{list}: a page of a list, narrowed while one types or chooses. */
export function listPage<Item>(described: ListOf<Item>): Page {
  return async (deps, request) => {
    const list = (await described.ofWorkspace?.(described, deps, request)) ?? described;
    const { language, query } = request;
    const words = list.words[language];
    const [columns, choices] = await Promise.all([shownColumns(deps, list, request), list.choices(deps, request)]);
    const found = await list.read(deps, request, new Set(columns.map(({ name }) => name)));
    const { items, total, isCut, page, instead } = found;
    const hasViews = list.fixed === undefined;
    const main = html`<header class="heading">
<h1>${words.title} <span class="count" id="total">${instead === undefined && wholeNumber(language, total)}${isCut && "+"}</span></h1>
${hasViews && columnMenu(list, columns, request)}
${list.main?.(request)}
</header>
${filterForm(list, choices, request)}
${hasViews && activeFilters(list, choices, request)}
<div id="${list.name}">
${instead !== undefined ? instead : items.length === 0 ? list.empty(request, isNarrowed(list, query)) : listTable(list, columns, found, choices, request)}
${pager(page, { count: items.length, total }, pageHref(query), language)}
${isCut && html`<p class="muted">${list.more?.(request, total)}</p>`}
${foot(list, total, request)}
</div>${list.file !== undefined && selectScript}`;
    return { title: words.title, area: list.name, main, look: "list" };
  };
}

function foot<Item>({ name, file, foot: links }: ListOf<Item>, total: number, request: PageRequest): Html | null {
  const { query, language, session } = request;
  if (file === undefined) return null;
  const filters = query.othersThan("page", "per_page", "sort");
  const words = tableWords[language];
  const href = `/${name}/export${filters === "" ? "" : `?${filters}`}`;
  return html`<p class="foot">${total > 0 && session.user.mayExport && html`<a href="${href}" download>${words.export}</a> <a href="${workbookHref(href)}" download>${words.asWorkbook}</a>`}
${links?.(request)}</p>`;
}
