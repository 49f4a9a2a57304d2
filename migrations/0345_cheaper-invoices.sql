-- Without a transaction: an invoice has fewer index entries, an update queues its jobs in the trigger that runs for its
-- row, and older sales begin before the month that no sum has yet. During an upgrade the previous release reads lists
-- of unpaid invoices more slowly.

-- All unpaid invoices by their due days, those without one last, with all that lists of unpaid ones and an ageing read.
create index concurrently if not exists invoices_unpaid
  on invoices (tenant_id, (case when due_on is null then terms_due_on else due_on end), id)
  include (company_id, currency, total, paid, issued_on, due_on, terms_due_on) where status = 'issued';
drop index concurrently if exists invoices_open;
drop index concurrently if exists invoices_by_due_day;
drop index concurrently if exists invoices_without_due_day;
-- Most invoices are either not sent, or sent.
create index concurrently if not exists invoices_in_sending on invoices (tenant_id, wms_state, id)
  where wms_state in ('queued', 'sending', 'unknown', 'failed');
drop index concurrently if exists invoices_by_wms_state;
-- As before (0074), and newer than invoices_unpaid: of indexes that look equally good PostgreSQL uses the newest.
create index concurrently if not exists invoices_of_company_by_status
  on invoices (tenant_id, company_id, status, issued_on desc nulls last, id desc)
  include (total, currency, due_on, terms_due_on, paid);
drop index concurrently if exists invoices_of_company_with_amounts;

-- Load functions: invoices_after_update, invoices_after_delete, wms_jobs_of_created
create or replace trigger after_update after update of external, metadata, paid, company_id, status, issued_on, total,
    currency, wms_state, wms_order_id, wms_instance, wms_poll_at on invoices
  for each row execute function invoices_after_update('with metadata', 'with sales', 'with jobs');
do $$
begin
  drop trigger if exists wms_jobs_updated on invoices;
  drop function if exists wms_jobs_of_updated();
end $$;
