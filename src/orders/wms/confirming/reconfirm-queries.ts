import { isOwnedBy } from "../../../customers/companies/live-company-queries.ts";
import { taxIdsWithMerged } from "../../../customers/companies/merged-queries.ts";
import { hasWarehouse } from "../../../customers/companies/warehouse-of-company.ts";
import type { Database } from "../../../platform/postgres/database.ts";
import { quickQuery, slowQuery, writeQuery } from "../../../platform/postgres/query.ts";
import { column, oneValue, selectList, type Selected } from "../../../platform/postgres/statement.ts";
import { storeUnique, uniqueIndex } from "../../../platform/postgres/taken.ts";
import type { TenantId } from "../../../platform/postgres/tenant-id.ts";
import { ORDER_INDEX } from "../order-holder-queries.ts";

const columns = selectList({
  invoiceId: column.text("i.id"),
  number: column.text("i.number"),
  total: "i.total",
  orderId: column.number("i.wms_order_id"),
  orderNumber: "i.wms_order_number",
  status: "i.wms_status",
  companyId: column.text("c.id"),
  companyName: column.text("c.name"),
  taxId: "c.tax_id",
  mergedTaxIds: column.list<string>(taxIdsWithMerged("c.id")),
  /** Whether the company has a warehouse. */
  isConnected: column.flag(hasWarehouse("c")),
  /** The tenant's. */
  slug: column.text("(select slug from tenants where id = $1)"),
});

/** An invoice that is linked with an order, but without the order's warehouse: it has no instance. */
export type Link = Selected<typeof columns>;

/** Each company is looked up by itself: a join may read all of them. */
const links = `from invoices i cross join lateral (
    select * from companies where tenant_id = $1 and id = i.company_id and deleted_at is null offset 0
  ) c
  where i.tenant_id = $1 and i.wms_shown = 'to_be_confirmed'`;

/** By ascending id of the invoice, after one. */
export const listLinks = slowQuery<{ after: string; limit: number }>(
  "list_links",
  `select ${columns.sql} ${links} and i.id > :after order by i.id limit :limit`,
).all(columns.read);

/** Those of some invoices; invoices that have none are left out. */
export const findLinks = quickQuery<[ids: readonly string[]]>(
  "find_links",
  `select ${columns.sql} ${links} and i.id = any($2::bigint[]) order by i.id`,
).all(columns.read);

/** The order of an invoice, whether it is confirmed or not; null without one. */
export const findLinkOf = quickQuery<[id: string]>(
  "link_of_invoice",
  `select ${columns.sql} from invoices i
  join companies c on c.tenant_id = $1 and c.id = i.company_id and c.deleted_at is null
  where i.tenant_id = $1 and i.id = $2 and i.wms_order_id is not null`,
).first(columns.read);

/** The limit of the count. A larger number of links is confirmed by grades. */
const MOST_COUNTED = 1_000;

/** The number of the links of a user's companies (isOwnedBy), and whether there are more. */
export const countLinks = slowQuery<[assignedTo: string | null]>(
  "count_links_without_instance",
  `select count(*) from (select ${links} and ${isOwnedBy("c", "$2")} limit ${MOST_COUNTED + 1}) n`,
).of((rows) => {
  const count = Number(oneValue(rows));
  return { count: Math.min(count, MOST_COUNTED), isMore: count > MOST_COUNTED };
});

const confirm = writeQuery<[links: string, by: string]>(
  "store_instances",
  `update invoices i set wms_instance = n.instance, wms_owns_order = true, changed_by = $3, updated_at = moment_after(i.updated_at)
  from json_to_recordset($2::json) as n (id bigint, company_id bigint, order_id bigint, instance text)
  where i.tenant_id = $1 and i.id = n.id and n.id = n.id + 0 and i.company_id = n.company_id and i.wms_order_id = n.order_id and i.wms_instance is null
    and not exists (select from invoices o where o.tenant_id = $1 and o.wms_order_id = n.order_id and o.wms_instance = n.instance)
  returning i.id`,
).all(([id]) => String(id));

/**
 * Stores the instances of linked orders, each order once, and returns the ids of the invoices. The orders are followed
 * from now on (migrations/functions/invoices_before_update.sql). A link stays unchanged if it has changed meanwhile, or
 * if another invoice has its order.
 */
export async function storeInstances(
  tenant: TenantId,
  database: Database,
  confirmed: readonly { link: Link; instance: string }[],
  by: string,
): Promise<string[]> {
  const entries = confirmed.map(({ link: { invoiceId, companyId, orderId }, instance }) => ({
    id: invoiceId,
    company_id: companyId,
    order_id: orderId,
    instance,
  }));
  // Another invoice may have got the order at the same moment. The statement is repeated, and finds that.
  const order = uniqueIndex<never>(ORDER_INDEX, async () => null);
  return await storeUnique(async () => await confirm(tenant, database, JSON.stringify(entries), by), [order]);
}
