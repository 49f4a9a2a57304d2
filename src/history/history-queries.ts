import { nameOfWriter } from "../changes/change-queries.ts";
import type { Moment } from "../platform/http/lists/moment-cursor.ts";
import type { Database } from "../platform/postgres/database.ts";
import { column, selectList, type Row, type Selected, type Statement } from "../platform/postgres/statement.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";

/** A null filter does not filter. `by` is as in changes.changed_by; `from` and `to` are days of the time zone, both included. */
export type HistoryFilters = {
  companyId: string | null;
  type: string | null;
  action: string | null;
  by: string | null;
  from: string | null;
  to: string | null;
  timeZone: string;
};

/** Something that has a page while it is live. `name` is null of what is not there any more. */
export type Named = { id: string; name: string | null; isLive: boolean };

/** A page of changes, newest first; `next` is where the next one begins, null at the end. */
export type HistoryPage = { changes: HistoryChange[]; next: Moment | null };

/**
 * A filter that few changes pass is looked for among so many of them at once, and the page says how far it came: it costs the
 * same whatever is filtered and however many changes there are.
 */
const LOOKED_THROUGH = 10_000;

/** Longer changes are read one at a time, by findChange. */
const LISTED_BYTES = 8_192;

const columnsWith = (changed: string) =>
  selectList({
    id: column.text("h.id"),
    /** PostgreSQL's text. */
    at: column.text("h.at"),
    type: column.text("h.type"),
    action: column.text("h.action"),
    /** As it is stored (migrations/0002); null where it is too long for a list. */
    changed,
    changedBy: column.text("h.changed_by"),
    writerName: nameOfWriter,
    resourceId: column.text("h.resource_id"),
    resourceName: `case h.type when 'company' then c.name when 'contact' then k.first_name || ' ' || k.last_name
      when 'address' then coalesce(a.label, a.address) when 'connection' then c.name
      when 'user' then (select u.name from users u where u.tenant_id = $1 and u.id = h.resource_id)
      when 'invitation' then (select n.email from invitations n where n.tenant_id = $1 and n.id = h.resource_id)
      when 'api_key' then (select y.name from api_keys y where y.tenant_id = $1 and y.id = h.resource_id)
      when 'webhook' then (select b.url from webhooks b where b.tenant_id = $1 and b.id = h.resource_id)
      when 'workspace' then (select t.name from tenants t where t.id = $1) else i.number end`,
    isLive: column.flag(`c.deleted_at is null and
      case h.type when 'contact' then k.deleted_at is null when 'address' then a.deleted_at is null else true end`),
    companyId: "h.company_id",
    companyName: "c.name",
    isCompanyLive: column.flag("c.deleted_at is null"),
  });

const columns = columnsWith("h.changed");

/** A change, and the resource that it is of as it is called now. */
export type HistoryChange = Omit<
  Selected<typeof columns>,
  "resourceId" | "resourceName" | "isLive" | "companyId" | "companyName" | "isCompanyLive"
> & {
  resource: Named;
  /** Null of what is the workspace's own. */
  company: Named | null;
};

const listColumns = columnsWith(`case when octet_length(h.changed) <= ${LISTED_BYTES} then h.changed end`);

const joined = `left join companies c on c.tenant_id = $1 and c.id = h.company_id
  left join contacts k on k.tenant_id = $1 and k.id = h.resource_id and h.type = 'contact'
  left join addresses a on a.tenant_id = $1 and a.id = h.resource_id and h.type = 'address'
  left join invoices i on i.tenant_id = $1 and i.id = h.resource_id and h.type in ('invoice', 'wms_order')`;

const reached = selectList({ looked: column.number("s.looked"), at: column.text("s.at"), id: column.text("s.id") });
const REACHED = 3;

/**
 * $2, $3: before which moment; $4 to $6: type, action, by; $7, $8: the days; $9: their time zone; $10: how many to look
 * through; $11: how many to find; $12: the company.
 */
function listStatement(name: string, ofCompany: string): Statement {
  const afterLastDay = "($8::date + 1)::timestamp at time zone $9";
  return {
    name,
    text: `with seen as materialized (
      select h.id, h.at, h.type, h.action, h.changed_by from changes h
      where h.tenant_id = $1 ${ofCompany}
        and (h.at, h.id) < (
          least($2::timestamptz, ${afterLastDay}),
          case when ${afterLastDay} < $2::timestamptz then 0 else $3::bigint end
        )
        and h.at >= coalesce($7::date::timestamp at time zone $9, '-infinity')
      order by h.at desc, h.id desc limit $10
    ), last as (
      select (select count(*) from seen) as looked, at, id from seen order by at, id limit 1
    ), found as (
      select id from seen
      where ($4::text is null or type = $4) and ($5::text is null or action = $5) and ($6::text is null or changed_by = $6)
      order by at desc, id desc limit $11
    )
    select ${reached.sql}, ${listColumns.sql}
    from last s left join found f on true left join changes h on h.tenant_id = $1 and h.id = f.id ${joined}
    order by h.at desc, h.id desc`,
  };
}

const listAllStatement = listStatement("list_tenant_history", "");
const listOfCompanyStatement = listStatement("list_company_history", "and h.company_id = $12");

/** A page of the tenant's changes before a moment, or of a company's and of what belongs to it. */
export async function readHistory(
  tenant: TenantId,
  database: Database,
  filters: HistoryFilters,
  before: Moment,
  limit: number,
): Promise<HistoryPage> {
  const { companyId, type, action, by, from, to, timeZone } = filters;
  const isFiltered = type !== null || action !== null || by !== null;
  const most = isFiltered ? LOOKED_THROUGH : limit + 1;
  const place = [before.at, before.id, type, action, by, from, to, timeZone, most, limit + 1];
  const rows =
    companyId === null
      ? await database.slow.read(tenant, listAllStatement, place)
      : await database.slow.read(tenant, listOfCompanyStatement, [...place, companyId]);
  const changes = rows
    .map((row) => row.slice(REACHED))
    .filter(([id]) => id !== null)
    .map(historyChange);
  if (changes.length > limit) {
    const shown = changes.slice(0, limit);
    return { changes: shown, next: shown.at(-1) ?? null };
  }
  const { looked, ...next } = reached.read(rows[0] ?? []);
  return { changes, next: looked === most ? next : null };
}

const findStatement: Statement = {
  name: "find_change",
  text: `select ${columns.sql} from changes h ${joined} where h.tenant_id = $1 and h.id = $2`,
};

/** A change with all of its texts, or null. */
export async function findChange(tenant: TenantId, database: Database, id: string): Promise<HistoryChange | null> {
  const [row] = await database.quick.read(tenant, findStatement, [id]);
  return row === undefined ? null : historyChange(row);
}

const company = selectList({
  id: column.text("c.id"),
  name: column.text("c.name"),
  isLive: column.flag("c.deleted_at is null"),
});

const companyStatement: Statement = {
  name: "company_of_history",
  text: `select ${company.sql} from companies c where c.tenant_id = $1 and c.id = $2`,
};

/** The company, also where it is deleted: its history stays. */
export async function findCompanyEver(tenant: TenantId, database: Database, id: string): Promise<Named | null> {
  return company.first(await database.quick.read(tenant, companyStatement, [id]));
}

function historyChange(row: Row): HistoryChange {
  const { resourceId, resourceName, isLive, companyId, companyName, isCompanyLive, ...change } = columns.read(row);
  return {
    ...change,
    resource: { id: resourceId, name: resourceName, isLive },
    company: companyId === null ? null : { id: companyId, name: companyName, isLive: isCompanyLive },
  };
}
