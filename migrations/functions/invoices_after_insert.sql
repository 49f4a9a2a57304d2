-- What follows from a new invoice: its external ids and its values. The steps behind them are for triggers of before
-- 0295: the note of an older one that sums of sales lack (0290), and the payment of one that was created as paid.
create or replace function invoices_after_insert() returns trigger language plpgsql as $$
declare
  pair record;
begin
  -- Not by claim_external_ids, which takes longer (keep_external_ids).
  if new.external is not null then
    for pair in select key as source, value as id from jsonb_each_text(new.external) loop
      insert into public.external_ids (tenant_id, type, source, external_id, resource_id)
      values (new.tenant_id, 'invoice', pair.source, pair.id, new.id);
    end loop;
  end if;
  if tg_nargs > 0 and new.metadata is not null then
    perform public.insert_custom_values(new.tenant_id, 'invoice', new.id, new.metadata);
  end if;
  if tg_nargs > 2 then return null; end if;
  if tg_nargs > 1 then if new.issued_on < current_date - 3 and new.status in ('issued', 'paid') then
    insert into public.changed_sales (tenant_id, company_id) values (new.tenant_id, new.company_id);
  end if; end if;
  if new.paid <> 0 then
    insert into public.payments (tenant_id, company_id, invoice_id, amount, paid_on, changed_by)
    values (new.tenant_id, new.company_id, new.id, new.paid,
      least(new.issued_on, public.today_of(new.tenant_id)), new.changed_by);
  end if;
  return null;
end
$$;
