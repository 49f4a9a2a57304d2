-- What follows from a changed invoice: its external ids, values, notes of older sales, jobs and payments.
-- Payments change `paid` themselves, within their trigger. Any other change of `paid` comes from the status: it records
-- a payment of the rest, or takes the newest ones back.
create or replace function invoices_after_update() returns trigger language plpgsql as $$
declare
  -- Payments and their refunds may be 0 together.
  becomes_draft constant boolean := new.status = 'draft' and old.status <> 'draft';
  is_queued boolean;
  is_due boolean;
begin
  if new.external is distinct from old.external then
    perform public.write_external_ids(new.tenant_id, 'invoice', new.id, old.external, new.external);
  end if;
  if tg_nargs > 0 and new.metadata is distinct from old.metadata then
    perform public.write_custom_values(new.tenant_id, 'invoice', new.id, old.metadata, new.metadata);
  end if;
  -- Sales: the sums of months have none of the last seven days (lastToSum). With three days here, no transaction writes
  -- an invoice without a note while its month is summed up.
  if tg_nargs > 1 then
    if least(old.issued_on, new.issued_on) < date_trunc('month', current_date - 3)::date
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
  -- Jobs: of an invoice that was queued, or whose order was removed although the warehouse may have it. Its order is
  -- followed if it is due now, or sooner than before, or if it moved with its company. An order due later was just read
  -- by the job that follows it, which schedules itself again. The jobs are of the company whose connection applies.
  if tg_nargs > 2 then
    is_queued := (new.wms_state = 'queued' and old.wms_state in ('not_sent', 'failed', 'sent'))
      or (new.wms_state = 'unknown' and old.wms_state = 'sent');
    is_due := new.wms_poll_at is not null and (new.company_id <> old.company_id
      or (new.wms_poll_at is distinct from old.wms_poll_at
        and (new.wms_poll_at <= now() or new.wms_poll_at < coalesce(old.wms_poll_at, 'infinity'))));
    if is_queued or is_due then
      perform public.enqueue_wms_jobs(new.tenant_id, coalesce(new.wms_via, new.company_id),
        case when is_queued then array[new.id] end, case when is_due then new.wms_poll_at end);
    end if;
  end if;
  if new.company_id <> old.company_id then
    update public.payments p set company_id = new.company_id, updated_at = public.moment_after(p.updated_at),
      changed_by = new.changed_by
    where p.tenant_id = new.tenant_id and p.invoice_id = new.id;
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
