import { isByWriter, nameOfWriter } from "../../kit/changes/change-queries.ts";
import { hiddenTypes, type ChangeType } from "../../kit/changes/change.ts";
import type { Moment } from "../../platform/http/lists/moment-cursor.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { quickQuery, slowQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Row, type Selected } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { listByTime, type Days, type TimePage } from "../../platform/reads/by-time.ts";

/** A null filter is inactive. `by` has the format of changes.changed_by. */
export type HistoryFilters = Days & {
  companyId: string | null;
  /** A type of resource or activity; `said` and `changes` stand for all of each. */
  type: string | null;
  action: string | null;
  by: string | null;
};

/** A resource that has a page while it is live. `name` is null if the resource no longer exists. */
export type Named = { id: string; name: string | null; isLive: boolean };

/** Maximum bytes of a change in a list. Longer ones are read one at a time, by findChange. */
const LISTED_BYTES = 8_192;

/** The fields of a call beside its day. */
const HAS_DETAILS = `~ '"(contact_id|about|assigned_to|invoice_id)"'`;

/**
 * Whether another entry already shows the change: an activity that planned the next call; of a company's next call and
 * of the call itself, the one that says more.
 */
const isElsewhere = `h.type in ('company', 'planned_call') and (exists (
    select from activities v where v.tenant_id = $1 and v.company_id = h.company_id and v.told_at = h.at)
  or h.type = 'planned_call' and not h.changed ${HAS_DETAILS} and exists (
    select from changes g where g.tenant_id = $1 and g.company_id = h.company_id and g.at = h.at and g.type = 'company')
  or h.changed ~ '^{"callback_date":[^{}]*{[^{}]*}}$' and exists (
    select from changes g where g.tenant_id = $1 and g.company_id = h.company_id and g.at = h.at
      and g.type = 'planned_call' and g.changed ${HAS_DETAILS}))`;

const columnsWith = (changed: string) =>
  selectList({
    id: column.text("h.id"),
    /** PostgreSQL's text. */
    at: column.text("h.at"),
    type: column.text("h.type"),
    action: column.text("h.action"),
    /** As stored (migrations/0002); null if it is too long for a list. */
    changed,
    changedBy: column.text("h.changed_by"),
    writerName: nameOfWriter,
    /** A payment is shown with its invoice. */
    resourceId: column.text("coalesce(p.invoice_id, h.resource_id)"),
    resourceName: `case h.type when 'company' then c.name when 'planned_call' then c.name when 'contact' then k.first_name || ' ' || k.last_name
      when 'address' then coalesce(a.label, a.address) when 'connection' then c.name
      when 'user' then (select u.name from users u where u.tenant_id = $1 and u.id = h.resource_id)
      when 'invitation' then (select n.email from invitations n where n.tenant_id = $1 and n.id = h.resource_id)
      when 'api_key' then (select y.name from api_keys y where y.tenant_id = $1 and y.id = h.resource_id)
      when 'webhook' then (select b.url from webhooks b where b.tenant_id = $1 and b.id = h.resource_id)
      when 'custom_field' then (select f.label from custom_fields f where f.tenant_id = $1 and f.id = h.resource_id)
      when 'workspace' then (select t.name from tenants t where t.id = $1) when 'payment' then b.number else i.number end`,
    isLive: column.flag(`c.deleted_at is null and
      case h.type when 'contact' then k.deleted_at is null when 'address' then a.deleted_at is null else true end`),
    companyId: "h.company_id",
    companyName: "c.name",
    isCompanyLive: column.flag("c.deleted_at is null"),
    isElsewhere: column.flag(isElsewhere),
    /** The day of a call to come. */
    callDay: "q.due_on",
    /** The amount of a payment. */
    amount: "p.amount",
    /** The currency of the invoice. */
    currency: "coalesce(b.currency, i.currency)",
    /** The invoice's current order, if it has one. */
    orderNumber: "coalesce(i.wms_order_number, i.wms_order_id::text)",
    /** The reason to accept the order then, if it is still known. */
    orderTrouble: column.textOrNull<"missing" | "cancelled">(`case when i.wms_gone_at <= h.at then 'missing'
      when lower(i.wms_status) in ('cancelled', 'canceled') then 'cancelled' end`),
    /** The warehouse that the company, or the workspace, is connected with now by its own connection. */
    subdomain: `case h.type when 'workspace' then (select w.wms_subdomain from workspace_warehouses w where w.tenant_id = $1)
      else c.wms_subdomain end`,
  });

