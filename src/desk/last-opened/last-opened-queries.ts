import { quickQuery, writeQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Selected } from "../../platform/postgres/statement.ts";

/** The kinds of records that are remembered for the user who opens one, and where the pages of each are. */
export const openedPlaces = { company: "companies", contact: "contacts", invoice: "invoices" } as const;
export type OpenedKind = keyof typeof openedPlaces;

/** The most records of each user; older ones are removed. */
const MOST_RECORDS = 20;

/** Remembers that a user opened something (`company:7`), as the last. */
export const noteOpened = writeQuery<[userId: string, opened: `${OpenedKind}:${string}`]>(
  "note_opened",
  `insert into last_opened as o (tenant_id, user_id, opened) values ($1, $2, array[$3::text])
  on conflict (tenant_id, user_id) do update
    set opened = (array_prepend($3::text, array_remove(o.opened, $3::text)))[1:${MOST_RECORDS}]
    where o.opened[1] is distinct from $3::text`,
).nothing();

const columns = selectList({
  kind: column.text<OpenedKind>("o.kind"),
  id: column.text("o.id"),
  name: column.text("named.name"),
  /** The company that a contact or an invoice is of; null of a company. */
  company: "named.company",
});

/** Something that a user opened. */
export type Opened = Selected<typeof columns>;

const ofCompany = (alias: string) =>
  `join companies c on c.tenant_id = $1 and c.id = ${alias}.company_id and c.deleted_at is null
    where ${alias}.tenant_id = $1 and ${alias}.id = o.id`;

/** The records that a user opened last and that still exist: the latest first, each once. */
export const listOpened = quickQuery<[userId: string, most: number]>(
  "list_opened",
  // Each is looked up by its id: a join would read all companies to find twenty.
  `select ${columns.sql}
  from (
    select split_part(each, ':', 1) as kind, split_part(each, ':', 2)::bigint as id, place
    from last_opened, unnest(opened) with ordinality as opened (each, place)
    where tenant_id = $1 and user_id = $2
  ) o
  cross join lateral (
    select c.name, null as company from companies c
    where o.kind = 'company' and c.tenant_id = $1 and c.id = o.id and c.deleted_at is null
    union all select k.first_name || ' ' || k.last_name, c.name from contacts k ${ofCompany("k")}
      and o.kind = 'contact' and k.deleted_at is null
    union all select i.number, c.name from invoices i ${ofCompany("i")} and o.kind = 'invoice'
  ) named
  order by o.place limit $3`,
).all(columns.read);
