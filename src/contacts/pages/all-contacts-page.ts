import { childMembers } from "../../company-children/child-json.ts";
import { childQueries } from "../../company-children/child-queries.ts";
import type { Deps } from "../../deps.ts";
import { findPhones } from "../../find/find-queries.ts";
import { digitsOf, FEWEST_DIGITS } from "../../platform/encryption/phone-digest.ts";
import { membersReader, type RowByName } from "../../platform/fields/reader.ts";
import { isSearchable, parsePage, pageAmong, type AskedPage } from "../../platform/http/lists/pagination.ts";
import { searchField } from "../../web/forms/search-field.ts";
import { html, type Html } from "../../web/html.ts";
import { textCell } from "../../web/labelled-cell.ts";
import { wholeNumber } from "../../web/language.ts";
import { marked } from "../../web/mark.ts";
import type { Page, PageRequest } from "../../web/page.ts";
import { pageHref, pager } from "../../web/pager.ts";
import { shellWords } from "../../web/shell-words.ts";
import { sortHead } from "../../web/sort-head.ts";
import {
  contactSorts,
  listAllContacts,
  MOST_FOUND,
  MOST_CONTACTS_LISTED,
  searchAllContacts,
  type ContactSort,
  type OfCompany,
} from "../all-contacts-queries.ts";
import { allContactsWords } from "../all-contacts-words.ts";
import { contactLabels } from "../contact-words.ts";
import { contact } from "../contact.ts";
import { contactNoun } from "./contact-noun.ts";

const queries = childQueries(contact);
const read = membersReader(childMembers(contact));

/** People of a page, how many there are, of which `most` are counted, and which page it is. */
type ContactsPage = { contacts: OfCompany[]; total: number; most: number; page: AskedPage };

/** GET /contacts: the people of all companies. */
export const allContactsPage: Page = async (deps, request) => {
  const { query, language } = request;
  const words = allContactsWords[language];
  const search = query.get("search") ?? null;
  const sort = contactSorts.find((known) => known === query.get("sort")) ?? "name";
  const found = await (search === null ? listed(deps, request, sort) : searched(deps, request, sort, search));
  const { contacts, total, most, page } = found;
  const shown = Math.min(total, most);
  const main = html`<header class="heading">
<h1>${words.title} <span class="count" id="total">${wholeNumber(language, shown)}${total > most && "+"}</span></h1>
<form class="search" role="search" action="/contacts" data-live="contacts total">
${searchField(words.search, search)}
${sort !== "name" && html`<input type="hidden" name="sort" value="${sort}">`}
<button class="hidden">${words.search}</button>
</form>
</header>
<div id="contacts">
${
  contacts.length === 0
    ? html`<p class="empty">${search === null ? words.none : words.nothing(search)}</p>`
    : await table(deps, request, contacts, sort)
}
${pager(page, { count: contacts.length, total: shown }, pageHref(query), language)}
${total > most && html`<p class="muted">${words.first(most)}</p>`}
</div>`;
  return { title: words.title, area: "contacts", main };
};

async function listed({ database }: Deps, { actor, query }: PageRequest, sort: ContactSort): Promise<ContactsPage> {
  const asked = pageAmong(parsePage(query), MOST_CONTACTS_LISTED);
  const first = await listAllContacts(actor.tenant, database, sort, asked);
  const page = pageAmong(asked, Math.min(first.total, MOST_CONTACTS_LISTED));
  const { contacts, total } =
    page.page === asked.page ? first : await listAllContacts(actor.tenant, database, sort, page);
  return { contacts, total, most: MOST_CONTACTS_LISTED, page };
}

async function searched(
  { database, keyring }: Deps,
  { actor: { tenant }, query }: PageRequest,
  sort: ContactSort,
  search: string,
): Promise<ContactsPage> {
  const digits = digitsOf(search);
  const phones = digits.length < FEWEST_DIGITS ? [] : await findPhones(tenant, database, keyring, digits);
  const ids = phones.filter(({ place }) => place === "contacts").map(({ id }) => id);
  const all = isSearchable(search) ? await searchAllContacts(tenant, database, sort, search, ids) : [];
  const page = pageAmong(parsePage(query), all.length);
  const contacts = all.slice(page.offset, page.offset + page.perPage);
  return { contacts, total: all.length, most: MOST_FOUND, page };
}

async function table(
  { database, keyring }: Deps,
  request: PageRequest,
  contacts: readonly OfCompany[],
  sort: ContactSort,
): Promise<Html> {
  const { actor, language, query, session } = request;
  const { tenant } = actor;
  const rows = await queries.whole(
    tenant,
    database,
    contacts.map(({ id }) => id),
  );
  const byId = new Map(rows.map((row) => read(row, { keyring, tenant })).map((row) => [String(row.id), row]));
  const search = query.get("search") ?? null;
  const at = { search, language, timeZone: session.workspace.timeZone };
  const labels = contactLabels[language];
  const name = sortHead(shellWords[language].name, ["name"], sort, query);
  const contacted = sortHead(labels.last_contacted_at, ["-last_contacted_at"], sort, query);
  const company = html`<th scope="col">${allContactsWords[language].company}</th>`;
  const columns = contactNoun.columns.filter(({ name: column }) => column !== "last_contacted_at");
  const last = contactNoun.columns.find(({ name: column }) => column === "last_contacted_at");
  const cells = (row: RowByName) => columns.map(({ cell }) => textCell(cell(row, at)));
  return html`<table class="list"><thead><tr>${name}${company}${columns.map(
    ({ name: column }) => html`<th scope="col">${labels[column as keyof typeof labels]}</th>`,
  )}${contacted}</tr></thead>
<tbody>${contacts.flatMap(({ id, companyId, companyName }) => {
    const row = byId.get(id);
    if (row === undefined) return [];
    const title = contactNoun.title(row);
    return html`<tr><td class="name"><a href="/contacts/${id}" title="${title}">${marked(title, search)}</a></td>
<td class="wide"><a href="/companies/${companyId}" title="${companyName}">${marked(companyName, search)}</a></td>${cells(row)}
<td class="date" data-label="${labels.last_contacted_at}">${last?.cell(row, at)}</td></tr>`;
  })}</tbody></table>`;
}
