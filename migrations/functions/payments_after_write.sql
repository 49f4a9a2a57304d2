-- What follows from a payment that was recorded or deleted: its external ids, and what is paid of its invoice.
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
  perform public.count_payments(new.tenant_id, new.invoice_id, new.changed_by);
  return null;
end
$$;
