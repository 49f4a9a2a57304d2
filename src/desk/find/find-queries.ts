import type { ActivityKind } from "../../customers/activities/activity.ts";
import type { CustomNoun } from "../../customers/custom-fields/custom-field.ts";
import type { ColumnName, Keyring } from "../../platform/encryption/keyring.ts";
import { MOST_DIGITS } from "../../platform/encryption/phone-digest.ts";
import { phoneNumbersIn } from "../../platform/phone-numbers.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { slowQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Selected } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";

/** A result: its id, its name, and the text beside it. */
export type Found = { id: string; name: string; beside: string | null; more: string | null };

const foundCompany = selectList({
  id: column.text("c.id"),
  name: column.text("c.name"),
  beside: "c.city",
  more: "c.tax_id",
});

/** The companies that match some words (migrations/functions/find_companies.sql). `more` is the fiscal id. */
export const findCompanies = slowQuery<[typed: string, most: number]>(
  "find_companies",
  // Looked up one by one: without statistics, a join would read all companies.
  `select ${foundCompany.sql}
  from find_companies($2, $3) with ordinality as match (id, place)
  cross join lateral (
    select c.id, c.name, c.city, c.tax_id from companies c
    where c.tenant_id = $1 and c.id = match.id and c.deleted_at is null limit 1
  ) c order by match.place`,
).all(foundCompany.read);

const foundInvoice = selectList({
  id: column.text("i.id"),
  name: column.text("i.number"),
  beside: "i.company",
  more: "coalesce(i.wms_order_number, i.wms_order_id::text)",
  wms_shown: "i.wms_shown",
  wms_status: "i.wms_status",
});

/**
 * The invoices whose number, or whose order's number, ends with a text, with the columns of their displayed state
 * (invoices/shown-state.ts).
 */
export const findInvoices = slowQuery<[ending: string, most: number]>(
  "find_invoices",
  // As above.
  `select ${foundInvoice.sql}
  from find_invoices($2, $3) with ordinality as match (id, place)
  cross join lateral (
    select i.id, i.number, c.name as company, i.wms_order_number, i.wms_order_id, i.wms_shown, i.wms_status
    from invoices i join companies c on c.tenant_id = $1 and c.id = i.company_id and c.deleted_at is null
    where i.tenant_id = $1 and i.id = match.id limit 1
  ) i order by match.place`,
).of((rows) => {
  const all = rows.map((row) => {
    const { id, name, beside, more, ...state } = foundInvoice.read(row);
    return { id, name, beside, more, state };
  });
  return all.filter(({ id }, at) => all.findIndex((other) => other.id === id) === at);
});

const foundContact = selectList({
  id: column.text("k.id"),
  name: column.text("k.name"),
  beside: "k.beside",
  more: "k.more",
  isExact: column.flag("match.is_exact"),
});

/** Contacts that are read: more than needed, because those of deleted companies are left out. */
const MOST_CONTACTS = 50;

/** The contacts that match every word, exactly or except for one letter (migrations/functions/find_contacts.sql). */
export const findContacts = slowQuery<[typed: string, most: number]>(
  "find_people",
  // As above.
  `select ${foundContact.sql}
  from find_contacts($2, ${MOST_CONTACTS}) with ordinality as match (id, is_exact, place)
  cross join lateral (
    select k.id, k.first_name || ' ' || k.last_name as name, c.name as beside, k.email as more
    from contacts k join companies c on c.tenant_id = $1 and c.id = k.company_id and c.deleted_at is null
    where k.tenant_id = $1 and k.id = match.id and k.deleted_at is null limit 1
  ) k order by match.place limit $3`,
).all(foundContact.read);

const phone = selectList({
  place: column.text("f.place"),
  id: column.text("f.id"),
  name: column.text("f.name"),
  beside: "f.beside",
  phone: "f.phone",
  mobile: "f.mobile",
});

