import type { Deps } from "../../kit/deps.ts";
import { emptyState } from "../../kit/web/empty-state.ts";
import { html, type Html } from "../../kit/web/html.ts";
import { icon } from "../../kit/web/icon.ts";
import type { Language } from "../../kit/web/language.ts";
import { marked } from "../../kit/web/mark.ts";
import type { PageRequest, Shown } from "../../kit/web/page.ts";
import { newInvoiceWords } from "../../orders/invoices/pages/new-invoice-words.ts";
import { isSearchable } from "../../platform/http/lists/pagination.ts";
import { listWords } from "../company-list/company-list-words.ts";
import { findCompanies, type Found } from "../find/find-queries.ts";
import { listOpened } from "../last-opened/last-opened-queries.ts";

/** Companies in the list, and the opened records among which companies are looked for. */
const [MOST, OPENED] = [10, 20];

/** The companies that match `search`, each a link to the form of its new invoice; else those that were opened last. */
export async function pickCompany(deps: Deps, request: PageRequest): Promise<Shown> {
  const { query, language } = request;
  const words = newInvoiceWords[language];
  const search = query.get("search") ?? "";
  const found = await companies(deps, request, search);
  const main = html`<a class="back" href="/orders">${icon("back")}${words.orders}</a>
<header class="heading"><h1>${words.title}</h1></header>
<form class="search" role="search" action="/invoices/new" data-live="companies" data-opens>
<label class="hidden" for="search">${words.pick}</label>${icon("search")}
<input id="search" name="search" type="search" value="${search}" placeholder="${words.pickHint}" autocomplete="off" maxlength="255" autofocus>
<button class="hidden">${words.find}</button>
</form>
<div class="found" id="companies">${
    found.length > 0
      ? html`<ul aria-label="${search === "" ? words.opened : words.found}">${found.map((each) => item(each, search))}</ul>`
      : noCompany(search, language)
  }</div>`;
  return { title: words.title, area: "orders", main };
}

/** The new company gets the typed name, and its form leads back to its invoice. */
function noCompany(search: string, language: Language): Html {
  const words = newInvoiceWords[language];
  const { importThem, createNamed } = listWords[language];
  const name = search === "" ? "" : `&name=${encodeURIComponent(search)}`;
  const href = `/companies/new?next=invoice${name}`;
  return emptyState(
    "companies",
    words.noCompany(search),
    search === ""
      ? [
          { href, label: words.newCompany },
          { href: "/imports/new", label: importThem },
        ]
      : [{ href, label: createNamed(search) }],
  );
}

async function companies(
  { database }: Deps,
  { actor, session }: PageRequest,
  search: string,
): Promise<Pick<Found, "id" | "name" | "beside">[]> {
  if (search !== "") return isSearchable(search) ? await findCompanies(actor.tenant, database, search, MOST) : [];
  const opened = await listOpened(actor.tenant, database, session.user.id, OPENED);
  return opened
    .filter(({ kind }) => kind === "company")
    .slice(0, MOST)
    .map(({ id, name }) => ({ id, name, beside: null }));
}

function item({ id, name, beside }: Pick<Found, "id" | "name" | "beside">, search: string): Html {
  return html`<li><a href="/invoices/new?company=${id}"><span>${marked(name, search.split(/\s+/, 5).filter(Boolean))}</span> <small>${beside}</small></a></li>`;
}
