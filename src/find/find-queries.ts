import type { ColumnName, Keyring } from "../platform/encryption/keyring.ts";
import { digitsOf, MOST_DIGITS } from "../platform/encryption/phone-digest.ts";
import type { RowByName } from "../platform/fields/reader.ts";
import type { Database } from "../platform/postgres/database.ts";
import { selectList, type Statement } from "../platform/postgres/statement.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";

/** Something that was found: its page, what it is called, and what stands beside that. */
export type Found = { id: string; name: string; beside: string | null; more: string | null };

const found = selectList({ id: "f.id", name: "f.name", beside: "f.beside", more: "f.more" });

const companies: Statement = {
  name: "find_companies",
  // Looked up one by one: without statistics a join would read all companies.
  text: `select ${found.sql} from (
    select c.id, c.name, c.city as beside, null as more, place
    from find_companies($2, $3) with ordinality as match (id, place)
    cross join lateral (
      select c.id, c.name, c.city from companies c
      where c.tenant_id = $1 and c.id = match.id and c.deleted_at is null limit 1
    ) c
  ) f order by f.place`,
};

const foundInvoice = selectList({
  id: "i.id",
  name: "i.number",
  beside: "i.company",
  more: "coalesce(i.wms_order_number, i.wms_order_id::text)",
  wms_shown: "i.wms_shown",
  wms_status: "i.wms_status",
});

const invoices: Statement = {
  name: "find_invoices",
  // As above.
  text: `select ${foundInvoice.sql}
  from find_invoices($2, $3) with ordinality as match (id, place)
  cross join lateral (
    select i.id, i.number, c.name as company, i.wms_order_number, i.wms_order_id, i.wms_shown, i.wms_status
    from invoices i join companies c on c.tenant_id = $1 and c.id = i.company_id and c.deleted_at is null
    where i.tenant_id = $1 and i.id = match.id limit 1
  ) i order by match.place`,
};

/**
 * The contacts that are looked through, the newest: no index finds a part of a name among all companies' contacts, and
 * folding costs some 20 microseconds a row, but for those without accents.
 */
const LOOKED_THROUGH = 2_000;

/** $4: whether the words may have a wrong letter (migrations/functions/but_for_a_letter.sql). */
const contacts: Statement = {
  name: "find_people",
  text: `with meant as materialized (
    select place, case when $4 then but_for_a_letter(fold(word)) else array[search_pattern(word)] end as patterns,
      array(select search_pattern(o) from unnest($2::text[]) with ordinality as other (o, n) where n <> place) as others
    from unnest($2::text[]) with ordinality as sent (word, place)
  )
  select ${found.sql} from (
    select k.id, k.first_name || ' ' || k.last_name as name, c.name as beside, k.email as more
    from (
      select id, company_id, first_name, last_name, email,
        case when octet_length(searched) = length(searched) then lower(searched) else fold(searched) end as folded
      from (
        select id, company_id, first_name, last_name, email, first_name || ' ' || last_name || E'\\x1f' || coalesce(email, '') as searched from contacts
        where tenant_id = $1 and deleted_at is null order by id desc limit ${LOOKED_THROUGH}
      ) newest
    ) k
    join companies c on c.tenant_id = $1 and c.id = k.company_id and c.deleted_at is null
    where exists (select from meant where k.folded like any (patterns) and k.folded like all (others))
    order by k.id desc limit $3
  ) f`,
};

/** Of the contacts that migrations/functions/search_contacts.sql knows, which are also those of companies that the text means. */
const MOST_SEARCHED = 50;

const contactsByBeginning: Statement = {
  name: "find_people_by_beginning",
  text: `select ${found.sql} from (
    select k.*, fold(k.name || E'\\x1f' || coalesce(k.more, '')) as folded from search_contacts($4, ${MOST_SEARCHED}) match
    cross join lateral (
      select k.id, k.first_name || ' ' || k.last_name as name, c.name as beside, k.email as more
      from contacts k join companies c on c.tenant_id = $1 and c.id = k.company_id and c.deleted_at is null
      where k.tenant_id = $1 and k.id = match.id and k.deleted_at is null limit 1
    ) k
  ) f
  where f.folded like all (array(select search_pattern(word) from unnest($2::text[]) word)) order by f.id desc limit $3`,
};

