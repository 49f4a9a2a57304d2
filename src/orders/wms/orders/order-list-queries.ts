import { isOwnedBy } from "../../../customers/companies/live-company-queries.ts";
import { hasWarehouse, keyRefusedAt } from "../../../customers/companies/warehouse-of-company.ts";
import type { Store } from "../../../kit/deps.ts";
import type { RowByName } from "../../../platform/fields/reader.ts";
import { columnsOf } from "../../../platform/fields/sql.ts";
import { pageAmong, type PageQuery } from "../../../platform/http/lists/pagination.ts";
import type { Database } from "../../../platform/postgres/database.ts";
import { oneValue, type Parameter, type Row, type Statement } from "../../../platform/postgres/statement.ts";
import type { TenantId } from "../../../platform/postgres/tenant-id.ts";
import { hasNoStreet } from "../../invoices/delivery-queries.ts";
import { listedInvoiceColumns } from "../../invoices/invoice-json.ts";
import { listedInvoiceRow } from "../../invoices/invoice-row.ts";
import { dueDay, isOverdue } from "../../invoices/money-queries.ts";
import { isDone, isInNeed, isPutOff, isUnderWay, MOST_IN_NEED } from "../../invoices/shown-queries.ts";
import { allOf, type OrderFilters, type OrderSort, type OrderTab } from "./order-filters.ts";
import { MOST_ORDERS_LISTED, UNSENT, unsent } from "./unsent-queries.ts";

/** An invoice (listedInvoiceMembers) with its company. */
export type ListedOrder = {
  invoice: RowByName;
  companyName: string;
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
): Promise<{ orders: ListedOrder[]; total: number; isCut: boolean; page: PageQuery }> {
  const { candidates, isCut } = await countOrders(tenant, database, filters);
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
    companyName: String(row.at(-4)),
    isConnected: row.at(-3) === "t",
    isKeyRefused: row.at(-2) === "t",
  }));
  const total = whole !== null ? Math.min(candidates, MOST_ORDERS_LISTED) : totalOf(rows);
  return { orders, total, isCut, page: asked };
}

async function countOrders(tenant: TenantId, database: Database, filters: OrderFilters) {
  const [row] = await database.quick.read(tenant, listOf(filters).count, parametersOf(filters, MOST_ORDERS_LISTED + 1));
  const candidates = Number(row?.[0] ?? 0);
  return { candidates, isCut: candidates > MOST_ORDERS_LISTED || row?.[1] === "t" };
}

/**
 * The numbers of a tenant's invoices in some tabs, each at most MOST_IN_NEED. They are ranges of indexes, so a tenant
 * with millions of invoices waits no longer.
 */
