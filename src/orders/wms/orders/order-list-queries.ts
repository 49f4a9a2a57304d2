import { hasWarehouse, keyRefusedAt } from "../../../customers/companies/warehouse-of-company.ts";
import type { Store } from "../../../kit/deps.ts";
import type { RowByName } from "../../../platform/fields/reader.ts";
import { pageAmong, type PageQuery } from "../../../platform/http/lists/pagination.ts";
import type { Database } from "../../../platform/postgres/database.ts";
import {
  callWith,
  namedStatement,
  readNamed,
  type NamedStatement,
  type NamedValues,
} from "../../../platform/postgres/query.ts";
import { oneValue, type Row } from "../../../platform/postgres/statement.ts";
import type { TenantId } from "../../../platform/postgres/tenant-id.ts";
import { pageInvoiceColumns } from "../../invoices/invoice-json.ts";
import { listedInvoiceRow } from "../../invoices/invoice-row.ts";
import { isSold, MOST_CURRENCIES } from "../../invoices/money-queries.ts";
import { NEWEST_FIRST } from "../../invoices/shown-queries.ts";
import { FILTERS, NARROW, ORDER } from "./narrowed-orders.ts";
import { allOf, type OrderFilters, type OrderSort, type OrderState, type OrderTab } from "./order-filters.ts";
import { newest, OF_DAYS, sources, type OrderSource } from "./order-source-queries.ts";
import { MOST_ORDERS_LISTED } from "./unsent-queries.ts";

/** An invoice (listedInvoiceMembers) with its company. */
export type ListedOrder = {
  invoice: RowByName;
  companyName: string;
  /** The name of the company's owner. */
  owner?: string | null;
  isConnected: boolean;
  /** Whether the warehouse refuses the key of the company's connection: only another key helps. */
  isKeyRefused?: boolean;
};

/**
 * One page of a tenant's invoices with their orders, and the total. A page after the last one is the last. `isCut`: its
 * state and its days have more than MOST_ORDERS_LISTED, so the oldest are left out.
 */
export async function listOrders(
  tenant: TenantId,
  { database, keyring }: Store,
  filters: OrderFilters,
  sort: OrderSort,
  page: PageQuery,
): Promise<{ orders: ListedOrder[]; total: number; isCut: boolean; page: PageQuery; sums: OrderSum[] }> {
  const [{ candidates, isCut }, sums] = await Promise.all([
    countOrders(tenant, database, filters),
    sumOrders(tenant, database, filters),
  ]);
  const whole = wholeOf(filters, sort);
  const read = async (asked: PageQuery) =>
    whole === null
      ? await readNarrowed(tenant, database, filters, sort, asked)
      : await readWhole(tenant, database, filters, whole, asked);
  let asked = pageAmong(page, Math.min(candidates, MOST_ORDERS_LISTED));
  let rows = await read(asked);
  if (rows.length === 0 && asked.page > 1) {
    // No row has the total: the first page has it.
    asked = pageAmong(asked, totalOf(await read({ ...asked, page: 1, offset: 0 })));
    rows = await read(asked);
  }
  const orders = rows.map((row) => ({
    invoice: listedInvoiceRow(row, { keyring, tenant }),
    companyName: String(row.at(-5)),
    isConnected: row.at(-4) === "t",
    isKeyRefused: row.at(-3) === "t",
    owner: row.at(-2) ?? null,
  }));
  const total = whole !== null ? Math.min(candidates, MOST_ORDERS_LISTED) : totalOf(rows);
  return { orders, total, isCut, page: asked, sums };
}

/** The sum of a currency: of the totals, or of the rests of unpaid invoices. */
export type OrderSum = { amount: string; currency: string };

/** The sums of all listed invoices, the currency with the most of them first. */
async function sumOrders(tenant: TenantId, { slow }: Database, filters: OrderFilters): Promise<OrderSum[]> {
  const { sums, narrowedSums, page } = listOf(filters);
  // The source of a list without an order of its days has those of all days.
  const isNarrow = isNarrowed(filters) || (page === null && (filters.from ?? filters.to) !== null);
  const values = { ...valuesOf(filters), most: MOST_ORDERS_LISTED, sort: "" };
  const rows = await readNamed(tenant, slow, isNarrow ? narrowedSums : sums, values);
  return rows.map(([currency, sum]) => ({ amount: String(sum), currency: String(currency) }));
}

