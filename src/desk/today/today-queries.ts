import { isOwnedBy } from "../../customers/companies/live-company-queries.ts";
import { hasWarehouse, keyRefusedAt } from "../../customers/companies/warehouse-of-company.ts";
import { pageInvoiceColumns } from "../../orders/invoices/invoice-json.ts";
import { listedInvoiceRow } from "../../orders/invoices/invoice-row.ts";
import { dueDay, isOverdue, leftSql } from "../../orders/invoices/money-queries.ts";
import { isInNeed, NEWEST_FIRST } from "../../orders/invoices/shown-queries.ts";
import type { ListedOrder } from "../../orders/wms/orders/order-list-queries.ts";
import { unsent, UNSENT } from "../../orders/wms/orders/unsent-queries.ts";
import type { Keyring, Secrets } from "../../platform/encryption/keyring.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { namedStatement, quickQuery, readNamed, slowQuery } from "../../platform/postgres/query.ts";
import { column, selectList } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import {
  COMPANY_OF_ITEM,
  countsBeside,
  firstAndCounted,
  itemsIn,
  MOST_SCANNED,
  type CountedItems,
  type CountedGroup,
} from "./counted-queries.ts";

/** A call that is due. */
export type CallBack = {
  /** The call's. */
  call: string;
  /** The company's. */
  id: string;
  name: string;
  date: string;
  about: string | null;
  invoice: { id: string; number: string } | null;
  contact: { id: string; name: string } | null;
  phone: string | null;
};

const callBack = selectList({
  call: column.text("h.id"),
  id: column.text("c.id"),
  name: column.text("c.name"),
  date: column.text("h.due_on"),
  about: "h.about",
  invoiceId: "i.id",
  invoiceNumber: column.text("i.number"),
  companyPhone: "c.phone",
  contactId: "k.id",
  contactName: column.text("k.first_name || ' ' || k.last_name"),
  phone: "k.phone",
  mobile: "k.mobile",
});

const COMING = "planned_calls h where h.tenant_id = $1 and h.deleted_at is null";

/**
 * The calls to come `n` on one side of a day (`:today`) with their companies `c`, the earliest first. `assigned_to` is
 * the user who should call (isOwnedBy).
 */
const calledBack = (condition: string) => `(
    select h.id, h.company_id, h.assigned_to, h.due_on from ${COMING} and ${condition}
    order by h.due_on, h.id limit ${MOST_SCANNED}
  ) n
  cross join lateral (
    select coalesce(n.assigned_to, c.assigned_to) as assigned_to from companies c
    where c.tenant_id = $1 and c.id = n.company_id and c.deleted_at is null offset 0
  ) c`;

const callBackStatement = namedStatement(
  "call_backs",
  firstAndCounted({
    found: `select n.id, n.due_on as at, c.assigned_to from ${calledBack("h.due_on <= :today::date")}`,
    candidates: `${COMING} and h.due_on <= :today::date`,
    order: "at, id",
    columns: callBack.sql,
    joins: `left join lateral (select * from planned_calls where tenant_id = $1 and id = n.id offset 0) h on true
  left join lateral (select * from companies where tenant_id = $1 and id = h.company_id offset 0) c on true
  left join lateral (
    select k.* from contacts k where k.tenant_id = $1 and k.company_id = c.id and k.deleted_at is null
    order by coalesce(k.id = h.contact_id, false) desc, k.is_primary desc, fold(k.first_name) collate "C", k.id limit 1
  ) k on true
  left join invoices i on i.tenant_id = $1 and i.id = h.invoice_id`,
  }),
);

/** The items of one group, `most` of them. */
export type ItemsQuery = { assignedTo: string | null; today: string; most: number };

/**
 * The calls of a day or earlier, the longest due first.
 * @param assignedTo a user's id, NO_OWNER, or null for all companies
 */
export async function listCallBacks(
  tenant: TenantId,
  { database, keyring }: { database: Database; keyring: Keyring },
  { today, assignedTo, most }: ItemsQuery,
): Promise<{ callBacks: CallBack[] } & CountedItems> {
  const rows = await readNamed(tenant, database.slow, callBackStatement, { assigned_to: assignedTo, today, most });
  const callBacks = itemsIn(rows).map((row) => {
    const read = callBack.read(row);
    const { call, id, name, date, about, companyPhone, contactId, contactName, phone, mobile } = read;
    const invoice = read.invoiceId === null ? null : { id: read.invoiceId, number: read.invoiceNumber };
    const shown =
      (mobile !== null && keyring.reveal(tenant, "contacts.mobile", mobile)) ||
      (phone !== null && keyring.reveal(tenant, "contacts.phone", phone)) ||
      (companyPhone !== null && keyring.reveal(tenant, "companies.phone", companyPhone)) ||
      null;
    const contact = contactId === null ? null : { id: contactId, name: contactName };
    return { call, id, name, date, about, invoice, contact, phone: shown };
  });
  return { callBacks, ...countsBeside(rows) };
}

const nextCall = selectList({
  id: column.text("c.id"),
  name: column.text("c.name"),
  date: column.text("h.due_on"),
});

