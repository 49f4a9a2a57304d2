import { errors } from "../../../kit/errors.ts";
import { namedTable, type RowColumn } from "../../../kit/tables/rows.ts";
import { emptyState } from "../../../kit/web/empty-state.ts";
import { searchField } from "../../../kit/web/forms/search-field.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import { icon } from "../../../kit/web/icon.ts";
import { wholeNumber, type Language } from "../../../kit/web/language.ts";
import { marked } from "../../../kit/web/mark.ts";
import type { Page } from "../../../kit/web/page.ts";
import { pageHref, pager } from "../../../kit/web/pager.ts";
import { shellWords } from "../../../kit/web/shell-words.ts";
import { membersReader, type RowByName } from "../../../platform/fields/reader.ts";
import { parsePage } from "../../../platform/http/lists/pagination.ts";
import { companyOf } from "../../companies/pages/company-of.ts";
import { childMembers } from "../child-json.ts";
import { childReads } from "../child-reads.ts";
import type { ChildColumn, ChildNoun } from "./noun.ts";

/** GET /companies/{id}/contacts and others: the list, filtered during typing. */
export function listChildrenPage(noun: ChildNoun): Page {
  const reads = childReads(noun.child).ofCompany;
  const read = membersReader(childMembers(noun.child));
  return async (deps, request) => {
    const { database, keyring } = deps;
    const { actor, query, language, session, address } = request;
    const { tenant } = actor;
    const { table, model } = noun.child;
    const words = noun.words[language];
    const company = await companyOf(deps, request);
    const page = parsePage(query);
    const search = query.get("search") ?? null;
    const filters = reads.parse(query);
    // A name is in two fields.
    const narrowing = filters && {
      parent: String(company.id),
      filters: { ...filters, search: null, words: filters.search ?? null },
    };
    const found = narrowing === null ? { rows: [], total: 0 } : await reads.page(tenant, database, narrowing, page);
    if (found === null) throw errors.resourceMissing(model, String(company.id));
    const children = found.rows.map((row) => read(row, { keyring, tenant }));
    const path = `/companies/${company.id}/${table}`;
    const { timeZone } = session.workspace;
    const main = html`<a class="back" href="/companies/${company.id}">${icon("back")}${company.name}</a>
<header class="heading">
<h1>${words.title} <span class="count" id="total">${wholeNumber(language, found.total)}</span></h1>
<form class="search" role="search" action="${path}" data-live="${table} total">
${searchField(words.search, search)}
<button class="hidden">${words.search}</button>
</form>
<a class="button main" href="${path}/new" aria-keyshortcuts="n">${icon("add")}${shellWords[language].add}</a>
</header>
<div id="${table}">
${children.length === 0 ? empty(noun, search, path, language) : childTable(noun, children, { search: search?.split(/\s+/) ?? null, language, timeZone, back: address })}
${pager(page, { count: children.length, total: found.total }, pageHref(query), language)}
</div>`;
    return { title: `${words.title} · ${company.name}`, area: "companies", main };
  };
}

type At = Parameters<ChildColumn["cell"]>[1] & {
  /** The page that an action returns to. */
  back: string;
};

/** The rows of a list. */
export function childTable(noun: ChildNoun, children: readonly RowByName[], at: At): Html {
  const { child, columns, labels, title, action } = noun;
  const { language, search } = at;
  return namedTable<RowByName>(`list ${child.table}`, children, [
    [
      "name",
      labels[language].label ?? shellWords[language].name,
      (row) => marked(title(row), search),
      { href: ({ id }) => `/${child.table}/${id}`, hint: title },
    ],
    ...columns.map(({ name, kind, cell }): RowColumn<RowByName> => {
      return [kind ?? "text", labels[language][name] ?? name, (row) => cell(row, at)];
    }),
    action !== null && ["action", shellWords[language].more, (row) => action(row, at)],
  ]);
}

function empty({ words, child }: ChildNoun, search: string | null, path: string, language: Language): Html {
  const { empty: none, nothing } = words[language];
  if (search !== null) return html`<p class="empty">${nothing(search)}</p>`;
  const place = child.table === "contacts" ? "contacts" : "companies";
  return emptyState(place, none, [{ href: `${path}/new`, label: shellWords[language].add }]);
}
