import { companyLabels } from "../../customers/companies/company-words.ts";
import { customNouns, tableOfNoun } from "../../customers/custom-fields/custom-field.ts";
import { customTable } from "../../customers/custom-fields/defined-fields.ts";
import type { Deps } from "../../kit/deps.ts";
import { findForm, shortcutList, SHORTCUTS } from "../../kit/web/frame/dialogs.ts";
import { keyboardWords } from "../../kit/web/frame/keyboard-words.ts";
import { areasOf, pathOf } from "../../kit/web/frame/layout.ts";
import { html, type Html } from "../../kit/web/html.ts";
import { counted, languages, type Language } from "../../kit/web/language.ts";
import { contains, marked } from "../../kit/web/mark.ts";
import type { Page, PageRequest } from "../../kit/web/page.ts";
import { shellWords } from "../../kit/web/shell-words.ts";
import { shownState } from "../../orders/invoices/shown-state.ts";
import { FEWEST_DIGITS } from "../../platform/encryption/phone-digest.ts";
import type { RowByName } from "../../platform/fields/reader.ts";
import { isSearchable } from "../../platform/http/lists/pagination.ts";
import { digitsOf } from "../../platform/phone-numbers.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { composed } from "../../platform/text.ts";
import { listOpened, openedPlaces } from "../last-opened/last-opened-queries.ts";
import {
  findCompanies,
  findContacts,
  findInvoices,
  findNotes,
  findPhones,
  findValues,
  type Found,
} from "./find-queries.ts";
import { findWords, verbs, type VerbName } from "./find-words.ts";
import { noteItem } from "./note-item.ts";

/** Results per kind; the lists have the others. */
const MOST = 6;
const MOST_WORDS = 5;
/** Shorter texts would match the ends of too many invoice numbers. */
const SHORTEST_ENDING = 3;
/** Shorter texts begin words of nearly every note. */
const SHORTEST_WORD = 3;

/** A heading with links and buttons: each item's content begins with one. */
type Group = { title: string; items: Html[] };

/** A result, and the path of its page. */
type Hit = Found & { place: string; state?: RowByName };

/**
 * GET /find: companies, contacts, invoices, orders, phones, notes, pages and actions that match `q`, or the last ones
 * that were opened. `Ctrl K` shows it in a dialog (docs/web.md 8).
 */
export const findPage: Page = async (deps, request) => {
  const { query, language } = request;
  const words = findWords[language];
  const typed = query.get("q") ?? "";
  const groups = (isSearchable(typed) ? await found(deps, request, typed) : []).filter(({ items }) => items.length > 0);
  const count = groups.reduce((sum, { items }) => sum + items.length, 0);
  const main = html`<header class="heading"><h1>${words.title}</h1></header>
${findForm(language, typed, {
  count: html`${counted(language, count, words.found)}`,
  found: html`${groups.map(groupList)}${count === 0 && html`<p class="empty">${words.nothing(typed)}</p>`}`,
})}
${shortcutList(language)}`;
  return { title: words.title, area: "find", main };
};

async function found(deps: Deps, request: PageRequest, typed: string): Promise<Group[]> {
  const words = findWords[request.language];
  const sought = typed.split(/\s+/, MOST_WORDS).filter((word) => word !== "");
  const verb = verbIn(typed);
  return [
    ...(verb === null ? [] : [await objectsOf(verb, deps, request)]),
    ...(await (typed === "" ? openedLast(deps, request) : recordsFound(deps, request, typed, sought))),
    { title: words.pages, items: typed === "" ? [] : pageItems(request, sought) },
    { title: words.actions, items: actionItems(request, sought) },
  ];
}

async function openedLast({ database }: Deps, { actor, session, language }: PageRequest): Promise<Group[]> {
  const opened = await listOpened(actor.tenant, database, session.user.id, MOST);
  const items = opened.map(({ kind, id, name, company }) =>
    hitItem({ place: openedPlaces[kind], id, name, beside: company, more: null }, [], language),
  );
  return [{ title: findWords[language].opened, items }];
}

