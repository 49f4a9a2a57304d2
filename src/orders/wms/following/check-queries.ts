import {
  hasWarehouse,
  isConnectionOf,
  keyRefusedAt,
  subdomainOf,
} from "../../../customers/companies/warehouse-of-company.ts";
import { hasten } from "../../../kit/jobs/job-queries.ts";
import type { Database } from "../../../platform/postgres/database.ts";
import { quickQuery, stepQuery, writeQuery } from "../../../platform/postgres/query.ts";
import { column, selectList, type Selected } from "../../../platform/postgres/statement.ts";
import type { TenantId } from "../../../platform/postgres/tenant-id.ts";
import { CHECK_MS } from "../../invoices/shown-state.ts";

/**
 * The pause of a waiting job, unless it spares a warehouse that gave no answer: a person may ask that one again.
 * "offset 0" looks the job up by its key: the index of waiting jobs would be read whole.
 */
const pauseOf = (kind: string, subject: string) => `(select j.run_at
    from (select * from jobs where tenant_id = $1 and kind = '${kind}' and subject = ${subject} offset 0) j
    where j.state = 'waiting' and not j.is_sparing and j.run_at > now())`;

const columns = selectList({
  state: column.text("i.wms_state"),
  error: "i.wms_error",
  instance: "i.wms_instance",
  isFollowed: column.flag("i.wms_order_id is not null and i.wms_poll_at is not null"),
  subdomain: subdomainOf("c"),
  isConnected: column.flag(hasWarehouse("c")),
  isKeyRefused: column.flag(`${keyRefusedAt("c")} is not null`),
  /** The seconds since a person last had the warehouse asked. */
  askedSeconds: column.numberOrNull("extract(epoch from now() - i.wms_checked_at)"),
  /** Whether orders of the company wait that are due: then the pause of the job is the warehouse's wish. */
  isOverdue: column.flag(`(select d.id from invoices d
    where d.tenant_id = $1 and d.company_id = i.company_id and d.wms_instance = i.wms_instance and d.wms_poll_at < now() - interval '1 second'
    order by d.wms_poll_at, d.id limit 1) is not null`),
  followPause: pauseOf("follow-orders", "coalesce(i.wms_via, i.company_id)"),
  sendPause: pauseOf("send-invoice", "i.id"),
  /** Until then nobody calls the warehouse, because it gave no answer several times. */
  closedUntil: `(select l.closed_until from lanes l
    where l.tenant_id = $1 and l.name = 'wms/' || ${subdomainOf("c")} and l.closed_until > now())`,
});

/** The facts that decide whether the warehouse can be asked about an invoice's order now. */
export type Checkable = Selected<typeof columns>;

export const findCheckable = quickQuery<[id: string]>(
  "find_checkable",
  `select ${columns.sql} from invoices i
  join companies c on c.tenant_id = $1 and ${isConnectionOf("c")}
  where i.tenant_id = $1 and i.id = $2`,
).first(columns.read);

// The statement decides between two people who press at the same moment.
const notLately = `(i.wms_checked_at is null or i.wms_checked_at <= now() - interval '${CHECK_MS} milliseconds')`;

const noteCheck = stepQuery<[id: string]>(
  "look_up_now",
  `update invoices i set wms_checked_at = now()
  where i.tenant_id = $1 and i.id = $2 and i.wms_state = 'unknown' and ${notLately}
  returning i.id`,
).exists();

/** Has the job of the company's orders ask for this one now (enqueue_wms_jobs); false if it was asked lately. */
export const followNow = writeQuery<[id: string, instance: string]>(
  "follow_now",
  `update invoices i set wms_poll_at = now(), wms_checked_at = now()
  where i.tenant_id = $1 and i.id = $2 and i.wms_instance = $3 and i.wms_poll_at is not null and ${notLately}
  returning i.id`,
).exists();

/** Has the job that sends an invoice look its order up now; false if it was asked lately. */
export async function lookUpNow(tenant: TenantId, database: Database, id: string): Promise<boolean> {
  return await database.transaction(tenant, async (run) => {
    if (!(await noteCheck(run, id))) return false;
    await run(hasten("send-invoice", [id]));
    return true;
  });
}
