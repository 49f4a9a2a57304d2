-- Up Migration

-- A version has only to differ from those before it: of the invoices that are there it is the moment of this migration, so that the
-- table is not written anew.
alter table invoices add column edited_at timestamptz not null default now();

-- When an invoice was last changed by anybody but its warehouse, and so the version that If-Match compares: `updated_at` moves with
-- its order too. Decided by what differs and not by who writes, so that no writer has to know.
create or replace function mark_edited() returns trigger
  language plpgsql
as $$
begin
  new.edited_at := moment_after(old.edited_at);
  return new;
end
$$;
create trigger edited before update on invoices for each row
  when ((old.company_id, old.number, old.issued_on, old.due_on, old.total::text, old.currency, old.status, old.lines)
    is distinct from (new.company_id, new.number, new.issued_on, new.due_on, new.total::text, new.currency, new.status, new.lines))
  execute function mark_edited();

call keep_history('invoices', 'invoice', encrypted => '{lines}', hidden =>
  '{wms_state,wms_error,wms_attempt,wms_synced_at,wms_updated_at,wms_open_since,wms_open_instance,wms_open_source,wms_poll_at,wms_poll_every,wms_owns_order,wms_is_final,wms_moved_at,edited_at}');
