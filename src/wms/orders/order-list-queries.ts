import type { Deps } from "../../deps.ts";
import { listedInvoiceColumns } from "../../invoices/invoice-json.ts";
import { listedInvoiceRow } from "../../invoices/invoice-row.ts";
import { isInNeed, isUnderWay } from "../../invoices/shown-queries.ts";
import type { RowByName } from "../../platform/fields/reader.ts";
import { columnsOf } from "../../platform/fields/sql.ts";
import { pageAmong, type Page } from "../../platform/http/pagination.ts";
import type { Database } from "../../platform/postgres/database.ts";
import type { Parameter, Row, Statement } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import type { OrderFilters, OrderSort } from "./order-filters.ts";

/**
 * The most that a list has: the newest that its state and its days leave. Nothing beyond is looked at, so that a page costs the
 * same however many invoices there are (docs/decisions/0051-one-truth-about-an-order.md).
 */
export const MOST_LISTED = 10_000;

/** An invoice (listedInvoiceMembers) with its company. */
export type ListedOrder = { invoice: RowByName; companyName: string; isConnected: boolean };

/**
 * One page of a tenant's invoices with their orders, and how many fit. A page beyond the last is the last. `isCut`: its state and its
 * days leave more than MOST_LISTED, of which the older ones are left out.
 */
export async function listOrders(
  tenant: TenantId,
  { database, keyring }: Pick<Deps, "database" | "keyring">,
  filters: OrderFilters,
  sort: OrderSort,
  page: Page,
): Promise<{ orders: ListedOrder[]; total: number; isCut: boolean; page: Page }> {
  const isWhole = isInOrder(filters, sort);
  const read = async (asked: Page) => await readOrders(tenant, database, { filters, sort, page: asked, isWhole });
  const candidates = await countOrders(tenant, database, filters);
  let asked = pageAmong(page, Math.min(candidates, MOST_LISTED));
  let found = await read(asked);
  if (found.rows.length === 0 && asked.page > 1) {
    // No row tells how many there are: the first page does.
    const first = await read({ ...asked, page: 1, offset: 0 });
    asked = pageAmong(asked, Math.min(first.total, MOST_LISTED));
    found = await read(asked);
  }
  const orders = found.rows.map((row) => ({
    invoice: listedInvoiceRow(row, { keyring, tenant }),
    companyName: String(row.at(-3)),
    isConnected: row.at(-2) === "t",
  }));
  const total = isWhole ? Math.min(candidates, MOST_LISTED) : found.total;
  return { orders, total, isCut: candidates > MOST_LISTED, page: asked };
}

/** Whether the list is as its index has it: a page is read from there alone. */
function isInOrder({ state, instance, assignedTo, search }: OrderFilters, sort: OrderSort): boolean {
  return (
    state.of !== "attention" && sort === "-issued_on" && instance === null && assignedTo === null && search === null
  );
}

async function countOrders(tenant: TenantId, database: Database, filters: OrderFilters): Promise<number> {
  const { state, from, to } = filters;
  const parameters = [MOST_LISTED + 1, ...(isOfDays(filters) ? days(from, to) : []), ...shownOf(state)];
  const [row] = await database.quick.read(tenant, listOf(filters).count, parameters);
  return Number(row?.[0] ?? 0);
}

async function readOrders(
  tenant: TenantId,
  database: Database,
  { filters, sort, page, isWhole }: { filters: OrderFilters; sort: OrderSort; page: Page; isWhole: boolean },
): Promise<{ rows: Row[]; total: number }> {
  const { offset, perPage } = page;
  const { state, instance, assignedTo, search, from, to } = filters;
  const most = isWhole ? Math.min(offset + perPage, MOST_LISTED) : MOST_LISTED;
  const parameters: Parameter[] = [most, ...days(from, to), instance, assignedTo, search, sort, perPage, offset];
  const reader = isWhole ? database.quick : database.slow;
  const rows = await reader.read(tenant, listOf(filters).page, [...parameters, ...shownOf(state)]);
  return { rows, total: Number(rows[0]?.at(-1) ?? 0) };
}

/** A day that is not asked for is one that no invoice is beyond. */
function days(from: string | null, to: string | null): [string, string] {
  return [from ?? "-infinity", to ?? "infinity"];
}

