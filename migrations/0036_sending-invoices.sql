-- Up Migration

-- A company's connection to its warehouse: whether what becomes sendable is sent by itself, and who wrote the key when.
alter table companies
  add column wms_send_automatically boolean not null default false,
  add column wms_key_set_at timestamptz,
  add column wms_key_set_by text;
call keep_history('companies', 'company', encrypted => '{phone}', hidden => '{wms_api_key,wms_key_set_at,wms_key_set_by}');

alter table invoices
  -- When an attempt ended of which nobody knows what became of it; null: nothing is open. Until an order of it is known to
  -- be there, or known to be absent, none is created (docs/decisions/0032-sending.md).
  add column wms_open_since timestamptz,
  -- Where that attempt was made. An order that is not there may be here.
  add column wms_open_instance text,
  -- When the order is asked for next; null: it is not followed.
  add column wms_poll_at timestamptz,
  -- In seconds: the time until then, which doubles while nothing changes.
  add column wms_poll_every integer;
call keep_history('invoices', 'invoice', encrypted => '{lines}', hidden =>
  '{wms_state,wms_error,wms_attempt,wms_synced_at,wms_updated_at,wms_open_since,wms_open_instance,wms_poll_at,wms_poll_every}');

create index invoices_by_wms_state on invoices (tenant_id, wms_state, id);
-- The orders of a company that are followed, those that are due first.
create index invoices_followed on invoices (tenant_id, company_id, wms_poll_at, id) where wms_poll_at is not null;

-- An invoice that becomes one that may be sent is queued by itself, where its company's connection says so: by whatever
-- door it came, and in the statement that writes it.
create function queue_automatically() returns trigger
  language plpgsql
as $$
begin
  if exists (
    select from public.companies c where c.tenant_id = new.tenant_id and c.id = new.company_id
      and c.wms_send_automatically and c.wms_subdomain is not null and c.wms_api_key is not null
  ) then
    new.wms_state := 'queued';
  end if;
  return new;
end
$$;
create trigger wms_automatic_created before insert on invoices for each row
  when (new.wms_state = 'not_sent' and new.wms_order_id is null and new.status in ('issued', 'paid'))
  execute function queue_automatically();
create trigger wms_automatic_updated before update of status on invoices for each row
  when (new.wms_state = 'not_sent' and new.wms_order_id is null and new.status in ('issued', 'paid')
    and old.status not in ('issued', 'paid'))
  execute function queue_automatically();

-- A link with an instance that somebody brings along is followed from now on.
create function follow_given_order() returns trigger
  language plpgsql
as $$
begin
  new.wms_poll_at := now();
  return new;
end
$$;
create trigger wms_given_created before insert on invoices for each row
  when (new.wms_order_id is not null and new.wms_instance is not null and new.wms_poll_at is null)
  execute function follow_given_order();
create trigger wms_given_updated before update on invoices for each row
  when (new.wms_order_id is not null and new.wms_instance is not null and new.wms_poll_at is null
    and (old.wms_order_id is distinct from new.wms_order_id or old.wms_instance is distinct from new.wms_instance))
  execute function follow_given_order();

-- The jobs of invoices that were queued and of orders that are to be followed, in the transaction of their cause: one to send
-- for each invoice, one to follow for each company. A company's jobs stand in the lane of its warehouse.
create function enqueue_wms_jobs(tenant bigint, company bigint, queued bigint[], poll_at timestamptz) returns void
  language plpgsql
as $$
declare
  warehouse text;
begin
  select 'wms/' || coalesce(c.wms_subdomain, '') into warehouse
  from public.companies c where c.tenant_id = tenant and c.id = company;
  if queued is not null then
    insert into public.jobs (tenant_id, kind, subject, lane)
    select tenant, 'send-invoice', sent.id, warehouse from unnest(queued) as sent (id)
    on conflict (tenant_id, kind, subject) do update set
      is_asked_again = jobs.state = 'running',
      state = case jobs.state when 'running' then 'running' else 'waiting' end,
      lane = case jobs.state when 'running' then jobs.lane else excluded.lane end,
      run_at = case jobs.state when 'running' then jobs.run_at else excluded.run_at end,
      tries = case jobs.state when 'running' then jobs.tries else 0 end,
      enqueued_at = case jobs.state when 'failed' then excluded.enqueued_at else jobs.enqueued_at end;
  end if;
  if poll_at is not null then
    insert into public.jobs (tenant_id, kind, subject, lane, run_at)
    values (tenant, 'follow-orders', company, warehouse, poll_at)
    on conflict (tenant_id, kind, subject) do update set
      is_asked_again = jobs.state = 'running',
      state = case jobs.state when 'running' then 'running' else 'waiting' end,
      lane = case jobs.state when 'running' then jobs.lane else excluded.lane end,
      run_at = case jobs.state when 'running' then jobs.run_at else least(jobs.run_at, excluded.run_at) end;
  end if;
end
$$;

create function wms_jobs_of_created() returns trigger
  language plpgsql
as $$
declare
  changed record;
begin
  for changed in
    select w.tenant_id, w.company_id, array_agg(w.id order by w.id) filter (where w.wms_state = 'queued') as queued,
      min(w.wms_poll_at) as poll_at
    from written w where w.wms_state = 'queued' or w.wms_poll_at is not null group by w.tenant_id, w.company_id
  loop
    perform public.enqueue_wms_jobs(changed.tenant_id, changed.company_id, changed.queued, changed.poll_at);
  end loop;
  return null;
end
$$;
create trigger wms_jobs_created after insert on invoices
  referencing new table as written for each statement execute function wms_jobs_of_created();

create function wms_jobs_of_updated() returns trigger
  language plpgsql
  set enable_hashjoin = on
  set enable_nestloop = off
as $$
declare
  changed record;
begin
  for changed in
    select w.tenant_id, w.company_id,
      array_agg(w.id order by w.id) filter (where w.wms_state = 'queued' and b.wms_state in ('not_sent', 'failed')) as queued,
      min(w.wms_poll_at) filter (where w.wms_poll_at is distinct from b.wms_poll_at) as poll_at
    from overwritten b join written w on w.tenant_id = b.tenant_id and w.id = b.id
    where (w.wms_state = 'queued' and b.wms_state in ('not_sent', 'failed'))
      or (w.wms_poll_at is not null and w.wms_poll_at is distinct from b.wms_poll_at)
    group by w.tenant_id, w.company_id
  loop
    perform public.enqueue_wms_jobs(changed.tenant_id, changed.company_id, changed.queued, changed.poll_at);
  end loop;
  return null;
end
$$;
create trigger wms_jobs_updated after update on invoices
  referencing old table as overwritten new table as written for each statement execute function wms_jobs_of_updated();
