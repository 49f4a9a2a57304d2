import { pageOfCompaniesRows } from "../../customers/companies/company-bulk-queries.ts";
import { childMembers } from "../../customers/company-children/child-json.ts";
import { childReads } from "../../customers/company-children/child-reads.ts";
import { contact } from "../../customers/contacts/contact.ts";
import { contactNoun } from "../../customers/contacts/pages/contact-noun.ts";
import { withFields } from "../../customers/custom-fields/custom-lists.ts";
import { exportFile } from "../../exchange/imports/export-file.ts";
import type { Deps } from "../../kit/deps.ts";
import { sortIn, type ListColumn, type ListOf } from "../../kit/tables/list.ts";
import { tableWords } from "../../kit/tables/table-words.ts";
import { emptyState } from "../../kit/web/empty-state.ts";
import { html } from "../../kit/web/html.ts";
import { marked } from "../../kit/web/mark.ts";
import type { PageRequest } from "../../kit/web/page.ts";
import { FEWEST_DIGITS } from "../../platform/encryption/phone-digest.ts";
import { membersReader, type RowByName } from "../../platform/fields/reader.ts";
import { isSearchable, parsePage, pageAmong, type PageQuery } from "../../platform/http/lists/pagination.ts";
import { digitsOf } from "../../platform/phone-numbers.ts";
import { findPhones } from "../find/find-queries.ts";
import {
  contactSorts,
  listAllContacts,
  MOST_CONTACTS_LISTED,
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
  ofWorkspace: withFields("contact", ({ row }) => row.metadata ?? null, { isFiltered: false }),
  sorts: contactSorts,
  nameSorts: ["name"],
  choices: async () => ({}),
  async read(deps, request) {
    const { actor, query } = request;
    const { tenant } = actor;
    const sort = contactSorts.find((known) => known === sortIn(contactList, query)) ?? "name";
    const search = query.get("search") ?? null;
    const found = await (search === null ? listed(deps, request, sort) : searched(deps, request, sort, search));
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
  empty({ query, language }) {
    const words = allContactsWords[language];
    const search = query.get("search") ?? null;
    return search === null
      ? emptyState("contacts", words.none, [{ href: "/companies", label: words.toCompanies }])
      : emptyState("contacts", words.nothing(search), [{ href: "/contacts", label: tableWords[language].clear }]);
  },
  file(deps, request, selection) {
    const search = "ids" in selection ? null : (selection.query.get("search") ?? null);
    return exportFile(deps, request, "contacts", async () => {
      const ids = "ids" in selection ? selection.ids : search === null ? null : await idsFound(deps, request, search);
      return ids === null ? undefined : { page: chosenPage, values: { ids } };
    });
  },
};

const chosenPage = pageOfCompaniesRows(
  contact,
  "k.deleted_at is null and k.id = any(:ids::bigint[])",
  "export_chosen_contacts",
);

/** People of a page, how many of them are listed, whether there are more, and which page it is. */
type ContactsPage = { contacts: OfCompany[]; total: number; isCut: boolean; page: PageQuery };

async function listed({ database }: Deps, { actor, query }: PageRequest, sort: ContactSort): Promise<ContactsPage> {
  const asked = pageAmong(parsePage(query), MOST_CONTACTS_LISTED);
  const first = await listAllContacts(actor.tenant, database, sort, asked);
  const isCut = first.total > MOST_CONTACTS_LISTED;
  const total = Math.min(first.total, MOST_CONTACTS_LISTED);
  const page = pageAmong(asked, total);
  const { contacts } = page.page === asked.page ? first : await listAllContacts(actor.tenant, database, sort, page);
  return { contacts, total, isCut, page };
}

async function searched(deps: Deps, request: PageRequest, sort: ContactSort, search: string): Promise<ContactsPage> {
  const all = await found(deps, request, sort, search);
  const page = pageAmong(parsePage(request.query), all.length);
  const contacts = all.slice(page.offset, page.offset + page.perPage);
  return { contacts, total: all.length, isCut: false, page };
}

/** The people that a search finds, by words and by phone. */
async function found(
  { database, keyring }: Deps,
  { actor: { tenant } }: PageRequest,
  sort: ContactSort,
  search: string,
): Promise<OfCompany[]> {
  const digits = digitsOf(search);
  const phones = digits.length < FEWEST_DIGITS ? [] : await findPhones(tenant, database, keyring, digits);
  const ids = phones.filter(({ place }) => place === "contacts").map(({ id }) => id);
  return isSearchable(search) ? await searchAllContacts(tenant, database, sort, search, ids) : [];
}

async function idsFound(deps: Deps, request: PageRequest, search: string): Promise<string[]> {
  return (await found(deps, request, "name", search)).map(({ id }) => id);
}