/** The first call of an owner after a day; null if there is none. */
export const findNextCall = slowQuery<{ assigned_to: string | null; today: string }>(
  "find_next_call",
  `select ${nextCall.sql} from (
    select n.id from ${calledBack("h.due_on > :today::date")} where ${isOwnedBy("c", ":assigned_to")}
    order by n.due_on, n.id limit 1
  ) n
  cross join lateral (select * from planned_calls where tenant_id = $1 and id = n.id offset 0) h
  cross join lateral (select * from companies where tenant_id = $1 and id = h.company_id offset 0) c`,
).first(nextCall.read);

/** The order of lists of invoices. */
const NEWEST = "at desc nulls last, id desc";

/** The newest invoices of connected companies that may be sent and were not. */
export const listUnsent = listInvoices("unsent_invoices", {
  found: `select i.id, i.issued_on as at, c.assigned_to from ${unsent({ companyColumns: "c.assigned_to" })}`,
  candidates: UNSENT,
  order: NEWEST,
  amount: "i.total",
});

/** The most invoices that one click sends. */
export const MOST_SENT = 1_000;

/** The ids of an owner's invoices among these. `through`: the newest that the page counted; later ones stay. */
export const listUnsentIds = slowQuery<{ assigned_to: string | null; through: string; limit: number }>(
  "list_unsent_ids",
  `select i.id from ${unsent({ ofCompany: `and ${isOwnedBy("c", ":assigned_to")}` })} and i.id <= :through
  ${NEWEST_FIRST} limit :limit`,
).all(([id]) => String(id));

const OVERDUE = `invoices i where i.tenant_id = $1 and ${isOverdue(":today::date")}`;

/** The invoices that are issued and not paid although their day has passed, the longest due first. */
export const listOverdue = listInvoices("overdue_invoices", {
  found: `select n.id, n.due as at, c.assigned_to from (
    select i.id, i.company_id, ${dueDay} as due from ${OVERDUE} order by ${dueDay}, i.id limit ${MOST_SCANNED}
  ) n ${COMPANY_OF_ITEM}`,
  candidates: OVERDUE,
  order: "at, id",
  amount: leftSql,
});

const NEEDS = `invoices i where i.tenant_id = $1 and ${isInNeed} and i.wms_shown <> 'to_be_confirmed'`;

/** The orders in need, the newest first, without the links to be confirmed. */
export const listNeeds = listInvoices("needs_of_owner", {
  found: `select n.id, n.issued_on as at, c.assigned_to from (
    select i.id, i.company_id, i.issued_on from ${NEEDS} order by i.wms_needs_at desc limit ${MOST_SCANNED}
  ) n ${COMPANY_OF_ITEM}`,
  candidates: NEEDS,
  order: NEWEST,
  amount: "i.total",
});

/** With the phone of the company. */
export type TodayOrder = ListedOrder & { phone: string | null };

function listInvoices(name: string, group: Omit<CountedGroup, "columns" | "joins">) {
  const statement = namedStatement(
    name,
    firstAndCounted({
      ...group,
      columns: `${pageInvoiceColumns("i")}, c.name, ${hasWarehouse("c")}, ${keyRefusedAt("c")} is not null, c.phone`,
      joins: `left join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i on true
  left join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c on true`,
    }),
  );
  return async (
    tenant: TenantId,
    { database, keyring }: { database: Database; keyring: Keyring },
    { assignedTo, today, most }: ItemsQuery,
  ): Promise<{ orders: TodayOrder[] } & CountedItems> => {
    const rows = await readNamed(tenant, database.slow, statement, { assigned_to: assignedTo, today, most });
    const secrets = { keyring, tenant };
    const orders = itemsIn(rows).map((row) => ({
      invoice: listedInvoiceRow(row, secrets),
      companyName: String(row.at(-4)),
      isConnected: row.at(-3) === "t",
      isKeyRefused: row.at(-2) === "t",
      phone: revealed(row.at(-1) ?? null, secrets),
    }));
    return { orders, ...countsBeside(rows) };
  };
}

function revealed(phone: string | null, { keyring, tenant }: Secrets): string | null {
  return phone === null ? null : keyring.reveal(tenant, "companies.phone", phone);
}

/** Whether a user is the owner of any company. */
export const ownsCompany = quickQuery<[userId: string]>(
  "owns_company",
  "select id from companies where tenant_id = $1 and assigned_to = $2 and deleted_at is null order by id limit 1",
).exists();

/** The first companies whose own key their warehouse refuses. Few workspaces have more. */
const MOST_REFUSED = 5;

/** The keys that a warehouse refuses, which stops every order: the workspace's, and those that companies have. */
export const findRefusedKeys = quickQuery(
  "refused_keys",
  `select null::bigint, null from workspace_warehouses where tenant_id = $1 and wms_key_refused_at is not null
  union all (
    select id, name from companies where tenant_id = $1 and wms_key_refused_at is not null and deleted_at is null
    order by id limit ${MOST_REFUSED}
  )`,
).of((rows) => ({
  isWorkspaces: rows.some(([id]) => id === null),
  companies: rows.flatMap(([id, name]) => (id == null ? [] : { id, name: name ?? "" })),
}));

const owners = selectList({ companyId: column.text("c.id"), name: column.text("u.name") });

/** The names of the owners of some companies, by the company. */
export const findOwners = quickQuery<[companyIds: string[]]>(
  "find_owners",
  `select ${owners.sql} from companies c join users u on u.tenant_id = $1 and u.id = c.assigned_to
  where c.tenant_id = $1 and c.id = any($2::bigint[])`,
).of((rows) => new Map(rows.map(owners.read).map(({ companyId, name }) => [companyId, name])));