/** The matching records of the workspace; without a match, those that differ by one letter. */
async function recordsFound(
  { database, keyring }: Deps,
  request: PageRequest,
  typed: string,
  sought: string[],
): Promise<Group[]> {
  const { actor, language } = request;
  const words = findWords[language];
  const { tenant } = actor;
  const digits = digitsOf(typed);
  const isPhone = digits.length >= FEWEST_DIGITS && /^[\d\s+()./-]+$/.test(typed);
  // Names and e-mail addresses have at least one letter.
  const hasLetters = /\p{L}/u.test(typed);
  const isNumber = (sought.length === 1 || /\d/.test(typed)) && typed.length >= SHORTEST_ENDING;
  const [phones, companies, contacts, invoices, notes, values] = await Promise.all([
    isPhone ? findPhones(tenant, database, keyring, digits) : [],
    findCompanies(tenant, database, typed, MOST),
    hasLetters ? findContacts(tenant, database, typed, MOST) : [],
    isNumber ? findInvoices(tenant, database, typed, MOST) : [],
    typed.length >= SHORTEST_WORD ? findNotes(tenant, database, typed, MOST) : [],
    valuesFound(tenant, database, typed),
  ]);
  const isNothing = [phones, companies, invoices, notes, values].every(({ length }) => length === 0);
  const people = contacts.filter(({ isExact }) => isExact || isNothing);
  const group = (title: string, hits: Found[], place: string) => ({
    title,
    items: hits.slice(0, MOST).map((hit) => hitItem({ place, ...hit }, sought, language)),
  });
  return [
    group(words.phones, phones, ""),
    group(words.invoices, invoices, "invoices"),
    group(words.companies, companies.map(withTaxId(sought, language)), "companies"),
    group(words.contacts, people, "contacts"),
    { title: words.values, items: values },
    { title: words.notes, items: notes.map((each) => noteItem(each, sought, request)) },
  ];
}

/** The records with a text of a custom field that begins with the typed one, MOST of each noun. */
async function valuesFound(tenant: TenantId, database: Database, typed: string): Promise<Html[]> {
  const fields = await Promise.all(
    customNouns.map(async (noun) => {
      const texts = (await customTable(tenant, database, noun)).fields.filter(({ kind }) => kind === "string");
      return texts.map(({ key, label }) => ({ noun, key, label }));
    }),
  );
  const all = fields.flat();
  const text = composed(typed);
  if (all.length === 0 || text === null) return [];
  const [nouns, keys] = [all.map(({ noun }) => noun), all.map(({ key }) => key)];
  const found = await findValues(tenant, database, nouns, keys, text);
  return customNouns
    .flatMap((noun) => found.filter((each) => each.noun === noun).slice(0, MOST))
    .map(({ noun, key, value, id, name, beside }) => {
      const label = all.find((field) => field.noun === noun && field.key === key)?.label;
      return html`<a href="/${tableOfNoun[noun]}/${id}"><span>${name}</span> <small>${beside}${beside !== null && " · "}${label}: ${marked(value, [typed])}</small></a>`;
    });
}

/** Shows a fiscal id, with its label, only if it matched. */
function withTaxId(sought: readonly string[], language: Language) {
  return (company: Found): Found => {
    const taxId = company.more;
    const isMatched = taxId !== null && sought.some((word) => contains(taxId, word));
    return { ...company, more: isMatched ? `${companyLabels[language].tax_id} ${taxId}` : null };
  };
}

function groupList({ title, items }: Group): Html {
  return html`<ul aria-label="${title}">${items.map((item) => html`<li>${item}</li>`)}</ul>`;
}

