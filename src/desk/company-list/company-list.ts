import { chosenCompanies } from "../../customers/companies/company-bulk-queries.ts";
import { companyFilters } from "../../customers/companies/company-filters.ts";
import { readDeletedCompanies } from "../../customers/companies/company-list-queries.ts";
import { companyRow } from "../../customers/companies/company-row.ts";
import { NO_OWNER } from "../../customers/companies/live-company-queries.ts";
import { statusChoices, ownerChoices } from "../../customers/companies/pages/choices.ts";
import { companyStatus } from "../../customers/companies/pages/company-status.ts";
import { withFields } from "../../customers/custom-fields/custom-lists.ts";
import { exportFile } from "../../exchange/exports/page-export.ts";
import type { Deps } from "../../kit/deps.ts";
import { listPage } from "../../kit/tables/list-page.ts";
import type { ListOf } from "../../kit/tables/list.ts";
import { tableWords } from "../../kit/tables/table-words.ts";
import { phoneLink } from "../../kit/web/contact-links.ts";
import { emptyState } from "../../kit/web/empty-state.ts";
import { choicesAmong } from "../../kit/web/forms/select.ts";
import { html, type Content, type Html } from "../../kit/web/html.ts";
import { icon } from "../../kit/web/icon.ts";
import { amount, day, dayOf, moment, wholeNumber, type Language } from "../../kit/web/language.ts";
import { marked } from "../../kit/web/mark.ts";
import type { Page, PageRequest } from "../../kit/web/page.ts";
import { companiesMoney, type CompanyFigures } from "../../orders/invoices/list-figures-queries.ts";
import { usersEver } from "../../people/users/user-queries.ts";
import { userWords } from "../../people/users/user-words.ts";
import { dayAfter } from "../../platform/dates.ts";
import type { RowByName } from "../../platform/fields/reader.ts";
import { parsePage } from "../../platform/http/lists/pagination.ts";
import { parseSince } from "../../platform/http/lists/since.ts";
import { isId } from "../../platform/ids.ts";
import { parseFilters } from "../../platform/reads/filters.ts";
import { alikeWords } from "../alike/alike-words.ts";
import { MOST_RANKED } from "./by-turnover-queries.ts";
import { companyListWords, listWords } from "./company-list-words.ts";
import { callBacks, listSorts, orderFilters, parseListFilters, parseListSort } from "./list-filters.ts";
import { lastContacted, type Scanned } from "./looked-through-queries.ts";
import { sumShown } from "./money-sum-queries.ts";
import { narrowedCompanies } from "./narrowed-export-queries.ts";
import { MOST_COMPANIES_LISTED, readList } from "./read-list.ts";
import { filtersIn } from "./selected-companies.ts";

/** A company of a page, with what its shown columns need beside its row. */
type ListedCompany = { row: RowByName; contactedAt: string | null; figures: CompanyFigures | null };