async function countOrders(tenant: TenantId, { quick }: Database, filters: OrderFilters) {
  const values = { ...valuesOf(filters), most: MOST_ORDERS_LISTED + 1 };
  const [row] = await readNamed(tenant, quick, listOf(filters).count, values);
  const candidates = Number(row?.[0] ?? 0);
  return { candidates, isCut: candidates > MOST_ORDERS_LISTED || row?.[1] === "t" };
}

/**
 * The numbers of a tenant's invoices in some tabs, each at most MOST_ORDERS_LISTED, as the tab itself says. They are
 * ranges of indexes, so a tenant with millions of invoices waits no longer.
 */
export async function countTabs<Tab extends OrderTab>(
  tenant: TenantId,
  database: Database,
  tabs: readonly Tab[],
): Promise<Record<Tab, number>> {
  const answers = await database.quick.readAll(
    tenant,
    tabs.map((of) => callWith(lists[of].count, { ...valuesOf(allOf({ of })), most: MOST_ORDERS_LISTED })),
  );
  const counts = tabs.map((tab, index) => [tab, Number(oneValue(answers[index]))]);
  return Object.fromEntries(counts) as Record<Tab, number>;
}

/** The ids of all invoices of a list, MOST_ORDERS_LISTED at most. */
export async function listOrderIds(
  tenant: TenantId,
  database: Database,
  filters: OrderFilters,
  sort: OrderSort,
): Promise<string[]> {
  const values = { ...valuesOf(filters), most: MOST_ORDERS_LISTED, sort, limit: MOST_ORDERS_LISTED, offset: 0 };
  return (await readNamed(tenant, database.slow, listOf(filters).ids, values)).map(([id]) => String(id));
}

/** The statement for a page of a list in the order of its index; null for any other list. */
function wholeOf(filters: OrderFilters, sort: OrderSort): NamedStatement | null {
  return sort === "-issued_on" && !isNarrowed(filters) ? listOf(filters).page : null;
}

/** Whether a filter leaves something out, beside the state and the days. */
function isNarrowed({ isStreetMissing, state: _state, from: _from, to: _to, ...others }: OrderFilters): boolean {
  return isStreetMissing || Object.values(others).some((value) => value !== null);
}

async function readWhole(
  tenant: TenantId,
  { quick }: Database,
  filters: OrderFilters,
  statement: NamedStatement,
  { offset, perPage }: PageQuery,
): Promise<Row[]> {
  const values = { ...valuesOf(filters), most: Math.min(offset + perPage, MOST_ORDERS_LISTED), offset };
  return await readNamed(tenant, quick, statement, values);
}

async function readNarrowed(
  tenant: TenantId,
  { slow }: Database,
  filters: OrderFilters,
  sort: OrderSort,
  { perPage, offset }: PageQuery,
): Promise<Row[]> {
  const values = { ...valuesOf(filters), most: MOST_ORDERS_LISTED, sort, limit: perPage, offset };
  return await readNamed(tenant, slow, listOf(filters).narrowed, values);
}

/** The total of a narrowed list, which each of its rows has. */
function totalOf(rows: readonly Row[]): number {
  return Number(rows[0]?.at(-1) ?? 0);
}

/** The values of the filters' parameters. Without a limit, every day is within. */
function valuesOf({
  state,
  assignedTo,
  isStreetMissing,
  from,
  to,
  dueFrom,
  dueTo,
  ...others
}: OrderFilters): NamedValues {
  const [shown = "", other_shown = ""] = state.of === "shown" ? state.shown : [];
  const days = { from: from ?? "-infinity", to: to ?? "infinity" };
  const due = { due_from: dueFrom, due_to: dueTo };
  return {
    ...others,
    ...days,
    ...due,
    assigned_to: assignedTo,
    is_street_missing: isStreetMissing,
    shown,
    other_shown,
  };
}

