-- Up Migration

-- Where tenants have what changes posted to (docs/decisions/0064-webhooks.md). A webhook follows the feed of changes: it has a position in
-- it, and what lies behind is sent or waits in webhook_deliveries.
create table webhooks (
  tenant_id bigint not null references tenants (id),
  id bigserial not null,
  url text not null,
  -- JSON: an array of events, or of `*`.
  types text not null,
  active boolean not null,
  description text,
  -- Encrypted. The secret before this one signs too until its time is over.
  secret text not null,
  previous_secret text,
  previous_until timestamptz,
  -- The place in the feed up to which deliveries are planned.
  position bigint not null,
  -- Grows when it is switched off: deliveries of an earlier round are given up.
  round integer not null default 0,
  -- The first failure since something was delivered last.
  failing_since timestamptz,
  -- Why it was switched off, where nobody did it by hand.
  switched_off text check (switched_off in ('gone', 'failing')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  changed_by text,
  primary key (tenant_id, id)
);
call protect_tenant_table('webhooks');
create index webhooks_active on webhooks (tenant_id, id) where active;
create index webhooks_in_need on webhooks (tenant_id, id) where failing_since is not null or switched_off is not null;
create index webhooks_deleted on webhooks (tenant_id, id) where deleted_at is not null;

-- A change, or a test, on its way to a webhook. Its body is made of the change when it is sent. It goes after thirty days.
create table webhook_deliveries (
  tenant_id bigint not null,
  id bigserial not null,
  webhook_id bigint not null,
  round integer not null,
  -- Null: a test, which has an id of its own.
  change_id bigint,
  test_id text,
  type text not null,
  -- Deliveries about one resource go one after the other: `company/7`.
  resource text not null,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'given_up')),
  attempts integer not null default 0,
  last_status integer,
  -- A word (src/webhooks/failure.ts), not what somebody answered.
  last_error text,
  last_ms integer,
  -- When it is sent; null: it waits behind another one about its resource, or is through.
  next_at timestamptz,
  delivered_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
call protect_tenant_table('webhook_deliveries');
alter table webhook_deliveries add foreign key (tenant_id, webhook_id) references webhooks (tenant_id, id);
create index webhook_deliveries_of_webhook on webhook_deliveries (tenant_id, webhook_id, id);
create index webhook_deliveries_by_age on webhook_deliveries (tenant_id, created_at);
create index webhook_deliveries_due on webhook_deliveries (tenant_id, webhook_id, next_at, id) where next_at is not null;
create index webhook_deliveries_waiting on webhook_deliveries (tenant_id, webhook_id, round, resource, id) where state = 'waiting';
grant usage on all sequences in schema public to liaison_app;

-- A webhook's history, which is the workspace's. For each row and by its columns, because the worker writes its position with every page
-- of the feed. A secret that is encrypted anew is none that somebody rotated: that moves `previous_until`.
create function keep_webhook_history() returns trigger
  language plpgsql
as $$
declare
  -- Outside of the statement: Citus writes such a case wrongly for its nodes.
  action constant text := case when tg_op = 'INSERT' then 'created' else 'updated' end;
  before constant jsonb := case when tg_op = 'INSERT' then '{}' else to_jsonb(old) end;
  changed constant text := public.workspace_differences(before, to_jsonb(new), '{url,types,active,description,previous_until}', '{deleted_at}');
begin
  if changed <> '{}' then
    insert into public.changes (tenant_id, at, type, resource_id, action, changed, changed_by)
    values (new.tenant_id, clock_timestamp(), 'webhook', new.id, action, changed,
      coalesce(new.changed_by, 'command'));
  end if;
  return null;
end
$$;
create trigger webhook_written after insert or update of url, types, active, description, previous_until, deleted_at on webhooks
  for each row execute function keep_webhook_history();
