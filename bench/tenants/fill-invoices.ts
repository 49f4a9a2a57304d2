import type pg from "pg";
import type { SeededTenant } from "./seed.ts";

export const INVOICES_PER_COMPANY = 5;

/**
 * Gives every company of a tenant as many invoices, once: nine of ten arrived long ago, some are not sent, some are
 * under way, and one of ten thousand needs somebody. Triggers rest meanwhile: nobody asks for the history of these, nor
 * for their orders.
 */
export async function fillInvoices(owner: pg.Client, { id, companies, firstCompany }: SeededTenant): Promise<void> {
  const { rows } = await owner.query("select from invoices where tenant_id = $1 and number = 'FILL-1'", [id]);
  if (rows.length > 0) return;
  await owner.query("begin; set local session_replication_role = replica");
  await owner.query(
    `insert into invoices (tenant_id, company_id, number, issued_on, total, currency, wms_state, wms_instance, wms_order_id,
       wms_order_number, wms_status, wms_synced_at, wms_moved_at, wms_is_final)
     select $1, $2::bigint + n % $3::integer, 'FILL-' || n, date '2026-11-01' - (n % 1500), 100 + n % 900, 'RON',
       case when n % 20 = 1 then 'not_sent' else 'sent' end, case when n % 20 <> 1 then 'wms.example.com' end,
       case when n % 20 <> 1 then 9000000 + n end, case when n % 20 <> 1 then 'SO-' || n end,
       case when n % 20 = 1 then null when n % 10000 = 0 then 'cancelled' when n % 20 = 2 then 'picking' else 'delivered' end,
       now(), now(), n % 20 <> 2
     from generate_series(1, $3::integer * $4::integer) n`,
    [id, firstCompany, companies, INVOICES_PER_COMPANY],
  );
  await owner.query("commit");
}
