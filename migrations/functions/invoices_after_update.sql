-- What follows from a changed invoice: its external ids, its values, its payments, and the notes of older sales (0290).
-- Payments change `paid` themselves, within their trigger. Any other change of `paid` comes from the status: it records
-- a payment of the rest, or takes the newest ones back.
create or replace function invoices_after_update() returns trigger language plpgsql as $$
declare
  -- Payments and their refunds may be 0 together.
  becomes_draft constant boolean := new.status = 'draft' and old.status <> 'draft';
begin
  if new.external is distinct from old.external then
    perform public.write_external_ids(new.tenant_id, 'invoice', new.id, old.external, new.external);
  end if;
  if tg_nargs > 0 and new.metadata is distinct from old.metadata then
    perform public.write_custom_values(new.tenant_id, 'invoice', new.id, old.metadata, new.metadata);
  end if;
  if tg_nargs > 1 then
    if least(old.issued_on, new.issued_on) < current_date - 3
      and (old.status in ('issued', 'paid') or new.status in ('issued', 'paid'))
      and (new.company_id <> old.company_id or old.issued_on is distinct from new.issued_on
        or old.total is distinct from new.total or old.currency is distinct from new.currency
        or (old.status in ('issued', 'paid')) <> (new.status in ('issued', 'paid')))
    then
      insert into public.changed_sales (tenant_id, company_id) values (new.tenant_id, new.company_id);
      if new.company_id <> old.company_id then
        insert into public.changed_sales (tenant_id, company_id) values (old.tenant_id, old.company_id);
      end if;
    end if;
  end if;
  if new.company_id <> old.company_id then
    update public.payments p set company_id = new.company_id where p.tenant_id = new.tenant_id and p.invoice_id = new.id;
  end if;
  if pg_trigger_depth() > 1 or (new.paid = old.paid and not becomes_draft) then return null; end if;
  if new.status = 'paid' then
    insert into public.payments (tenant_id, company_id, invoice_id, amount, paid_on, changed_by)
    values (new.tenant_id, new.company_id, new.id, new.paid - old.paid, public.today_of(new.tenant_id), new.changed_by);
    return null;
  end if;
  update public.payments p set deleted_at = public.moment_after(p.updated_at), updated_at = public.moment_after(p.updated_at),
    changed_by = new.changed_by
  where p.tenant_id = new.tenant_id and p.invoice_id = new.id and p.deleted_at is null
    and (new.status <> 'issued' or p.id = any (array(
      select t.id from public.payments_to_take_back(new.tenant_id, new.id, new.total, old.paid) t)));
  return null;
end
$$;