/** GET /companies: the live companies, or the deleted ones (docs/web.md 2). */
export const companyList: ListOf<ListedCompany> = {
  name: "companies",
  words: companyListWords,
  columns: [
    {
      name: "city",
      sorts: ["city", "-city"],
      cell: ({ row }, { query }) => marked(row.city ?? null, query.get("search") ?? null),
    },
    { name: "assigned_to", sorts: ["assigned_to", "-assigned_to"], cell: ({ row }) => row.owner ?? null },
    { name: "status", isOptional: true, cell: ({ row }, { language }) => companyStatus(row.status ?? "", language) },
    {
      name: "tax_id",
      kind: "code",
      isOptional: true,
      isMinor: true,
      cell: ({ row }, { query }) => marked(row.tax_id ?? null, query.get("search") ?? null),
    },
    { name: "phone", isOptional: true, cell: ({ row }) => phoneLink(row.phone ?? null) },
    {
      name: "open_orders",
      kind: "number",
      cell: ({ figures }, { language }) =>
        figures !== null && figures.openOrders > 0 && wholeNumber(language, figures.openOrders),
    },
    { name: "turnover", kind: "number", sorts: ["-turnover", "turnover"], isMinor: true, cell: turnover },
    { name: "owed", kind: "number", isMinor: true, cell: owed },
    {
      name: "days_late",
      kind: "number",
      isOptional: true,
      isMinor: true,
      cell: ({ figures }, { language }) =>
        figures?.daysLate != null && html`<span class="late">${wholeNumber(language, figures.daysLate)}</span>`,
    },
    {
      name: "last_contacted_at",
      kind: "date",
      sorts: ["-last_contacted_at", "last_contacted_at"],
      isMinor: true,
      cell: ({ contactedAt }, request) => dayIn(contactedAt, request),
    },
    {
      name: "callback_date",
      kind: "date",
      sorts: ["callback_date", "-callback_date"],
      cell: ({ row: { callback_date: date } }, { language }) =>
        date != null && html`<time datetime="${date}">${day(language, date)}</time>`,
    },
    {
      name: "updated_at",
      kind: "date",
      sorts: ["-updated_at", "updated_at"],
      isOptional: true,
      isMinor: true,
      cell: ({ row }, request) => dayIn(row.updated_at ?? null, request),
    },
  ],
  filters: [
    { name: "status" },
    { name: "assigned_to" },
    { name: "city", isSeldom: true },
    { name: "callback", isSeldom: true },
    { name: "orders", isSeldom: true },
    { name: "updated_since", isSeldom: true, isOfAddress: true },
  ],
  sorts: listSorts,
  ofWorkspace: withFields("company", ({ row }) => String(row.id)),
  nameSorts: ["name", "-name"],
  isMeaningful: (query) => parseListFilters(query, "infinity") !== null,
  async choices(deps, { actor, query, language, session }) {
    const words = listWords[language];
    const users = await usersEver(actor.tenant, deps.database);
    const sent = query.get("updated_since") ?? "";
    const since = parseSince(sent);
    return {
      ...(since !== null && {
        updated_since: [{ value: sent, label: moment(language, since, session.workspace.timeZone) }],
      }),
      status: statusChoices(language),
      assigned_to: ownerChoices(
        query.get("deleted") === "1" ? users : [{ id: NO_OWNER, name: words.nobodys, hasLeft: false }, ...users],
        words.anybody,
        userWords[language].left,
      ),
      owners: users.filter(({ hasLeft }) => !hasLeft).map(({ id, name }) => ({ value: id, label: name })),
      callback: choicesAmong(words.callbacks, callBacks),
      orders: choicesAmong(words.states, orderFilters),
    };
  },
  async read(deps, request, shown) {
    const { actor, query, session } = request;
    const filters = await filtersIn(deps, request, query);
    const page = parsePage(query);
    if (filters === null) return { items: [], total: 0, isCut: false, page };
    const { database } = deps;
    const today = dayAfter(0, session.workspace.timeZone);
    const listed = await readList(actor.tenant, database, filters, parseListSort(query), page, today);
    if (listed.isUnsorted) return { items: [], total: 0, isCut: false, page, instead: tooManyInvoices(request) };
    const rows = rowsOf(deps, request, listed);
    const ids = rows.map(({ id }) => String(id));
    const [contacted, figures, columnSums] = await Promise.all([
      shown.has("last_contacted_at") && ids.length > 0
        ? lastContacted(actor.tenant, database, ids)
        : new Map<string, string | null>(),
      ["open_orders", "turnover", "owed", "days_late"].some((column) => shown.has(column))
        ? companiesMoney(actor.tenant, database, ids, today)
        : new Map<string, CompanyFigures>(),
      sumShown(actor.tenant, database, shown, { filters, ids, listed, today }),
    ]);
    const items = rows.map((row) => {
      const id = String(row.id);
      return { row, contactedAt: contacted.get(id) ?? null, figures: figures.get(id) ?? null };
    });
    return { items, total: listed.total, isCut: listed.isCut, page, columnSums };
  },
  title: ({ row: { id, name, tax_id, email } }, { query }, shown) => {
    const search = query.get("search") ?? null;
    // A field that the search found is shown, even if it has no column.
    const hidden = [...(shown.has("tax_id") ? [] : [tax_id]), email].map((text) => marked(text ?? null, search));
    return {
      id: String(id),
      name: name ?? "",
      href: `/companies/${id}`,
      shown: marked(name ?? "", search),
      after: hidden.find(isMarked),
    };
  },
  empty({ query, language }, isNarrowed) {
    const words = listWords[language];
    const { clear } = tableWords[language];
    const search = query.get("search") ?? null;
    if (search !== null) {
      const create = `/companies/new?name=${encodeURIComponent(search)}`;
      const unfiltered = { href: `/companies?search=${encodeURIComponent(search)}`, label: clear };
      const actions = [{ href: create, label: words.createNamed(search) }, ...(isNarrowed ? [unfiltered] : [])];
      return emptyState("companies", words.nothing(search), actions);
    }
    if (isNarrowed) return emptyState("companies", words.noneOfThese, [{ href: "/companies", label: clear }]);
    return emptyState("companies", words.empty, [
      { href: "/companies/new", label: words.createFirst },
      { href: "/imports/new", label: words.importThem },
    ]);
  },
  more({ query, language }) {
    const words = listWords[language];
    // The companies with such orders or calls are looked through whatever the other filters are.
    const isNarrowest =
      query.get("callback") !== undefined || ["attention", "under_way"].includes(query.get("orders") ?? "");
    return `${words.more(wholeNumber(language, MOST_COMPANIES_LISTED))}${isNarrowest ? "" : ` ${words.narrowIt}`}`;
  },
  main: ({ language }) =>
    html`<a class="button main" href="/companies/new" aria-keyshortcuts="n">${icon("add")}${listWords[language].new}</a>`,
  foot: ({ language }) =>
    html`<a href="/imports/new">${listWords[language].importThem}</a> <a href="/companies/alike">${alikeWords[language].title}</a> <a href="/companies?deleted=1">${listWords[language].toDeleted}</a>`,
  file(deps, request, selection) {
    return exportFile(deps, request, "companies", async () =>
      "ids" in selection ? chosenCompanies(selection.ids) : await matching(deps, request, selection.query),
    );
  },
};

