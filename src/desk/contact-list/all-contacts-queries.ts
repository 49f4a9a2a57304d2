import type { PageQuery } from "../../platform/http/lists/pagination.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { column, oneValue, selectList, type Selected, type Statement } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";

export const contactSorts = ["name", "-last_contacted_at"] as const;
export type ContactSort = (typeof contactSorts)[number];

/** The most contacts of all companies that are counted and listed. A search finds the others. */
export const MOST_CONTACTS_LISTED = 1_000;
/** A search finds at most as many. */
export const MOST_FOUND = 200;

/** People of deleted companies are hidden. At most this number of contacts is read to find the others. */
const LOOKED_THROUGH = 10_000;

/** Each order as it is in the index, and as it is called outside. */
const orders: Readonly<Record<ContactSort, { by: string; direction: string }>> = {
  name: { by: `fold(k.first_name || ' ' || k.last_name) collate "C"`, direction: "asc" },
  "-last_contacted_at": { by: "k.last_contacted_at", direction: "desc" },
};

const orderOf = (by: string, direction: string) => `${by} ${direction} nulls last, k.id ${direction}`;

const columns = selectList({
  id: column.text("k.id"),
  companyId: column.text("c.id"),
  companyName: column.text("c.name"),
});

/** A contact of any company. */
export type OfCompany = Selected<typeof columns>;

const live = "k.tenant_id = $1 and k.deleted_at is null";
// Looked up one by one: a join would read all companies for a page of people.
const withCompany = `cross join lateral (
    select c.id, c.name from companies c where c.tenant_id = $1 and c.id = k.company_id and c.deleted_at is null limit 1
  ) c`;

function contactsIn(sort: ContactSort): string {
  const { by, direction } = orders[sort];
  return `(
    select k.*, ${by} as place from contacts k where ${live} order by ${orderOf(by, direction)} limit ${LOOKED_THROUGH}
  ) k ${withCompany}`;
}

function listText(sort: ContactSort): string {
  return `select ${columns.sql} from ${contactsIn(sort)}
  order by ${orderOf("k.place", orders[sort].direction)} limit $2 offset $3`;
}

const lists: Readonly<Record<ContactSort, Statement>> = {
  name: { name: "all_contacts_by_name", text: listText("name") },
  "-last_contacted_at": { name: "all_contacts_by_last_contact", text: listText("-last_contacted_at") },
};

const countStatement: Statement = {
  name: "count_contacts_of_all_companies",
  text: `select count(*) from (select from ${contactsIn("name")} limit $2) n`,
};

function searchText(sort: ContactSort): string {
  const { by, direction } = orders[sort];
  return `select ${columns.sql}
  from (
    select distinct id from (select id from search_contacts($2, ${MOST_FOUND}) union all select unnest($3::bigint[])) m
  ) m
  cross join lateral (select k.* from contacts k where ${live} and k.id = m.id limit 1) k ${withCompany}
  order by ${orderOf(by, direction)} limit ${MOST_FOUND}`;
}

const searches: Readonly<Record<ContactSort, Statement>> = {
  name: { name: "search_contacts_by_name", text: searchText("name") },
  "-last_contacted_at": { name: "search_contacts_by_last_contact", text: searchText("-last_contacted_at") },
};

/** One page of the people of all companies, and their number, of which MOST_CONTACTS_LISTED at most are counted. */
export async function listAllContacts(
  tenant: TenantId,
  database: Database,
  sort: ContactSort,
  { perPage, offset }: PageQuery,
): Promise<{ contacts: OfCompany[]; total: number }> {
  const [counted, rows = []] = await database.slow.readAll(tenant, [
    { statement: countStatement, parameters: [MOST_CONTACTS_LISTED + 1] },
    { statement: lists[sort], parameters: [perPage, offset] },
  ]);
  return { contacts: rows.map(columns.read), total: Number(oneValue(counted)) };
}

/** The people that some words mean, and those with these ids beside them: MOST_FOUND at most. */
export async function searchAllContacts(
  tenant: TenantId,
  database: Database,
  sort: ContactSort,
  typed: string,
  others: readonly string[],
): Promise<OfCompany[]> {
  return (await database.slow.read(tenant, searches[sort], [typed, [...others]])).map(columns.read);
}