/** The name of a result and the text beside it; other data, such as an e-mail address, only if it matched. */
function hitItem({ place, id, name, beside, more, state }: Hit, sought: readonly string[], language: Language): Html {
  const isFound = more !== null && sought.length > 0 && !sought.every((word) => contains(name, word));
  return html`<a href="/${place}/${id}"><span>${marked(name, sought)}</span> <small>${beside}${isFound && html` · ${marked(more, sought)}`}</small>${state !== undefined && shownState(state, language)}</a>`;
}

function pageItems({ language, session }: PageRequest, sought: readonly string[]): Html[] {
  const words = shellWords[language];
  return [...areasOf(session.user.role === "admin"), "profile" as const]
    .filter((area) => sought.every((word) => contains(words[area], word)))
    .map((area) => html`<a href="${pathOf(area)}"><span>${marked(words[area], sought)}</span></a>`);
}

function actionItems({ language, session }: PageRequest, sought: readonly string[]): Html[] {
  const words = findWords[language];
  const { signOut } = shellWords[language];
  const { title: keys } = keyboardWords[language];
  const { theme } = session.user;
  const actions = [
    {
      label: words.newCompany,
      item: html`<a href="/companies/new"><span>${marked(words.newCompany, sought)}</span></a>`,
    },
    {
      label: words.newInvoice,
      item: html`<a href="/invoices/new"><span>${marked(words.newInvoice, sought)}</span></a>`,
    },
    ...(["dark", "light"] as const)
      .filter((other) => other !== theme)
      .map((other) => ({
        label: words.themes[other],
        item: post("/profile", words.themes[other], sought, "theme", other),
      })),
    ...Object.entries(languages)
      .filter(([other]) => other !== language)
      .map(([other, label]) => ({ label, item: post("/profile", label, sought, "language", other) })),
    { label: keys, item: html`<a href="${SHORTCUTS}"><span>${marked(keys, sought)}</span></a>` },
    { label: signOut, item: post("/sign-out", signOut, sought) },
  ];
  return actions.filter(({ label }) => sought.every((word) => contains(label, word))).map(({ item }) => item);
}

type Verb = { name: VerbName; of: string };

/** "log baker", "send 0900", "new invoice for baker": what is before the object, in either language. */
function verbIn(typed: string): Verb | null {
  for (const [name, pattern] of Object.entries(verbs) as [VerbName, RegExp][]) {
    const of = pattern.exec(typed)?.[1];
    if (of !== undefined) return { name, of };
  }
  return null;
}

/** The companies or invoices that a verb may act on. */
async function objectsOf({ name, of }: Verb, { database }: Deps, { actor, language }: PageRequest): Promise<Group> {
  const title = findWords[language].verbs[name];
  const sought = of.split(/\s+/, MOST_WORDS);
  const label = (text: string, beside: string | null) =>
    html`<span>${title}: ${marked(text, sought)}</span> <small>${beside}</small>`;
  if (name === "send") {
    const invoices = of.length >= SHORTEST_ENDING ? await findInvoices(actor.tenant, database, of, MOST) : [];
    const items = invoices.map(
      (each) =>
        html`<form method="post" action="/invoices/${each.id}/send"><button class="quiet">${label(each.name, each.beside)}${shownState(each.state, language)}</button></form>`,
    );
    return { title, items };
  }
  const place = (id: string) => (name === "log" ? `/companies/${id}#note` : `/invoices/new?company=${id}`);
  const companies = await findCompanies(actor.tenant, database, of, MOST);
  return {
    title,
    items: companies.map(({ id, name: of, beside }) => html`<a href="${place(id)}">${label(of, beside)}</a>`),
  };
}

/** A button that sends at most one value. */
function post(action: string, label: string, sought: readonly string[], name = "", value = ""): Html {
  return html`<form method="post" action="${action}"><button class="quiet"${name !== "" && html` name="${name}" value="${value}"`}><span>${marked(label, sought)}</span></button></form>`;
}