const phone = selectList({
  place: "f.place",
  id: "f.id",
  name: "f.name",
  beside: "f.beside",
  phone: "f.phone",
  mobile: "f.mobile",
});

/** Each in its own table, by ids: a join would read all companies to find ten. */
const phones: Statement = {
  name: "find_phones",
  text: `select ${phone.sql}
  from (select distinct place, id from find_phones($2::text[], $3)) match
  cross join lateral (
    select match.place, c.id, c.name, c.city as beside, c.phone, null as mobile from companies c
    where match.place = 'companies' and c.tenant_id = $1 and c.id = match.id and c.deleted_at is null
    union all
    select match.place, k.id, k.first_name || ' ' || k.last_name, c.name, k.phone, k.mobile
    from contacts k join companies c on c.tenant_id = $1 and c.id = k.company_id and c.deleted_at is null
    where match.place = 'contacts' and k.tenant_id = $1 and k.id = match.id and k.deleted_at is null
    union all
    select match.place, a.id, coalesce(a.contact_name, a.label, a.address), c.name, a.phone, null
    from addresses a join companies c on c.tenant_id = $1 and c.id = a.company_id and c.deleted_at is null
    where match.place = 'addresses' and a.tenant_id = $1 and a.id = match.id and a.deleted_at is null
  ) f order by f.place, f.id`,
};

/** Of the numbers that end with the same six digits, those that are decrypted to compare the rest of what was typed. */
const MOST_PHONES = 50;

/** The companies that somebody means by some words (migrations/functions/find_companies.sql). */
export async function findCompanies(
  tenant: TenantId,
  database: Database,
  typed: string,
  most: number,
): Promise<Found[]> {
  return await read(tenant, database, companies, [typed, most]);
}

/** Contacts among the newest, of whatever company, that have every word in their name or e-mail; `isInexact`: but for one letter. */
export async function findContacts(
  tenant: TenantId,
  database: Database,
  words: readonly string[],
  most: number,
  isInexact: boolean,
): Promise<Found[]> {
  return await read(tenant, database, contacts, [words, most, isInexact]);
}

/** Those of all contacts whose name begins so, whichever of the two names is written first, and whose e-mail does. */
export async function findContactsByBeginning(
  tenant: TenantId,
  database: Database,
  words: readonly string[],
  most: number,
): Promise<Found[]> {
  return await read(tenant, database, contactsByBeginning, [words, most, words.join(" ")]);
}

/** The invoices whose number, or whose order's, ends so, each with what its state is made of (invoices/shown-state.ts). */
export async function findInvoices(
  tenant: TenantId,
  database: Database,
  ending: string,
  most: number,
): Promise<(Found & { state: RowByName })[]> {
  const rows = await database.slow.read(tenant, invoices, [ending, most]);
  const all = rows.map((row) => {
    const { id, name, beside, more, ...state } = foundInvoice.read(row);
    return { id: String(id), name: String(name), beside, more, state };
  });
  return all.filter(({ id }, at) => all.findIndex((other) => other.id === id) === at);
}

/** The phones that end with these digits, six or more, each with whose it is; of a number with its country the last nine are compared. */
export async function findPhones(
  tenant: TenantId,
  database: Database,
  keyring: Keyring,
  digits: string,
): Promise<(Found & { place: string })[]> {
  const prefixes = keyring.phonePrefixes(tenant, digits);
  const rows = await database.slow.read(tenant, phones, [prefixes, MOST_PHONES]);
  const ending = digits.slice(-MOST_DIGITS);
  return rows.flatMap((row) => {
    const { place, id, name, beside, ...stored } = phone.read(row);
    const numbers = Object.entries(stored).map(([column, value]) => {
      const at: ColumnName = `${place}.${column}`;
      return value === null ? null : keyring.reveal(tenant, at, value);
    });
    const more = numbers.find((number) => number !== null && digitsOf(number).endsWith(ending));
    return more === undefined ? [] : [{ place: String(place), id: String(id), name: String(name), beside, more }];
  });
}

async function read(
  tenant: TenantId,
  database: Database,
  statement: Statement,
  parameters: readonly (string | number | boolean | readonly string[])[],
): Promise<Found[]> {
  const rows = await database.slow.read(tenant, statement, [...parameters] as never);
  return rows.map((row) => {
    const { id, name, beside, more } = found.read(row);
    return { id: String(id), name: String(name), beside, more };
  });
}
