-- What follows from a payment that was recorded or deleted: its external ids, and what is paid of its invoice.
-- A payment that follows from its invoice is in `paid` already. With an argument, other triggers add (0295).
create or replace function payments_after_write() returns trigger language plpgsql as $$
declare
  pair record;
begin
  if tg_op = 'INSERT' and new.external is not null then
    for pair in select key as source, value as id from jsonb_each_text(new.external) loop
      insert into public.external_ids (tenant_id, type, source, external_id, resource_id)
      values (new.tenant_id, 'payment', pair.source, pair.id, new.id);
    end loop;
  end if;
  if tg_nargs = 0 and pg_trigger_depth() = 1 then
    perform public.add_to_paid(new.tenant_id, new.invoice_id,
      case when new.deleted_at is null then new.amount else - new.amount end, new.changed_by);
  end if;
  return null;
end
$$;