/** `page` is a part of the newest as an index has them; null if it has another order. */
type OrderList = Record<"count" | "narrowed" | "ids" | "sums" | "narrowedSums", NamedStatement> & {
  page: NamedStatement | null;
};

/** Each invoice and its company is looked up by itself ("offset 0"): the planner cannot estimate the rows. */
const LOOKED_UP = `cross join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i
    cross join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c`;

/** Of a company its own newest are listed, by its index. */
const OF_COMPANY = "and i.company_id = :company::bigint";
const soldTo = list("sold_to", { select: newest(`${OF_COMPANY} and ${isSold}`) }, "");
const soldToOfDays = list("sold_to_of_days", { select: newest(`${OF_COMPANY} and ${isSold}`) }, OF_DAYS);

const lists = listsOf((name, source) => list(name, source, ""));
const listsOfDays = listsOf((name, source) =>
  source.isOfNeeds ? lists[name] : list(`${name}_of_days`, source, OF_DAYS),
);

function listsOf(of: (name: OrderState["of"], source: OrderSource) => OrderList): Record<OrderState["of"], OrderList> {
  const all = Object.entries(sources) as [OrderState["of"], OrderSource][];
  return Object.fromEntries(all.map(([name, source]) => [name, of(name, source)])) as Record<
    OrderState["of"],
    OrderList
  >;
}

function listOf({ state, company, from, to }: OrderFilters): OrderList {
  const isOfAllDays = from === null && to === null;
  if (state.of === "sold" && company !== null) return isOfAllDays ? soldTo : soldToOfDays;
  return (isOfAllDays ? lists : listsOfDays)[state.of];
}

function list(
  name: string,
  { select, isOfNeeds, beside = "", among, amount = "i.total" }: OrderSource,
  ofDays: string,
): OrderList {
  const counted = select("i.id, i.issued_on", ofDays);
  const hasMore =
    among === undefined ? "" : `, (select count(*) from (select from ${among} ${ofDays} limit :most) m) >= :most`;
  const others = ofDays === "" ? beside : "";
  const narrowed = (columns: string) => `
      select ${columns}
      from ((${select(NARROW, ofDays)}) ${others}) i
      left join lateral (
        select assigned_to, search_text, address, name from companies
        where tenant_id = $1 and id = i.company_id and deleted_at is null
          and (:assigned_to::bigint is not null or :search::text is not null or :is_street_missing::boolean
            or :sort in ('company', '-company')) offset 0
      ) c on true
      where ${FILTERS}`;
  const sorted = (columns: string) => `${narrowed(columns)} order by ${ORDER} limit :limit offset :offset`;
  const sumsOf = (found: string) =>
    `select coalesce(n.currency, ''), sum(n.amount) from (${found}) n
    where n.amount is not null group by n.currency order by count(*) desc, n.currency limit ${MOST_CURRENCIES}`;
  const summed = `i.currency, ${amount} as amount`;
  const page = () => `${whole("null")}
    from (select i.id from (${counted}) i ${NEWEST_FIRST} offset :offset::bigint limit :most - :offset::bigint) n
    ${LOOKED_UP} ${NEWEST_FIRST}`;
  return {
    count: namedStatement(`count_orders_${name}`, `select count(*)${hasMore} from (${counted}) n`),
    page: isOfNeeds ? null : namedStatement(`page_orders_${name}`, page()),
    narrowed: namedStatement(
      `list_orders_${name}`,
      `${whole("n.total")}
    from (${sorted("i.id, count(*) over () as total")}
    ) n
    ${LOOKED_UP} order by ${ORDER}`,
    ),
    ids: namedStatement(`ids_of_orders_${name}`, sorted("i.id")),
    sums: namedStatement(`sums_of_orders_${name}`, sumsOf(select(summed, ofDays))),
    narrowedSums: namedStatement(`sums_of_narrowed_orders_${name}`, sumsOf(narrowed(summed))),
  };
}

function whole(total: string): string {
  const owner = "(select name from users where tenant_id = $1 and id = c.assigned_to)";
  return `select ${pageInvoiceColumns("i")}, c.name, ${hasWarehouse("c")}, ${keyRefusedAt("c")} is not null, ${owner}, ${total}`;
}
