import type { PageQuery } from "../../platform/http/lists/pagination.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { callWith, namedStatement, readNamed, type NamedStatement } from "../../platform/postgres/query.ts";
import { column, oneValue, selectList, type Selected } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { hasCustomValues, rarestEntries } from "../../platform/reads/custom-values.ts";
import { everyId } from "../../platform/reads/every-id.ts";
import { byId, byIdDown, orderText, type RowOrder } from "../../platform/reads/order.ts";

export const contactSorts = ["name", "-last_contacted_at"] as const;
export type ContactSort = (typeof contactSorts)[number];

/** The most contacts of all companies that are counted and listed. A search finds the others. */
export const MOST_CONTACTS_LISTED = 1_000;
/** A search finds at most as many. */
export const MOST_FOUND = 200;

/** People of deleted companies are hidden. At most this number of contacts is read to find the others. */
const LOOKED_THROUGH = 10_000;

const orders: Readonly<Record<ContactSort, RowOrder>> = {
  name: [{ sql: `fold(k.first_name || ' ' || k.last_name) collate "C"`, beginning: "" }, ...byId],
  "-last_contacted_at": [
    { sql: "k.last_contacted_at", beginning: "infinity", isDescending: true, isNullable: true },
    ...byIdDown,
  ],
};

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

function contactsBy(order: RowOrder): string {
  return `(select k.*, ${order[0]?.sql} as place from contacts k where ${live}
    order by ${orderText(order)} limit ${LOOKED_THROUGH}) k ${withCompany}`;
}

const count = namedStatement(
  "count_contacts_of_all_companies",
  `select count(*) from (select from ${contactsBy(orders.name)} limit :most) n`,
);

const pages = bySort("all_contacts", (order) => {
  const placed = order.map((part, index) => (index === 0 ? { ...part, sql: "k.place" } : part));
  return `select ${columns.sql} from ${contactsBy(order)} order by ${orderText(placed)} limit :limit offset :offset`;
});

const searches = bySort(
  "search_contacts",
  (order) => `with candidates as materialized (
    select distinct id from (select id from search_contacts(:typed, ${MOST_FOUND}) union all select unnest(:others::bigint[])) m
  )
  select ${columns.sql}, (select count(*) from candidates) >= ${MOST_FOUND}
  from candidates m
  cross join lateral (select k.* from contacts k where ${live} and k.id = m.id limit 1) k ${withCompany}
  where ${hasCustomValues} order by ${orderText(order)} limit ${MOST_FOUND}`,
);

const valued = bySort(
  "contacts_with_values",
  (order) => `with candidates as materialized (${rarestEntries("contact")})
  select ${columns.sql}, (select count(*) from candidates) >= :most
  from candidates m
  cross join lateral (select k.* from contacts k where ${live} and k.id = m.id limit 1) k ${withCompany}
  where ${hasCustomValues} order by ${orderText(order)} limit ${MOST_CONTACTS_LISTED + 1}`,
);

const idsStatement = namedStatement(
  "ids_of_all_contacts",
  `select k.id from contacts k ${withCompany} where ${live} and k.id > :after and ${hasCustomValues} order by k.id limit :limit`,
);

function bySort(name: string, textOf: (order: RowOrder) => string): Readonly<Record<ContactSort, NamedStatement>> {
  return {
    name: namedStatement(`${name}_by_name`, textOf(orders.name)),
    "-last_contacted_at": namedStatement(`${name}_by_last_contact`, textOf(orders["-last_contacted_at"])),
  };
}

/** One page of the people of all companies, and their number, of which MOST_CONTACTS_LISTED at most are counted. */
export async function listAllContacts(
  tenant: TenantId,
  database: Database,
  sort: ContactSort,
  { perPage, offset }: PageQuery,
): Promise<{ contacts: OfCompany[]; total: number }> {
  const [counted, rows = []] = await database.slow.readAll(tenant, [
    callWith(count, { most: MOST_CONTACTS_LISTED + 1 }),
    callWith(pages[sort], { limit: perPage, offset }),
  ]);
  return { contacts: rows.map(columns.read), total: Number(oneValue(counted)) };
}

/**
 * The people whose texts match, and those with these ids (`others`); MOST_FOUND at most. `isCut`: there may be more.
 * @param custom the values that all of them have, as JSON
 */
export async function searchAllContacts(
  tenant: TenantId,
  database: Database,
  sort: ContactSort,
  { typed, others, custom }: { typed: string; others: readonly string[]; custom: string | null },
): Promise<{ contacts: OfCompany[]; isCut: boolean }> {
  const rows = await readNamed(tenant, database.slow, searches[sort], { typed, others, custom });
  return { contacts: rows.map(columns.read), isCut: rows[0]?.at(-1) === "t" };
}

/** The people with these values, MOST_CONTACTS_LISTED at most. `isCut`: there may be more. */
export async function contactsWithValues(
  tenant: TenantId,
  database: Database,
  sort: ContactSort,
  custom: string,
): Promise<{ contacts: OfCompany[]; isCut: boolean }> {
  const rows = await readNamed(tenant, database.slow, valued[sort], { custom, most: LOOKED_THROUGH });
  const isCut = rows.length > MOST_CONTACTS_LISTED || rows[0]?.at(-1) === "t";
  return { contacts: rows.slice(0, MOST_CONTACTS_LISTED).map(columns.read), isCut };
}

/** The ids of all people, or of those with these values. */
export function everyContact(tenant: TenantId, database: Database, custom: string | null): AsyncGenerator<string[]> {
  return everyId(tenant, database, idsStatement, { custom });
}