const deletedWords = (language: "en" | "ro") => ({
  ...companyListWords[language],
  title: listWords[language].deletedTitle,
});

const deletedList: ListOf<RowByName> = {
  name: "companies",
  fixed: { deleted: "1" },
  words: { en: deletedWords("en"), ro: deletedWords("ro") },
  columns: [
    {
      name: "tax_id",
      kind: "code",
      cell: ({ tax_id }, { query }) => marked(tax_id ?? null, query.get("search") ?? null),
    },
    { name: "city", cell: ({ city }, { query }) => marked(city ?? null, query.get("search") ?? null) },
    { name: "status", cell: ({ status }, { language }) => companyStatus(status ?? "", language) },
    { name: "assigned_to", cell: ({ owner }) => owner ?? null },
    {
      name: "deleted_at",
      kind: "date",
      cell: ({ deleted_at: at }, { language, session }) => moment(language, at ?? "", session.workspace.timeZone),
    },
  ],
  filters: [{ name: "status" }, { name: "assigned_to" }, { name: "updated_since", isOfAddress: true }],
  // The latest deletion first.
  sorts: ["-deleted_at"],
  choices: companyList.choices,
  async read(deps, request) {
    const { actor, query } = request;
    const filters = parseFilters(companyFilters, query);
    const page = parsePage(query);
    if (filters === null) return { items: [], total: 0, isCut: false, page };
    const listed = await readDeletedCompanies(actor.tenant, deps.database, filters, page);
    return { items: rowsOf(deps, request, listed), total: listed.total, isCut: false, page };
  },
  title: ({ id, name }, { query }) => {
    return { id: String(id), name: name ?? "", href: null, shown: marked(name ?? "", query.get("search") ?? null) };
  },
  empty({ query, language }, isNarrowed) {
    const search = query.get("search") ?? null;
    const words = listWords[language];
    const none = isNarrowed ? words.noneOfThese : words.nothingDeleted;
    const text = search === null ? none : words.nothing(search);
    return emptyState("companies", text, [{ href: "/companies", label: words.toLive }]);
  },
  main: ({ language }) => html`<a class="button" href="/companies">${listWords[language].toLive}</a>`,
  rowAction: {
    label: ({ language }) => listWords[language].restore,
    control: ({ id, name }, { language }) =>
      html`<form method="post" action="/companies/${id}/restore"><button>${listWords[language].restore}<span class="hidden"> ${name}</span></button></form>`,
  },
};

/** GET /companies: the live companies, or with `deleted=1` the deleted ones. @param list of the live ones */
export function listCompaniesPage(list: typeof companyList): Page {
  const [livePage, deletedPage] = [listPage(list), listPage(deletedList)];
  return async (deps, request) => await (request.query.get("deleted") === "1" ? deletedPage : livePage)(deps, request);
}

function rowsOf({ keyring }: Deps, { actor }: PageRequest, { rows }: Pick<Scanned, "rows">): RowByName[] {
  return rows.map((row) => companyRow(row, { keyring, tenant: actor.tenant }));
}

/** The companies that a query matches, or the one company `id`. */
async function matching(deps: Deps, request: PageRequest, query: PageRequest["query"]) {
  const id = query.get("id");
  if (id !== undefined) return chosenCompanies(isId(id) ? [id] : []);
  const filters = await filtersIn(deps, request, query);
  return filters === null ? chosenCompanies([]) : narrowedCompanies(filters);
}

/** That the list cannot be sorted by turnover, and where companies are. */
function tooManyInvoices({ language }: PageRequest): Html {
  const words = listWords[language];
  const text = words.tooManyInvoices(wholeNumber(language, MOST_RANKED));
  return emptyState("companies", text, [{ href: "/sales?period=12_months", label: words.toSales }]);
}

function turnover({ figures }: ListedCompany, { language }: PageRequest): Content {
  return figures && sumOf(figures.turnover, figures.currency, figures.isMore, language);
}

function owed({ figures }: ListedCompany, { language }: PageRequest): Content {
  return figures && sumOf(figures.owed, figures.owedIn, figures.owesMore, language);
}

/** The sum of the currency with the most invoices; the company's page has the others. */
function sumOf(sum: string | null, currency: string | null, isMore: boolean, language: Language): Content {
  if (sum === null) return null;
  const text = String(amount(language, sum, currency));
  return isMore ? listWords[language].atLeast(text) : text;
}

function dayIn(at: string | null, { language, session }: PageRequest): Html | null {
  return at === null ? null : html`${dayOf(language, at, session.workspace.timeZone)}`;
}

function isMarked(content: Content): boolean {
  return typeof content === "object" && content !== null;
}
