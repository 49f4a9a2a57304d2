import type { Database } from "../../../platform/postgres/database.ts";
import { namedStatement, readNamed } from "../../../platform/postgres/query.ts";
import { column, selectList } from "../../../platform/postgres/statement.ts";
import type { TenantId } from "../../../platform/postgres/tenant-id.ts";
import { MOST_IN_NEED } from "../../invoices/shown-queries.ts";

export const DAYS_SHOWN = 14;

/** The newest changes that are looked through. With more, only the days that they cover whole are shown. */
const MOST_CHANGES = 10_000;

/** `failed`: refused by the warehouse, and not sent since. */
export type OrderDay = { day: string; sent: number; shipped: number; failed: number };

/** Seconds from sending to shipping, of the orders that were shipped in these days. */
export type WarehouseTime = { instance: string; shipped: number; median: number; longest: number };

export type OrderDays = { days: OrderDay[]; warehouses: WarehouseTime[] };

const SHIPPED = "('shipped', 'delivered', 'completed', 'closed')";
const MOVED = "c.type = 'invoice' and c.action = 'updated'";
const statusOf = (side: "from" | "to") => `lower(c.changed::json -> 'wms_status' ->> '${side}')`;

const statement = namedStatement(
  "days_of_orders",
  `with zone as materialized (
    select t.time_zone as name, (now() at time zone t.time_zone)::date as today from tenants t where t.id = $1
  ), newest as materialized (
    select c.* from changes c where c.tenant_id = $1
      and c.at >= (select (z.today - ${DAYS_SHOWN - 1})::timestamp at time zone z.name from zone z)
    order by c.at desc, c.id desc limit ${MOST_CHANGES}
  ), moves as materialized (
    select c.resource_id, c.at, coalesce((c.changed::json -> 'wms_order_id' ->> 'to') is not null, false) as is_sent,
      coalesce(${statusOf("to")} in ${SHIPPED} and coalesce(${statusOf("from")}, '') not in ${SHIPPED}, false) as is_shipped
    from newest c where ${MOVED} and (c.changed like '%"wms_order_id"%' or c.changed like '%"wms_status"%')
  ), happened as (
    select m.at, m.is_sent::int as sent, m.is_shipped::int as shipped, 0 as failed from moves m
    union all
    select f.at, 0, 0, 1 from (
      select i.wms_moved_at as at from invoices i where i.tenant_id = $1 and i.wms_shown = 'refused' limit ${MOST_IN_NEED}
    ) f
  ), counted as (
    select (h.at at time zone z.name)::date as day, sum(h.sent) as sent, sum(h.shipped) as shipped, sum(h.failed) as failed
    from happened h cross join zone z where h.at is not null group by 1
  ), since as (
    select case when (select count(*) from newest) < ${MOST_CHANGES} then z.today - ${DAYS_SHOWN - 1}
      else (select (min(n.at) at time zone z.name)::date + 1 from newest n) end as day, z.today from zone z
  ), times as (
    select i.wms_instance as instance, extract(epoch from s.at - sent.at) as seconds
    from (select m.resource_id, min(m.at) as at from moves m where m.is_shipped group by m.resource_id) s
    cross join lateral (
      select c.at from changes c where c.tenant_id = $1 and c.resource_id = s.resource_id and ${MOVED} and c.at <= s.at
        and c.changed like '%"wms_order_id"%' order by c.at desc limit 1
    ) sent
    cross join lateral (select wms_instance from invoices where tenant_id = $1 and id = s.resource_id offset 0) i
    where i.wms_instance is not null
  )
  select
    (select json_agg(d order by d.day) from (
      select g.day::date::text as day, coalesce(c.sent, 0) as sent, coalesce(c.shipped, 0) as shipped, coalesce(c.failed, 0) as failed
      from since s cross join lateral generate_series(s.day::timestamp, s.today::timestamp, interval '1 day') g (day)
      left join counted c on c.day = g.day::date
    ) d) as days,
    (select json_agg(w order by w.shipped desc, w.instance) from (
      select t.instance, count(*) as shipped, round(percentile_cont(0.5) within group (order by t.seconds)) as median,
        round(max(t.seconds)) as longest
      from times t group by t.instance
    ) w) as warehouses`,
);

const found = selectList({
  days: column.list<OrderDay>("days"),
  warehouses: column.list<WarehouseTime>("warehouses"),
});

/** The orders that were sent, shipped and refused on each of the last days, and how long each warehouse took. */
export async function daysOfOrders(tenant: TenantId, { slow }: Database): Promise<OrderDays> {
  const [row = []] = await readNamed(tenant, slow, statement, {});
  return found.read(row);
}