const columns = columnsWith("h.changed");

/** A change, with the current name of its resource. */
export type HistoryChange = Omit<
  Selected<typeof columns>,
  "resourceId" | "resourceName" | "isLive" | "companyId" | "companyName" | "isCompanyLive"
> & {
  resource: Named;
  /** Null for the workspace's own changes. */
  company: Named | null;
  /** Whether the page has no room for its values: a link leads to them. */
  isBrief?: boolean;
};

const listColumns = columnsWith(`case when octet_length(h.changed) <= ${LISTED_BYTES} then h.changed end`);

const joined = `left join companies c on c.tenant_id = $1 and c.id = h.company_id
  left join contacts k on k.tenant_id = $1 and k.id = h.resource_id and h.type = 'contact'
  left join addresses a on a.tenant_id = $1 and a.id = h.resource_id and h.type = 'address'
  left join planned_calls q on q.tenant_id = $1 and q.id = h.resource_id and h.type = 'planned_call'
  left join payments p on p.tenant_id = $1 and p.id = h.resource_id and h.type = 'payment'
  left join invoices b on b.tenant_id = $1 and b.id = p.invoice_id
  left join invoices i on i.tenant_id = $1 and i.id = h.resource_id and h.type = 'invoice'`;

const ofText = (sql: string) => ({ sql, type: "text" });

const isShown = `h.type not in ('${hiddenTypes.join("', '")}')`;

const readList = listByTime(
  {
    table: "changes",
    names: { all: "list_tenant_history", company_id: "list_company_history" },
    shown: isShown,
    filters: {
      type: ofText("h.type = :type"),
      action: ofText("h.action = :action"),
      by: ofText(isByWriter(":by")),
    },
    beside: joined,
  },
  { sql: listColumns.sql, read: historyChange },
);

/** A page of changes before a moment, of the tenant or of one company with its related resources. */
export async function readHistory(
  tenant: TenantId,
  database: Database,
  { companyId, ...filters }: HistoryFilters,
  page: { before: Moment; limit: number },
): Promise<TimePage<HistoryChange>> {
  return await readList(
    tenant,
    database,
    { of: companyId === null ? null : { company_id: companyId }, ...filters },
    page,
  );
}

/** The latest changes of a resource, newest first. */
export const latestChanges = slowQuery<[type: ChangeType, resourceId: string, limit: number]>(
  "latest_changes",
  `select ${listColumns.sql} from changes h ${joined}
  where h.tenant_id = $1 and h.type = $2 and h.resource_id = $3 order by h.at desc, h.id desc limit $4`,
).all(historyChange);

/** A change with its complete texts, or null. */
export const findChange = quickQuery<[id: string]>(
  "find_change",
  `select ${columns.sql} from changes h ${joined} where h.tenant_id = $1 and h.id = $2 and ${isShown}`,
).first(historyChange);

const company = selectList({
  id: column.text("c.id"),
  name: column.text("c.name"),
  isLive: column.flag("c.deleted_at is null"),
});

/** A company, even if it is deleted: its history stays available. */
export const findCompanyEver = quickQuery<[id: string]>(
  "find_company_ever",
  `select ${company.sql} from companies c where c.tenant_id = $1 and c.id = $2`,
).first(company.read);

function historyChange(row: Row): HistoryChange {
  const { resourceId, resourceName, isLive, companyId, companyName, isCompanyLive, ...change } = columns.read(row);
  return {
    ...change,
    resource: { id: resourceId, name: resourceName, isLive },
    company: companyId === null ? null : { id: companyId, name: companyName, isLive: isCompanyLive },
  };
}