function isOfDays({ state, from, to }: OrderFilters): boolean {
  return state.of !== "attention" && (from !== null || to !== null);
}

function shownOf(state: OrderFilters["state"]): string[] {
  return state.of === "shown" ? [state.shown[0] ?? "", state.shown[1] ?? ""] : [];
}

type List = { count: Statement; page: Statement };

const NEWEST = "order by i.issued_on desc nulls last, i.id desc limit $2";

/** The ids of the $2 newest invoices of each state, by an index that has them in this order, or in that of their need. */
const newest = {
  all: (issued: string) => `select i.id from invoices i where i.tenant_id = $1 ${issued} ${NEWEST}`,
  under_way: (issued: string) =>
    `select i.id from invoices i where i.tenant_id = $1 and ${isUnderWay} ${issued} ${NEWEST}`,
  shown: (issued: string, shown: readonly string[]) =>
    shown
      .map(
        (word) => `(select i.id from invoices i where i.tenant_id = $1 and i.wms_shown = ${word} ${issued} ${NEWEST})`,
      )
      .join(" union all "),
  attention: () =>
    `select i.id from invoices i where i.tenant_id = $1 and ${isInNeed} order by i.wms_needs_at desc limit $2`,
};

const ISSUED = "and i.issued_on >= $3::date and i.issued_on <= $4::date";
const FILTERS = `(i.issued_on is null and $3::date = '-infinity' and $4::date = 'infinity' or i.issued_on >= $3 and i.issued_on <= $4)
    and ($5::text is null or i.wms_instance = $5) and ($6::bigint is null or c.assigned_to = $6)
    and ($7::text is null or fold(i.number) like (select search_pattern($7)) or fold(i.wms_order_number) like (select search_pattern($7))
      or i.wms_order_id::text = $7 or fold(c.name) like (select search_pattern($7)))`;
const ORDER = `case when $8 = 'number' then i.number end, case when $8 = 'total' then i.total end nulls last,
    case when $8 = '-synced_at' then i.wms_synced_at end desc nulls last, i.issued_on desc nulls last, i.id desc`;
/** The invoices of a number, or of an order's, however old they are. */
const NUMBERED = `union select i.id from invoices i where i.tenant_id = $1 and i.number = $7
    union select i.id from invoices i where i.tenant_id = $1
      and i.wms_order_id = case when $7 ~ '^[0-9]{1,18}$' then $7::bigint end`;

const lists = {
  all: list("all", newest.all(""), `(${newest.all("")}) ${NUMBERED}`),
  all_of_days: list("all_of_days", newest.all(ISSUED)),
  under_way: list("under_way", newest.under_way("")),
  under_way_of_days: list("under_way_of_days", newest.under_way(ISSUED)),
  shown: list("shown", newest.shown("", ["$3", "$4"]), newest.shown("", ["$11", "$12"])),
  shown_of_days: list("shown_of_days", newest.shown(ISSUED, ["$5", "$6"]), newest.shown(ISSUED, ["$11", "$12"])),
  attention: list("attention", newest.attention()),
};

function listOf(filters: OrderFilters): List {
  const { of } = filters.state;
  if (of === "attention") return lists.attention;
  return isOfDays(filters) ? lists[`${of}_of_days`] : lists[of];
}

/**
 * Each invoice and its company is looked up by itself ("offset 0", 0006): the planner does not know how many are found.
 * @param found the ids that a page is of, where those that are counted have other parameters
 */
function list(name: string, counted: string, found = counted): List {
  return {
    count: { name: `count_orders_${name}`, text: `select count(*) from (${counted}) n` },
    page: {
      name: `list_orders_${name}`,
      text: `select ${columnsOf(listedInvoiceColumns, "i")}, c.name,
      c.wms_subdomain is not null and c.wms_api_key is not null, count(*) over ()
    from (${found}) n
    cross join lateral (select * from invoices where tenant_id = $1 and id = n.id offset 0) i
    cross join lateral (select * from companies where tenant_id = $1 and id = i.company_id offset 0) c
    where ${FILTERS} order by ${ORDER} limit $9 offset $10`,
    },
  };
}