/** One lookup per table by id: a join would read all companies to find ten. */
const listPhones = slowQuery<[prefixes: readonly string[], most: number]>(
  "find_phones",
  `select ${phone.sql}
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
).all(phone.read);

const value = selectList({
  noun: column.text<CustomNoun>("f.noun"),
  key: column.text("f.key"),
  value: column.text("left(r.value, 100)"),
  id: column.text("f.record_id"),
  name: column.text("r.name"),
  beside: "r.beside",
});

/** Values that are read, of a field and of all: more than needed, because records of deleted companies are left out. */
const [MOST_OF_FIELD, MOST_VALUES] = [20, 60];

/**
 * The records with values of these fields that begin with a text, without case and accents, in alphabetical order. Of
 * each field the first entries of its range in the index are read.
 */
export const findValues = slowQuery<[nouns: string[], keys: string[], typed: string]>(
  "find_values",
  // As above.
  `select ${value.sql}
  from (
    select field.noun, field.key, v.value, v.record_id
    from unnest($2::text[], $3::text[]) as field (noun, key)
    cross join lateral (select left(value_entry(field.noun, field.key, ''), -1) as beginning) every
    cross join lateral (select every.beginning || left(fold($4), 60) as beginning) sought
    cross join lateral (
      select substr(e.entry, length(every.beginning) + 1) as value, e.record_id from value_entries e
      where e.tenant_id = $1 and e.entry >= sought.beginning and e.entry <= sought.beginning || chr(1114111)
      order by e.entry limit ${MOST_OF_FIELD}
    ) v
    order by v.value limit ${MOST_VALUES}
  ) f
  cross join lateral (
    select c.name, c.city as beside, c.metadata ->> f.key as value from companies c
    where f.noun = 'company' and c.tenant_id = $1 and c.id = f.record_id and c.deleted_at is null
    union all
    select k.first_name || ' ' || k.last_name, c.name, k.metadata ->> f.key
    from contacts k join companies c on c.tenant_id = $1 and c.id = k.company_id and c.deleted_at is null
    where f.noun = 'contact' and k.tenant_id = $1 and k.id = f.record_id and k.deleted_at is null
    union all
    select i.number, c.name, i.metadata ->> f.key
    from invoices i join companies c on c.tenant_id = $1 and c.id = i.company_id and c.deleted_at is null
    where f.noun = 'invoice' and i.tenant_id = $1 and i.id = f.record_id
  ) r where starts_with(fold(r.value), fold($4)) order by f.value, f.record_id`,
).all(value.read);

const note = selectList({
  id: column.text("a.id"),
  at: column.text("a.at"),
  kind: column.text<ActivityKind>("a.kind"),
  note: column.text("a.note"),
  companyId: column.text("a.company_id"),
  companyName: column.text("a.company"),
});

/** An activity with its note; `at` is PostgreSQL's text. */
export type FoundNote = Selected<typeof note>;

/** The newest activities whose notes have every word, or its beginning (migrations/functions/find_activities.sql). */
export const findNotes = slowQuery<[typed: string, most: number]>(
  "find_notes",
  // As above.
  `select ${note.sql}
  from find_activities($2, $3) with ordinality as match (id, place)
  cross join lateral (
    select a.id, a.at, a.kind, a.note, a.company_id, c.name as company
    from activities a join companies c on c.tenant_id = $1 and c.id = a.company_id and c.deleted_at is null
    where a.tenant_id = $1 and a.id = match.id limit 1
  ) a order by match.place`,
).all(note.read);

/** Numbers with the same last six digits that are decrypted to compare the other digits. */
const MOST_PHONES = 50;

/**
 * The phones that end with these digits (at least six), with their owners. Of a number with a country code, the last
 * nine digits are compared.
 */
export async function findPhones(
  tenant: TenantId,
  database: Database,
  keyring: Keyring,
  digits: string,
): Promise<(Found & { place: string })[]> {
  const prefixes = keyring.phonePrefixes(tenant, digits);
  const phones = await listPhones(tenant, database, prefixes, MOST_PHONES);
  const ending = digits.slice(-MOST_DIGITS);
  return phones.flatMap(({ place, id, name, beside, ...stored }) => {
    const numbers = Object.entries(stored).map(([column, value]) => {
      const at: ColumnName = `${place}.${column}`;
      return value === null ? null : keyring.reveal(tenant, at, value);
    });
    const more = numbers.find(
      (number) => number !== null && phoneNumbersIn(number).some((each) => each.endsWith(ending)),
    );
    return more === undefined ? [] : [{ place, id, name, beside, more }];
  });
}
