-- The feed of changes, and the webhooks that follow it.

-- The order of a tenant's changes for its followers. A change gets its position once it is committed, by one
-- transaction after the other, so none appears behind a position that was already read (docs/decisions/0061-feed.md).
create table feed (
  -- No reference to tenants, nor to the change: it has just been read.
  tenant_id bigint not null,
  position bigint not null,
  change_id bigint not null,
  type text not null,
  at timestamptz not null,
  numbered_at timestamptz not null,
  primary key (tenant_id, position), unique (tenant_id, change_id)
);
call protect_tenant_table('feed');

-- How far a tenant's changes are numbered: one row, which each tick replaces. An updated row would leave dead versions
-- before the living one.
create table feed_ticks (
  tenant_id bigint not null,
  tick bigint not null,
  -- The last position, and the position that the tick's own changes are behind.
  position bigint not null, behind bigint not null,
  -- Changes without a position are not older than `since`; those that `seen` sees have a position.
  since timestamptz not null, seen pg_snapshot not null,
  -- PostgreSQL's system_identifier, to which the numbers of transactions belong. 0: the rows come from elsewhere.
  server bigint not null,
  -- The limit of changes for this tick, and whether none was left for the next.
  most integer not null default 5000, is_complete boolean not null,
  primary key (tenant_id, tick)
);
call protect_tenant_table('feed_ticks');
-- Load functions: number_changes
create trigger number_changes before insert on feed_ticks
  for each row when (new.tick is null) execute function number_changes();

-- Receivers of changes (docs/decisions/0064-webhooks.md). A webhook has a position in the feed: changes behind it are
-- in webhook_deliveries.
create table webhooks (
  tenant_id bigint not null references tenants (id), id bigserial not null,
  url text not null,
  -- JSON: an array of events, or of `*`.
  types text not null,
  active boolean not null,
  description text,
  -- Encrypted. The previous secret signs too until its time is over.
  secret text not null, previous_secret text, previous_until timestamptz,
  -- Deliveries are planned up to this position of the feed.
  position bigint not null,
  -- Grows when the webhook is switched off: deliveries of an earlier round are given up.
  round integer not null default 0,
  -- The first failure since the last delivery.
  failing_since timestamptz,
  -- Why it was switched off, unless a person did it.
  switched_off text check (switched_off in ('gone', 'failing')),
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(), deleted_at timestamptz,
  changed_by text,
  -- What messages have: the `change`, or `full`, the resource too.
  body text not null default 'change',
  -- Whether it receives contacts and addresses that are hidden or shown with their company.
  children boolean not null default false,
  primary key (tenant_id, id)
);
create index webhooks_active on webhooks (tenant_id, id) where active;
create index webhooks_in_need on webhooks (tenant_id, id) where failing_since is not null or switched_off is not null;
create index webhooks_deleted on webhooks (tenant_id, id) where deleted_at is not null;
call protect_tenant_table('webhooks');
create trigger webhook_written
  after insert or update of url, types, active, description, body, children, previous_until, deleted_at on webhooks
  for each row execute function keep_row_history(
    'webhook', 'url,types,active,description,body,children,previous_until', 'deleted_at', '{}');

-- A change, or a test, on its way to a webhook. Its body is made of the change when it is sent. It is deleted after
-- thirty days.
create table webhook_deliveries (
  tenant_id bigint not null, id bigserial not null,
  webhook_id bigint not null,
  round integer not null,
  -- Null: a test, which has an id of its own.
  change_id bigint, test_id text,
  type text not null,
  -- Deliveries about one resource are sent one after the other: `company/7`.
  resource text not null,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'given_up')),
  attempts integer not null default 0,
  last_status integer,
  -- A code of src/exchange/webhooks/failure.ts, not the receiver's words.
  last_error text,
  last_ms integer,
  -- When it is sent; null: it waits behind another one about its resource, or is done.
  next_at timestamptz,
  delivered_at timestamptz,
  created_at timestamptz not null default now(),
  -- The beginning of the receiver's answer to the last attempt, if that failed, as encrypted JSON
  -- (src/exchange/webhooks/receiver-answer.ts). Null for events of contacts: receivers repeat what they got.
  last_answer text,
  primary key (tenant_id, id), foreign key (tenant_id, webhook_id) references webhooks (tenant_id, id)
);
create index webhook_deliveries_of_webhook on webhook_deliveries (tenant_id, webhook_id, id);
create index webhook_deliveries_by_age on webhook_deliveries (tenant_id, created_at);
create index webhook_deliveries_due on webhook_deliveries (tenant_id, webhook_id, next_at, id) where next_at is not null;
create index webhook_deliveries_waiting on webhook_deliveries (tenant_id, webhook_id, round, resource, id) where state = 'waiting';
call protect_tenant_table('webhook_deliveries');

grant usage on all sequences in schema public to liaison_app;
