import { pageOfCompaniesRows } from "../../customers/companies/company-bulk-queries.ts";
import { childMembers } from "../../customers/company-children/child-json.ts";
import { childReads } from "../../customers/company-children/child-reads.ts";
import { contact } from "../../customers/contacts/contact.ts";
import { contactNoun } from "../../customers/contacts/pages/contact-noun.ts";
import { askedValues, withFields } from "../../customers/custom-fields/custom-lists.ts";
import { exportFile } from "../../exchange/exports/page-export.ts";
import type { Deps } from "../../kit/deps.ts";
import { sortIn, type ListColumn, type ListOf } from "../../kit/tables/list.ts";
import { tableWords } from "../../kit/tables/table-words.ts";
import { emptyState } from "../../kit/web/empty-state.ts";
import { html } from "../../kit/web/html.ts";
import { wholeNumber } from "../../kit/web/language.ts";
import { marked } from "../../kit/web/mark.ts";
import type { PageRequest } from "../../kit/web/page.ts";
import { FEWEST_DIGITS } from "../../platform/encryption/phone-digest.ts";
import { membersReader, type RowByName } from "../../platform/fields/reader.ts";
import {
  isSearchable,
  parsePage,
  pageAmong,
  type PageQuery,
  type Query,
} from "../../platform/http/lists/pagination.ts";
import { digitsOf } from "../../platform/phone-numbers.ts";
import { hasCustomValues } from "../../platform/reads/custom-values.ts";
import { changeField } from "../changing/change-selected.ts";
import { findPhones } from "../find/find-queries.ts";
import {
  contactSorts,
  contactsWithValues,
  everyContact,
  listAllContacts,
  MOST_CONTACTS_LISTED,
  MOST_FOUND,
  searchAllContacts,
  type ContactSort,
  type OfCompany,
} from "./all-contacts-queries.ts";
import { allContactsWords, contactListWords } from "./contact-list-words.ts";

const reads = childReads(contact).ofCompany;
const read = membersReader(childMembers(contact));

/** A contact of a page, with its company. */
type ListedContact = OfCompany & { row: RowByName };

const ofNoun = contactNoun.columns.map(({ name, kind, cell }): ListColumn<ListedContact> => ({
  name,
  ...(kind === "date" && { kind, sorts: ["-last_contacted_at"] }),
  cell: ({ row }, { query, language, session }) =>
    cell(row, { search: query.get("search") ?? null, language, timeZone: session.workspace.timeZone }),
}));

