import { parseFilters } from "../companies/company-filters.ts";
import { listCompanies } from "../companies/company-list-queries.ts";
import { companyRow } from "../companies/company-row.ts";
import { findContacts, type FoundContact } from "../contacts/find-contacts-queries.ts";
import type { Deps } from "../deps.ts";
import type { RowByName } from "../platform/fields/reader.ts";
import { findForm } from "../web/frame/dialogs.ts";
import { areasOf } from "../web/frame/layout.ts";
import { html, type Html } from "../web/html.ts";
import { counted, languages } from "../web/language.ts";
import { contains, marked } from "../web/mark.ts";
import type { Page, PageRequest } from "../web/page.ts";
import { shellWords } from "../web/shell-words.ts";
import { findWords } from "./find-words.ts";

/** Of each kind; whoever looks for more of them goes to their list. */
const MOST = 6;

/** Something to go to or to do: a list item's content, which begins with a link or a button. */
type Group = { title: string; items: Html[] };

/** GET /find: companies, contacts, pages and actions by a part of their names; `Ctrl K` shows it in a dialog (docs/web.md 8). */
export const findPage: Page = async (deps, request) => {
  const { query, language } = request;
  const words = findWords[language];
  const search = query.get("search") ?? null;
  const { companies, contacts } = await findRecords(deps, request);
  const groups = [
    { title: words.companies, items: companies.map((company) => companyItem(company, search)) },
    { title: words.contacts, items: contacts.map((contact) => contactItem(contact, search)) },
    { title: words.pages, items: pageItems(request, search) },
    { title: words.actions, items: actionItems(request, search) },
  ].filter(({ items }) => items.length > 0);
  const count = groups.reduce((sum, { items }) => sum + items.length, 0);
  const main = html`<header class="heading"><h1>${words.title}</h1></header>
${findForm(language, search, {
  count: html`${counted(language, count, words.found)}`,
  found: html`${groups.map(groupList)}${count === 0 && html`<p class="empty">${words.nothing(search ?? "")}</p>`}`,
})}`;
  return { title: words.title, area: "find", main };
};

async function findRecords(
  { database, keyring }: Deps,
  { actor: { tenant }, query }: PageRequest,
): Promise<{ companies: RowByName[]; contacts: FoundContact[] }> {
  const search = parseFilters(query)?.search ?? null;
  if (search === null) return { companies: [], contacts: [] };
  const filters = { search, status: null, assignedTo: null };
  const [companies, contacts] = await Promise.all([
    listCompanies(tenant, database, filters, { page: 1, perPage: MOST, offset: 0 }),
    findContacts(tenant, database, search, MOST),
  ]);
  return { companies: companies.rows.map((row) => companyRow(row, { keyring, tenant })), contacts };
}

function groupList({ title, items }: Group): Html {
  return html`<ul aria-label="${title}">${items.map((item) => html`<li>${item}</li>`)}</ul>`;
}

function companyItem({ id, name, city }: RowByName, search: string | null): Html {
  return html`<a href="/companies/${id}"><span>${marked(name ?? "", search)}</span> <small>${city}</small></a>`;
}

/** An e-mail address is shown where it is what was found. */
function contactItem({ id, name, email, company }: FoundContact, search: string | null): Html {
  const found = !contains(name, search) && html` · ${marked(email, search)}`;
  return html`<a href="/contacts/${id}"><span>${marked(name, search)}</span> <small>${company}${found}</small></a>`;
}

function pageItems({ language, session }: PageRequest, search: string | null): Html[] {
  const words = shellWords[language];
  return [...areasOf(session.user.role === "admin"), "profile" as const]
    .filter((area) => contains(words[area], search))
    .map((area) => html`<a href="/${area}"><span>${marked(words[area], search)}</span></a>`);
}

function actionItems({ language, session }: PageRequest, search: string | null): Html[] {
  const words = findWords[language];
  const { signOut } = shellWords[language];
  const { theme } = session.user;
  const actions = [
    {
      label: words.newCompany,
      item: html`<a href="/companies/new"><span>${marked(words.newCompany, search)}</span></a>`,
    },
    ...(["dark", "light"] as const)
      .filter((other) => other !== theme)
      .map((other) => ({
        label: words.themes[other],
        item: post("/profile", words.themes[other], search, "theme", other),
      })),
    ...Object.entries(languages)
      .filter(([other]) => other !== language)
      .map(([other, label]) => ({ label, item: post("/profile", label, search, "language", other) })),
    { label: signOut, item: post("/sign-out", signOut, search) },
  ];
  return actions.filter(({ label }) => contains(label, search)).map(({ item }) => item);
}

/** A button that sends one value, or none. */
function post(action: string, label: string, search: string | null, name = "", value = ""): Html {
  return html`<form method="post" action="${action}"><button class="quiet"${name !== "" && html` name="${name}" value="${value}"`}><span>${marked(label, search)}</span></button></form>`;
}
