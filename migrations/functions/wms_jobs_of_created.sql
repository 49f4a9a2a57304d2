-- What follows from the invoices of an insert. A transition table is read by selects alone (0021 of docs/decisions).
create or replace function wms_jobs_of_created() returns trigger language plpgsql as $$
declare
  has_jobs boolean := true;
  has_sales boolean := false;
  payments bigint := 0;
  changed record;
begin
  -- Most inserts need no more than this.
  if tg_nargs > 0 then
    select bool_or(w.wms_state = 'queued' or w.wms_poll_at is not null), count(*) filter (where w.paid <> 0),
      bool_or(w.issued_on < date_trunc('month', current_date - 3)::date and w.status in ('issued', 'paid'))
    into has_jobs, payments, has_sales from written w;
  end if;

  -- 1. Jobs: of those that are queued, or have an order to follow.
  if has_jobs then
    for changed in
      select w.tenant_id, w.company_id, array_agg(w.id order by w.id) filter (where w.wms_state = 'queued') as queued,
        min(w.wms_poll_at) as poll_at
      from written w where w.wms_state = 'queued' or w.wms_poll_at is not null group by w.tenant_id, w.company_id
    loop
      perform public.enqueue_wms_jobs(changed.tenant_id, changed.company_id, changed.queued, changed.poll_at);
    end loop;
  end if;

  -- 2. Payments: of those that were created as paid. Several are one insert, because the history has a trigger for each
  -- statement; of values, because a node of Citus runs no other. One alone is planned only once.
  if payments = 1 then
    select w.tenant_id, w.company_id, w.id, w.paid as amount, w.issued_on as day, w.changed_by as author
    into changed from written w where w.paid <> 0;
    insert into public.payments (tenant_id, company_id, invoice_id, amount, paid_on, changed_by)
    values (changed.tenant_id, changed.company_id, changed.id, changed.amount,
      least(changed.day, public.today_of(changed.tenant_id)), changed.author);
  elsif payments > 1 then
    execute 'insert into public.payments (tenant_id, company_id, invoice_id, amount, paid_on, changed_by) values ' || (
      select string_agg(format('(%s, %s, %s, %s, %L, %L)', w.tenant_id, w.company_id, w.id, w.paid,
        least(w.issued_on, t.today), w.changed_by), ', ' order by w.id)
      from (select public.today_of(min(o.tenant_id)) as today from written o) t cross join written w where w.paid <> 0);
  end if;

  -- 3. Sales: the companies of older ones are noted for the sums (invoices_after_update).
  if has_sales then
    for changed in
      select distinct w.tenant_id, w.company_id from written w
      where w.issued_on < date_trunc('month', current_date - 3)::date and w.status in ('issued', 'paid')
    loop
      insert into public.changed_sales (tenant_id, company_id) values (changed.tenant_id, changed.company_id);
    end loop;
  end if;
  return null;
end
$$;
