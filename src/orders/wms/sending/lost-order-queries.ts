import { mergedWith } from "../../../customers/companies/merged-queries.ts";
import { callsOf, quickQuery } from "../../../platform/postgres/query.ts";
import { column, selectList, type Call } from "../../../platform/postgres/statement.ts";
import { namesWarehouse } from "../../invoices/locked-queries.ts";
import { storedReason, type SendReason } from "../../invoices/wms-error.ts";

export type FormerNames = { subdomains: string[]; taxIds: string[] };

/**
 * All subdomains (in lower case) of the warehouses that a company or its workspace was ever connected with, and all
 * fiscal ids of the company. Those of companies that were merged with it count too.
 */
export const findFormerNames = quickQuery<[companyId: string]>(
  "find_former_names",
  `select distinct name.of, value.was
  from (
    select c.changed from changes c where c.tenant_id = $1 and c.type = 'company' and c.resource_id = any(${mergedWith("$2::bigint")})
      and (${namesWarehouse("c")} or c.changed like '%"tax_id":%')
    union all
    select w.changed from changes w where w.tenant_id = $1 and w.type = 'workspace' and ${namesWarehouse("w")}
  ) change
  cross join (values ('wms_subdomain'), ('tax_id')) name (of)
  cross join lateral (values (change.changed::json -> name.of ->> 'from'), (change.changed::json -> name.of ->> 'to')) value (was)
  where value.was is not null`,
).of((rows): FormerNames => {
  const of = (name: string) => rows.flatMap(([is, was]) => (is === name && was != null ? [was] : []));
  return { subdomains: [...new Set(of("wms_subdomain").map((one) => one.toLowerCase()))], taxIds: of("tax_id") };
});

/** A workspace with more warehouses than this is not asked for orders of other companies' warehouses. */
const MOST_NEIGHBOURS = 20;

const neighbour = selectList({
  connectedCompany: "id",
  isWorkspaces: column.flag("id is null"),
  subdomain: column.text("wms_subdomain"),
  key: column.text("wms_api_key"),
  isKeyRefused: column.flag("false"),
});

/**
 * A usable connection to each other warehouse that the workspace or its companies are connected with; none if there are
 * more than MOST_NEIGHBOURS.
 */
export const findNeighbours = quickQuery<[subdomain: string]>(
  "find_neighbours",
  // Steps from one name to the next in companies_by_warehouse: a workspace may have a million companies.
  `with recursive found as (
    select null::bigint as id, null::text as wms_subdomain, null::text as wms_api_key, 0 as at
    union all
    select next.*, found.at + 1
    from found
    cross join lateral (
      select id, wms_subdomain, wms_api_key from companies
      where tenant_id = $1 and lower(wms_subdomain) > coalesce(lower(found.wms_subdomain), '')
        and wms_api_key is not null and deleted_at is null and wms_key_refused_at is null
      order by lower(wms_subdomain), id limit 1
    ) next
    where found.at <= ${MOST_NEIGHBOURS + 1}
  )
  select ${neighbour.sql} from (
    select id, wms_subdomain, wms_api_key, at from found where at > 0
    union all
    select null, w.wms_subdomain, w.wms_api_key, 0 from workspace_warehouses w
    where w.tenant_id = $1 and w.wms_api_key is not null and w.wms_key_refused_at is null
      and not exists (select from found f where lower(f.wms_subdomain) = lower(w.wms_subdomain))
  ) each_warehouse
  where lower(wms_subdomain) <> lower($2) order by at`,
).of((rows) => (rows.length > MOST_NEIGHBOURS ? [] : rows.map(neighbour.read)));

const failing = callsOf<[id: string, attempt: string, error: string]>(
  "fail_absent_here",
  `update invoices set wms_state = 'failed', wms_error = $4, wms_open_since = null, delivered_to = null
  where tenant_id = $1 and id = $2 and wms_attempt = $3 and wms_state in ('queued', 'unknown')`,
);

/**
 * The call that makes an invoice fail after a look-up at the place of its open attempt found no order. Another
 * warehouse may have one from before a loss, so nothing says that all have none.
 */
export function failAbsentHere(id: string, attempt: string, error: SendReason): Call {
  return failing(id, attempt, storedReason(error));
}