export async function countTabs<Tab extends OrderTab>(
  tenant: TenantId,
  database: Database,
  tabs: readonly Tab[],
): Promise<Record<Tab, number>> {
  const answers = await database.quick.readAll(
    tenant,
    tabs.map((of) => ({ statement: lists[of].count, parameters: parametersOf(allOf({ of }), MOST_IN_NEED) })),
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
  const parameters = narrowedParameters(filters, sort, { perPage: MOST_ORDERS_LISTED, offset: 0 });
  return (await database.slow.read(tenant, listOf(filters).ids, parameters)).map(([id]) => String(id));
}

/** The statement for a page of a list in the order of its index; null for any other list. */
function wholeOf(filters: OrderFilters, sort: OrderSort): Statement | null {
  const { instance, assignedTo, search, isStreetMissing } = filters;
  const isNarrowed = instance !== null || assignedTo !== null || search !== null || isStreetMissing;
  const isInOrder = sort === "-issued_on" && !isNarrowed;
  return isInOrder ? listOf(filters).page : null;
}

async function readWhole(
  tenant: TenantId,
  database: Database,
  filters: OrderFilters,
  statement: Statement,
  { offset, perPage }: PageQuery,
): Promise<Row[]> {
  const most = Math.min(offset + perPage, MOST_ORDERS_LISTED);
  return await database.quick.read(tenant, statement, [...parametersOf(filters, most), offset]);
}

async function readNarrowed(
  tenant: TenantId,
  database: Database,
  filters: OrderFilters,
  sort: OrderSort,
  page: PageQuery,
): Promise<Row[]> {
  return await database.slow.read(tenant, listOf(filters).narrowed, narrowedParameters(filters, sort, page));
}

function narrowedParameters(
  { state, instance, assignedTo, search, from, to, isStreetMissing }: OrderFilters,
  sort: OrderSort,
  { perPage, offset }: Pick<PageQuery, "perPage" | "offset">,
): Parameter[] {
  const filtered = [...days(from, to), instance, assignedTo, search];
  return [MOST_ORDERS_LISTED, ...filtered, sort, perPage, offset, isStreetMissing, ...shownOf(state)];
}

/** The total of a narrowed list, which each of its rows has. */
function totalOf(rows: readonly Row[]): number {
  return Number(rows[0]?.at(-1) ?? 0);
}

/** The newest of a state: how many, of which days, with which words. */
function parametersOf(filters: OrderFilters, most: number): Parameter[] {
  const { state, from, to } = filters;
  return [most, ...(isOfDays(filters) ? days(from, to) : []), ...shownOf(state)];
}

/** The limits of the days; without a limit, every day is within. */
function days(from: string | null, to: string | null): [string, string] {
  return [from ?? "-infinity", to ?? "infinity"];
}

function isOfDays({ state, from, to }: OrderFilters): boolean {
  return hasDays(state.of) && (from !== null || to !== null);
}

/** Whether an index has a state's invoices by their days. Needs are few, and come by the time of their index. */
function hasDays(of: OrderFilters["state"]["of"]): of is Exclude<OrderTab, "attention"> | "shown" {
  return !["attention", "needs", "put_off", "overdue"].includes(of);
}

function shownOf(state: OrderFilters["state"]): string[] {
  return state.of === "shown" ? [state.shown[0] ?? "", state.shown[1] ?? ""] : [];
}

/**
 * `page` is a part of the newest as an index has them, null if it has another order; `narrowed` and `ids` are made
 * of all of these.
 */
type OrderList = { count: Statement; page: Statement | null; narrowed: Statement; ids: Statement };

/** These columns of the $2 newest invoices of a state, by an index with this order or with the order of their needs. */
type Newest = (columns: string, shown: readonly string[]) => string;

const IN_ORDER = "order by i.issued_on desc nulls last, i.id desc";
const ISSUED = "and i.issued_on >= $3::date and i.issued_on <= $4::date";

const newestOf =
  (condition: string): Newest =>
  (columns) =>
    `select ${columns} from invoices i where i.tenant_id = $1 ${condition} ${IN_ORDER} limit $2`;
const newestShown =
  (condition: string): Newest =>
  (columns, shown) =>
    shown.map((word) => `(${newestOf(`and i.wms_shown = ${word} ${condition}`)(columns, [])})`).join(" union all ");
const newestInNeed =
  (condition: string): Newest =>
  (columns) =>
    `select ${columns} from invoices i where i.tenant_id = $1 and ${isInNeed} ${condition} order by i.wms_needs_at desc limit $2`;

const newestUnsent =
  (condition: string): Newest =>
  (columns) =>
    `select ${columns} from ${unsent({ ofInvoice: condition })} ${IN_ORDER} limit $2`;

const soonestPutOff: Newest = (columns) =>
  `select ${columns} from invoices i where i.tenant_id = $1 and ${isPutOff} order by i.wms_put_off_until limit $2`;

/** The day is that of the workspace. */
const longestOverdue: Newest = (columns) =>
  `select ${columns} from invoices i where i.tenant_id = $1
    and ${isOverdue("(select (now() at time zone t.time_zone)::date from tenants t where t.id = $1)")}
  order by ${dueDay}, i.id limit $2`;

/** The columns by which invoices are filtered and sorted. An index with all of them would be read whole. */
const NARROW =
  "i.id, i.company_id, i.issued_on, i.number, i.total, i.wms_synced_at, i.wms_instance, i.wms_order_id, i.wms_order_number, i.status, i.delivery_address_id";
/** The invoices with a number, or with an order of that number, of any age. */
const NUMBERED = `union select ${NARROW} from invoices i where i.tenant_id = $1 and i.number = $7
    union select ${NARROW} from invoices i where i.tenant_id = $1
      and i.wms_order_id = case when $7 ~ '^[0-9]{1,18}$' then $7::bigint end`;
const FILTERS = `(i.issued_on is null and $3::date = '-infinity' and $4::date = 'infinity' or i.issued_on >= $3 and i.issued_on <= $4)
    and ($5::text is null or i.wms_instance = $5) and ${isOwnedBy("c", "$6")}
    and (not $11::boolean or ${hasNoStreet})
    and ($7::text is null or fold(i.number) like (select search_pattern($7)) or fold(i.wms_order_number) like (select search_pattern($7))
      or i.wms_order_id::text = $7 or c.search_text like (select search_pattern($7)))`;
const ORDER = `case when $8 = 'number' then i.number end, case when $8 = '-number' then i.number end desc,
    case when $8 = 'total' then i.total end nulls last, case when $8 = '-total' then i.total end desc nulls last,
    case when $8 = 'issued_on' then i.issued_on end nulls last,
    case when $8 = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc`;

/** Each invoice and its company is looked up by itself ("offset 0", 0006): the planner cannot estimate the rows. */
const LOOKED_UP = `cross join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i
    cross join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c`;

const lists = {
  all: list("all", newestOf(""), { beside: NUMBERED }),
  all_of_days: list("all_of_days", newestOf(ISSUED), { own: ["$3", "$4"] }),
  under_way: list("under_way", newestOf(`and ${isUnderWay}`)),
  under_way_of_days: list("under_way_of_days", newestOf(`and ${isUnderWay} ${ISSUED}`), { own: ["$3", "$4"] }),
  to_send: list("to_send", newestUnsent(""), { among: UNSENT }),
  to_send_of_days: list("to_send_of_days", newestUnsent(ISSUED), { own: ["$3", "$4"], among: `${UNSENT} ${ISSUED}` }),
  done: list("done", newestOf(`and ${isDone}`)),
  done_of_days: list("done_of_days", newestOf(`and ${isDone} ${ISSUED}`), { own: ["$3", "$4"] }),
  draft: list("draft", newestOf("and i.status = 'draft'")),
  draft_of_days: list("draft_of_days", newestOf(`and i.status = 'draft' ${ISSUED}`), { own: ["$3", "$4"] }),
  shown: list("shown", newestShown(""), { own: ["$3", "$4"] }),
  shown_of_days: list("shown_of_days", newestShown(ISSUED), { own: ["$3", "$4", "$5", "$6"] }),
  attention: { ...list("attention", newestInNeed("")), page: null },
  needs: { ...list("needs", newestInNeed("and i.wms_shown <> 'to_be_confirmed'")), page: null },
  put_off: { ...list("put_off", soonestPutOff), page: null },
  overdue: { ...list("overdue", longestOverdue), page: null },
};

function listOf(filters: OrderFilters): OrderList {
  const { of } = filters.state;
  return hasDays(of) && isOfDays(filters) ? lists[`${of}_of_days`] : lists[of];
}

/**
 * @param own the parameters of the newest behind $2, the words that they are shown as last
 * @param beside further invoices of the narrowed list
 * @param among the invoices that the newest are found among, if the list leaves some of them out
 */
function list(
  name: string,
  newest: Newest,
  { own = [], beside = "", among }: { own?: readonly string[]; beside?: string; among?: string } = {},
): OrderList {
  const counted = newest("i.id, i.issued_on", own.slice(-2));
  const hasMore = among === undefined ? "" : `, (select count(*) from (select from ${among} limit $2) m) >= $2`;
  const offset = `$${own.length + 3}::bigint`;
  const narrowed = (columns: string) => `
      select ${columns}
      from ((${newest(NARROW, ["$12", "$13"])}) ${beside}) i
      left join lateral (
        select assigned_to, search_text, address from companies
        where tenant_id = $1 and id = i.company_id and deleted_at is null
          and ($6::bigint is not null or $7::text is not null or $11::boolean) offset 0
      ) c on true
      where ${FILTERS} order by ${ORDER} limit $9 offset $10`;
  return {
    count: { name: `count_orders_${name}`, text: `select count(*)${hasMore} from (${counted}) n` },
    page: {
      name: `page_orders_${name}`,
      text: `${whole("null")} from (select i.id from (${counted}) i ${IN_ORDER} offset ${offset} limit $2 - ${offset}) n
    ${LOOKED_UP} ${IN_ORDER}`,
    },
    narrowed: {
      name: `list_orders_${name}`,
      text: `${whole("n.total")}
    from (${narrowed("i.id, count(*) over () as total")}
    ) n
    ${LOOKED_UP} order by ${ORDER}`,
    },
    ids: { name: `ids_of_orders_${name}`, text: narrowed("i.id") },
  };
}

function whole(total: string): string {
  return `select ${columnsOf(listedInvoiceColumns, "i")}, c.name, ${hasWarehouse("c")}, ${keyRefusedAt("c")} is not null, ${total}`;
}
