import { hasWarehouse, selectCompany } from "../../companies/live-company-queries.ts";
import { hasStatusToSend } from "../../invoices/invoice.ts";
import { openSince } from "../../invoices/kept-queries.ts";
import { LOST_ELSEWHERE, storedForms, type SendReason } from "../../invoices/send-reasons.ts";
import { isUnderWay } from "../../invoices/shown-queries.ts";
import { moveSelected } from "../../jobs/job-queries.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { column, selectList, type Selected, type Statement } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { laneOf } from "../../warehouse/instance-url.ts";

const columns = selectList({
  companyName: column.text("c.name"),
  subdomain: "c.wms_subdomain",
  key: "c.wms_api_key",
  isConnected: column.flag(hasWarehouse("c")),
  sendsAutomatically: column.flag("c.wms_send_automatically"),
  keySetAt: "c.wms_key_set_at",
  keyRefusedAt: "c.wms_key_refused_at",
  /** The name of the user who wrote the key. */
  keySetBy: `case when c.wms_key_set_by like 'user:%'
    then (select u.name from users u where u.tenant_id = $1 and u.id = substr(c.wms_key_set_by, 6)::bigint) end`,
  /** The invoices that could be sent and were never tried. */
  // "offset 0" looks at this company's invoices (0006), however many of the tenant's are in the state.
  sendable:
    column.number(`(select count(*) from (select wms_state, status from invoices where tenant_id = $1 and company_id = c.id offset 0) i
    where i.wms_state = 'not_sent' and ${hasStatusToSend})`),
});

/** A company's connection to its warehouse as it is stored; `key` is encrypted. */
export type StoredConnection = Selected<typeof columns>;

const findStatement: Statement = {
  name: "find_connection",
  text: selectCompany(columns.sql),
};

/** Null where there is no such company. */
export async function findConnection(
  tenant: TenantId,
  database: Database,
  companyId: string,
): Promise<StoredConnection | null> {
  return columns.first(await database.quick.read(tenant, findStatement, [companyId]));
}

const ofLive = "where tenant_id = $1 and id = $2 and deleted_at is null";

const saveWithKeyStatement: Statement = {
  name: "save_connection_with_key",
  text: `update companies set wms_subdomain = $3, wms_send_automatically = $4, changed_by = $5, updated_at = moment_after(updated_at),
    wms_api_key = $6, wms_key_set_at = now(), wms_key_set_by = $5, wms_key_refused_at = null
  ${ofLive} returning id`,
};

const saveStatement: Statement = {
  name: "save_connection",
  // A key belongs to its subdomain: whoever runs another one must not be told it.
  text: `update companies set wms_subdomain = $3, wms_send_automatically = $4, changed_by = $5, updated_at = moment_after(updated_at)
  ${ofLive} and wms_api_key is not null and lower(wms_subdomain) = $3 returning id`,
};

const requeueStatement: Statement = {
  name: "queue_invoices_of_connection",
  text: `update invoices i set wms_state = 'queued', wms_error = null
  where i.tenant_id = $1 and i.company_id = $2 and i.wms_state = 'failed'
    and (i.wms_error = any($3::text[]) or starts_with(i.wms_error, $4)) and (${hasStatusToSend} or ${openSince("i")} is not null)`,
};

const followStatement: Statement = {
  name: "follow_orders_again",
  text: `update invoices i set wms_poll_at = now()
  where i.tenant_id = $1 and i.company_id = $2 and i.wms_poll_at is not null`,
};

const countUnderWayStatement: Statement = {
  name: "count_orders_under_way_of_company",
  // As a filter: the index of what is under way has the whole tenant's.
  text: `select count(*) filter (where ${isUnderWay}) from invoices i where i.tenant_id = $1 and i.company_id = $2`,
};

/** The orders of a company that are under way: one that is final may still be asked for a while. */
export async function countUnderWay(tenant: TenantId, database: Database, companyId: string): Promise<number> {
  const [row] = await database.quick.read(tenant, countUnderWayStatement, [companyId]);
  return Number(row?.[0] ?? 0);
}

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

const waitingStatement: Statement = {
  name: "invoices_of_connection",
  text: `select i.id as subject from invoices i where i.tenant_id = $1 and i.company_id = $4 and i.wms_state in ('queued', 'unknown')`,
};

/**
 * Stores a connection. Queues the invoices again that failed because of a refused key, or because their orders may be
 * in a warehouse that the company was not connected with: each order is looked up there first. Waiting jobs of the
 * company move to the lane of the new warehouse. Returns false for an unknown company, and if there is neither a new key
 * nor a stored one for the subdomain.
 */
export async function saveConnection(
  tenant: TenantId,
  database: Database,
  companyId: string,
  { subdomain, instance, key, sendsAutomatically, by }: NewConnection,
): Promise<boolean> {
  return await database.transaction(tenant, async (run) => {
    const parameters = [companyId, subdomain, sendsAutomatically, by];
    const saved =
      key === null ? await run(saveStatement, parameters) : await run(saveWithKeyStatement, [...parameters, key]);
    if (saved.length === 0) return false;
    const solved: SendReason[] = [{ code: "credentials" }];
    if (instance !== null) solved.push({ code: "movedAway", instance });
    await run(requeueStatement, [companyId, solved.flatMap(storedForms), LOST_ELSEWHERE]);
    await run(followStatement, [companyId]);
    const moving = moveSelected("send-invoice", laneOf(subdomain), waitingStatement, [companyId]);
    await run(moving.statement, moving.parameters);
    return true;
  });
}

const checkedStatement: Statement = {
  name: "former_warehouses_checked",
  text: `update companies c set wms_former_checked_at = now(), changed_by = $3, updated_at = moment_after(c.updated_at)
  from invoices i
  where i.tenant_id = $1 and i.id = $2 and c.tenant_id = $1 and c.id = i.company_id and c.deleted_at is null
    and i.wms_state = 'failed' and starts_with(i.wms_error, $4)
  returning c.id`,
};

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
    const [checked] = await run(checkedStatement, [invoiceId, by, LOST_ELSEWHERE]);
    if (checked === undefined) return false;
    await run(requeueStatement, [checked[0] ?? null, [], LOST_ELSEWHERE]);
    return true;
  });
}

const removeStatement: Statement = {
  name: "remove_connection",
  text: `update companies set wms_subdomain = null, wms_api_key = null, wms_send_automatically = false, wms_key_set_at = null,
    wms_key_set_by = null, wms_key_refused_at = null, changed_by = $3, updated_at = moment_after(updated_at)
  ${ofLive} and (wms_subdomain is not null or wms_api_key is not null)`,
};

/** Forgets the connection, and its key. */
export async function removeConnection(
  tenant: TenantId,
  database: Database,
  companyId: string,
  by: string,
): Promise<void> {
  await database.write(tenant, [{ statement: removeStatement, parameters: [companyId, by] }]);
}
