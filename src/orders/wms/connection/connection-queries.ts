import { selectCompany } from "../../../customers/companies/live-company-queries.ts";
import { hasWarehouse, usesWorkspaces } from "../../../customers/companies/warehouse-of-company.ts";
import type { Database } from "../../../platform/postgres/database.ts";
import { quickQuery, runAll, slowQuery, stepQuery } from "../../../platform/postgres/query.ts";
import { column, selectList } from "../../../platform/postgres/statement.ts";
import type { TenantId } from "../../../platform/postgres/tenant-id.ts";
import { hasStatusToSend } from "../../invoices/invoice.ts";
import { isUnderWay } from "../../invoices/shown-queries.ts";
import { LOST_ELSEWHERE } from "../../invoices/wms-error.ts";
import { lockWorkspace } from "../workspace-warehouse-queries.ts";
import { requeueing, afterConnecting } from "./after-connecting-queries.ts";

const columns = selectList({
  companyName: column.text("c.name"),
  subdomain: "c.wms_subdomain",
  key: "c.wms_api_key",
  /** Whether a connection applies to the company: its own or the workspace's. */
  isConnected: column.flag(hasWarehouse("c")),
  usesWorkspaces: column.flag(usesWorkspaces("c")),
  isNever: column.flag("c.wms_never"),
  sendsAutomatically: column.flag("c.wms_send_automatically"),
  keySetAt: "c.wms_key_set_at",
  keyRefusedAt: "c.wms_key_refused_at",
  contact: "c.wms_contact",
  /** The name of the user who wrote the key. */
  keySetBy: `case when c.wms_key_set_by like 'user:%'
    then (select u.name from users u where u.tenant_id = $1 and u.id = substr(c.wms_key_set_by, 6)::bigint) end`,
  /** The invoices that could be sent and were never tried. */
  // "offset 0" looks at this company's invoices, however many of the tenant's are in the state.
  sendable:
    column.number(`(select count(*) from (select wms_state, status from invoices where tenant_id = $1 and company_id = c.id offset 0) i
    where i.wms_state = 'not_sent' and ${hasStatusToSend})`),
});

/**
 * A company's own connection to its warehouse as it is stored, and which one applies; `key` is encrypted. Null if the
 * company does not exist.
 */
export const findConnection = quickQuery<[companyId: string]>("find_connection", selectCompany(columns.sql)).first(
  columns.read,
);

const ofLive = "where tenant_id = $1 and id = :id and deleted_at is null";

/** A connection without its key. */
export type SavedConnection = Pick<NewConnection, "subdomain" | "sendsAutomatically" | "by">;

const saveWithKey = stepQuery<SavedConnection & { id: string; key: string }>(
  "save_connection_with_key",
  `update companies set wms_subdomain = :subdomain, wms_send_automatically = :sendsAutomatically, changed_by = :by, updated_at = moment_after(updated_at),
    wms_api_key = :key, wms_key_set_at = now(), wms_key_set_by = :by, wms_key_refused_at = null, wms_never = false,
    wms_contact = case when lower(wms_subdomain) = :subdomain then wms_contact end
  ${ofLive} returning id`,
).exists();

const differs =
  "wms_subdomain is distinct from :subdomain or wms_send_automatically is distinct from :sendsAutomatically";

const save = stepQuery<SavedConnection & { id: string }>(
  "save_connection",
  // A key belongs to its subdomain, and must not be sent to another one.
  // Without a difference it is no update, as the history has none: `updated_since` reads the history.
  `update companies set wms_subdomain = :subdomain, wms_send_automatically = :sendsAutomatically,
    changed_by = case when ${differs} then :by else changed_by end,
    updated_at = case when ${differs} then moment_after(updated_at) else updated_at end
  ${ofLive} and wms_api_key is not null and lower(wms_subdomain) = :subdomain returning id`,
).exists();

/** The open orders of a company. A final order may still be read for a while. */
export const countUnderWay = quickQuery<[companyId: string]>(
  "count_under_way",
  // As a filter, because the index of open orders has those of the whole tenant.
  `select count(*) filter (where ${isUnderWay}) from invoices i where i.tenant_id = $1 and i.company_id = $2`,
).number();