/** GET /contacts: the people of all companies. */
export const contactList: ListOf<ListedContact> = {
  name: "contacts",
  words: contactListWords,
  columns: [
    {
      name: "company",
      kind: "wide",
      cell: ({ companyId, companyName }, { query }) =>
        html`<a href="/companies/${companyId}" title="${companyName}">${marked(companyName, query.get("search") ?? null)}</a>`,
    },
    ...ofNoun,
    ...(["department", "notes"] as const).map((name): ListColumn<ListedContact> => {
      return { name, isOptional: true, cell: ({ row }) => row[name] ?? null };
    }),
  ],
  filters: [],
  ofWorkspace: withFields("contact", ({ id }) => id),
  sorts: contactSorts,
  nameSorts: ["name"],
  choices: async () => ({}),
  async read(deps, request) {
    const { actor, query } = request;
    const { tenant } = actor;
    const sort = contactSorts.find((known) => known === sortIn(contactList, query)) ?? "name";
    const matched = await matchingContacts(deps, request, query, sort);
    const found = matched === null ? await listed(deps, request, sort) : pageOf(matched, query);
    const ids = found.contacts.map(({ id }) => id);
    const rows = await reads.whole(tenant, deps.database, ids);
    const byId = new Map(rows.map((row) => read(row, { keyring: deps.keyring, tenant })).map((row) => [row.id, row]));
    const items = found.contacts.flatMap((each) => {
      const row = byId.get(each.id);
      return row === undefined ? [] : [{ ...each, row }];
    });
    return { ...found, items };
  },
  title({ id, row }, { query }) {
    const name = contactNoun.title(row);
    return { id, name, href: `/contacts/${id}`, shown: marked(name, query.get("search") ?? null) };
  },
  empty({ query, language }, isNarrowed) {
    const words = allContactsWords[language];
    const search = query.get("search") ?? null;
    if (search === null && !isNarrowed) {
      return emptyState("contacts", words.none, [
        { href: "/imports/new?kind=contacts", label: words.importThem },
        { href: "/companies", label: words.toCompanies },
      ]);
    }
    const nothing = search === null || isNarrowed ? words.noneOfThese : words.nothing(search);
    return emptyState("contacts", nothing, [{ href: "/contacts", label: tableWords[language].clear }]);
  },
  more({ query, language }, total) {
    const { more, moreFound } = allContactsWords[language];
    return query.get("search") === undefined
      ? more(wholeNumber(language, total))
      : moreFound(wholeNumber(language, MOST_FOUND));
  },
  reached: ({ query, language }, total) =>
    query.get("search") === undefined ? null : allContactsWords[language].selectFound(wholeNumber(language, total)),
  file(deps, request, selection) {
    return exportFile(deps, request, "contacts", async () => {
      if ("ids" in selection) return { page: chosenPage, values: { ids: selection.ids } };
      const { query } = selection;
      const custom = await askedValues(deps, request, "contact", query);
      // All that have a value, also beyond those that are listed.
      if (query.get("search") === undefined && custom != null) return { page: valuedPage, values: { custom } };
      const matched = await matchingContacts(deps, request, query, "name");
      return matched === null ? undefined : { page: chosenPage, values: { ids: matched.contacts.map(({ id }) => id) } };
    });
  },
  actions: [
    changeField({
      noun: "contact",
      kind: "contacts",
      area: "contacts",
      async *matching(deps, request, query) {
        const { tenant } = request.actor;
        const custom = await askedValues(deps, request, "contact", query);
        if (query.get("search") === undefined && custom !== undefined) {
          yield* everyContact(tenant, deps.database, custom);
        } else {
          yield (await matchingContacts(deps, request, query, "name"))?.contacts.map(({ id }) => id) ?? [];
        }
      },
    }),
  ],
};

const chosenPage = pageOfCompaniesRows(
  contact,
  "k.deleted_at is null and k.id = any(:ids::bigint[])",
  "export_chosen_contacts",
);
const valuedPage = pageOfCompaniesRows(
  contact,
  `k.deleted_at is null and ${hasCustomValues}`,
  "export_contacts_with_values",
);

/** People of a page, how many of them are listed, whether there are more, and which page it is. */
type ContactsPage = { contacts: OfCompany[]; total: number; isCut: boolean; page: PageQuery };

async function listed({ database }: Deps, { actor, query }: PageRequest, sort: ContactSort): Promise<ContactsPage> {
  const requested = pageAmong(parsePage(query), MOST_CONTACTS_LISTED);
  const first = await listAllContacts(actor.tenant, database, sort, requested);
  const isCut = first.total > MOST_CONTACTS_LISTED;
  const total = Math.min(first.total, MOST_CONTACTS_LISTED);
  const page = pageAmong(requested, total);
  const { contacts } = page.page === requested.page ? first : await listAllContacts(actor.tenant, database, sort, page);
  return { contacts, total, isCut, page };
}

/** A page of people that are all known. */
function pageOf({ contacts, isCut }: Matched, query: Query): ContactsPage {
  const page = pageAmong(parsePage(query), contacts.length);
  return { contacts: contacts.slice(page.offset, page.offset + page.perPage), total: contacts.length, isCut, page };
}

type Matched = { contacts: OfCompany[]; isCut: boolean };

/** The people that a search or values of own fields find; null for a query without both. A search finds phones too. */
async function matchingContacts(
  deps: Deps,
  request: PageRequest,
  query: Query,
  sort: ContactSort,
): Promise<Matched | null> {
  const { database, keyring } = deps;
  const { tenant } = request.actor;
  const custom = await askedValues(deps, request, "contact", query);
  const search = query.get("search") ?? null;
  if (custom === undefined) return { contacts: [], isCut: false };
  if (search === null) return custom === null ? null : await contactsWithValues(tenant, database, sort, custom);
  if (!isSearchable(search)) return { contacts: [], isCut: false };
  const digits = digitsOf(search);
  const phones = digits.length < FEWEST_DIGITS ? [] : await findPhones(tenant, database, keyring, digits);
  const others = phones.filter(({ place }) => place === "contacts").map(({ id }) => id);
  return await searchAllContacts(tenant, database, sort, { typed: search, others, custom });
}