const connectedColumns = selectList({
  companies: column.number("count(*)"),
  /** With a connection of their own. */
  own: column.number("count(*) filter (where c.wms_api_key is not null)"),
  never: column.number("count(*) filter (where c.wms_never)"),
  underWay: column.number("coalesce(sum(u.under_way), 0)"),
});

/** Which of these companies exist, which of them have a connection, and their open orders. */
export const countConnected = slowQuery<[ids: readonly string[]]>(
  "count_connected_companies",
  `select ${connectedColumns.sql} from unnest($2::bigint[]) n (id)
  cross join lateral (select * from companies where tenant_id = $1 and id = n.id and deleted_at is null offset 0) c
  cross join lateral (
    select count(*) filter (where ${isUnderWay}) as under_way from invoices i where i.tenant_id = $1 and i.company_id = c.id
  ) u`,
).only(connectedColumns.read);

export type NewConnection = {
  /** In lower case. */
  subdomain: string;
  /** The hostname that is called for it; null: no warehouse can be reached. */
  instance: string | null;
  /** Encrypted; null keeps the one that is stored for the subdomain. */
  key: string | null;
  sendsAutomatically: boolean;
  by: string;
};

/**
 * Stores a company's own connection, and applies it (`afterConnecting`). Returns false for an unknown company, and if
 * there is neither a new key nor a stored one for the subdomain.
 */
export async function saveConnection(
  tenant: TenantId,
  database: Database,
  companyId: string,
  { subdomain, instance, key, sendsAutomatically, by }: NewConnection,
): Promise<boolean> {
  return await database.transaction(tenant, async (run) => {
    const saved = { id: companyId, subdomain, sendsAutomatically, by };
    const isSaved = await (key === null ? save(run, saved) : saveWithKey(run, { ...saved, key }));
    if (!isSaved) return false;
    await runAll(run, afterConnecting(companyId, { subdomain, instance }));
    return true;
  });
}

const noteFormerChecked = stepQuery<[invoiceId: string, by: string, lostElsewhere: string]>(
  "confirm_none_elsewhere",
  `update companies c set wms_former_checked_at = now(), changed_by = $3, updated_at = moment_after(c.updated_at)
  from invoices i
  where i.tenant_id = $1 and i.id = $2 and c.tenant_id = $1 and c.id = i.company_id and c.deleted_at is null
    and i.wms_state = 'failed' and starts_with(i.wms_error, $4)
  returning c.id`,
).value();

/**
 * Records that the former warehouses of an invoice's company have none of its lost orders, as a person has confirmed,
 * and queues the invoices that waited for this. Returns false if this invoice does not wait for it.
 */
export async function confirmNoneElsewhere(
  tenant: TenantId,
  database: Database,
  invoiceId: string,
  by: string,
): Promise<boolean> {
  return await database.transaction(tenant, async (run) => {
    const companyId = await noteFormerChecked(run, invoiceId, by, LOST_ELSEWHERE);
    if (companyId === null) return false;
    await run(requeueing.company(companyId, [], LOST_ELSEWHERE));
    return true;
  });
}

const leave = stepQuery<{ id: string; by: string; isNever: boolean }>(
  "leave_connection",
  `update companies set wms_subdomain = null, wms_api_key = null, wms_send_automatically = false, wms_key_set_at = null,
    wms_key_set_by = null, wms_key_refused_at = null, wms_contact = null, wms_never = :isNever, changed_by = :by, updated_at = moment_after(updated_at)
  ${ofLive} and (wms_subdomain is not null or wms_api_key is not null or wms_never <> :isNever) returning id`,
).exists();

/**
 * Deletes a company's own connection and its key. From then on the workspace's applies, if there is one
 * (`afterConnecting`). With `isNever` none applies. `instanceOf` returns the hostname of a subdomain.
 */
export async function leaveConnection(
  tenant: TenantId,
  database: Database,
  companyId: string,
  { isNever, by, instanceOf }: { isNever: boolean; by: string; instanceOf: (subdomain: string) => string | null },
): Promise<void> {
  await database.transaction(tenant, async (run) => {
    // A save of the workspace's connection waits for this lock, or this for the save: each sees the other's outcome.
    const subdomain = (await lockWorkspace(run))?.subdomain ?? null;
    const isLeft = await leave(run, { id: companyId, by, isNever });
    if (!isLeft || isNever || subdomain === null) return;
    await runAll(run, afterConnecting(companyId, { subdomain, instance: instanceOf(subdomain) }));
  });
}
