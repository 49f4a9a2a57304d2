-- What happened: the history, the feed of changes, and the webhooks that follow the feed.

-- The history: a row for each change of a resource, written by the statement that makes the change
-- (docs/decisions/0022-history-with-the-write.md).
create table changes (
  -- No reference to tenants: the changed resource has one, and a second check would cost each write a tenth. No check
  -- of the action: PostgreSQL reads a check's condition anew for each inserting statement, which was a twentieth of an
  -- import.
  tenant_id bigint not null, id bigserial not null,
  at timestamptz not null,
  -- The transaction. Ids are given before a transaction ends, so changes do not become visible in their order.
  xid xid8 not null default pg_current_xact_id(),
  type text not null,
  resource_id bigint not null,
  -- Null: the change is of no company, but of the workspace (docs/decisions/0042-history-of-the-workspace.md).
  company_id bigint,
  action text not null,
  -- JSON as the API answers it: each changed field with {"from": ..., "to": ...}, or with {"changed": true} if it is
  -- encrypted.
  changed text not null,
  -- `key:12`, `user:3`, `command`, `import` or `worker`.
  changed_by text not null,
  primary key (tenant_id, id)
);
-- Lists go by time and not by id: on a cluster each node has its own range of ids, so a moved tenant's are not in
-- order.
create index changes_of_resource_in_time on changes (tenant_id, type, resource_id, at, id);
create index changes_in_time on changes (tenant_id, at, id);
create index changes_of_company_in_time on changes (tenant_id, company_id, at, id);
-- Companies by when they were changed (docs/decisions/0053-narrowed-lists.md). With an index of companies.updated_at
-- instead, every update of a company would touch all indexes.
create index changes_of_companies_in_time on changes (tenant_id, at, resource_id) where type in ('company', 'connection');
-- The changes between two ticks of the feed.
create index changes_by_transaction on changes (tenant_id, xid);
call protect_tenant_table('changes');

-- Requests read the history and add to it. They change one thing: they empty the changes of an erased contact. Three
-- policies replace the one, because the nodes of Citus make a restrictive policy permissive.
drop policy tenant on changes;
create policy tenant on changes for select to liaison_app
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::bigint);
create policy added on changes for insert to liaison_app
  with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::bigint);
create policy emptied on changes for update to liaison_app
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::bigint and type = 'contact')
  with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::bigint and type = 'contact' and changed = '{}');
revoke delete on changes from liaison_app;
-- Load functions: history_json, keep_history

-- The history of the workspace: users, invitations and keys.
-- Load functions: workspace_differences, keep_workspace_history
create trigger workspace_created after insert on users referencing new table as written
  for each statement execute function keep_workspace_history('user', 'name,email,role', 'deactivated_at,totp_confirmed_at');
create trigger workspace_updated after update on users referencing old table as overwritten new table as written
  for each statement execute function keep_workspace_history('user', 'name,email,role', 'deactivated_at,totp_confirmed_at');
create trigger workspace_created after insert on invitations referencing new table as written
  for each statement execute function keep_workspace_history('invitation', 'role,expires_at', 'accepted_at,revoked_at');
create trigger workspace_updated after update on invitations referencing old table as overwritten new table as written
  for each statement execute function keep_workspace_history('invitation', 'role,expires_at', 'accepted_at,revoked_at');
create trigger workspace_created after insert on api_keys referencing new table as written
  for each statement execute function keep_workspace_history('api_key', 'name,capabilities,expires_at', 'revoked_at');
create trigger workspace_updated after update on api_keys referencing old table as overwritten new table as written
  for each statement execute function keep_workspace_history('api_key', 'name,capabilities,expires_at', 'revoked_at');

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
  primary key (tenant_id, id)
);
create index webhooks_active on webhooks (tenant_id, id) where active;
create index webhooks_in_need on webhooks (tenant_id, id) where failing_since is not null or switched_off is not null;
create index webhooks_deleted on webhooks (tenant_id, id) where deleted_at is not null;
call protect_tenant_table('webhooks');
-- The trigger of its history: 0392.

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
  -- A code of src/webhooks/failure.ts, not the receiver's words.
  last_error text,
  last_ms integer,
  -- When it is sent; null: it waits behind another one about its resource, or is done.
  next_at timestamptz,
  delivered_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id), foreign key (tenant_id, webhook_id) references webhooks (tenant_id, id)
);
create index webhook_deliveries_of_webhook on webhook_deliveries (tenant_id, webhook_id, id);
create index webhook_deliveries_by_age on webhook_deliveries (tenant_id, created_at);
create index webhook_deliveries_due on webhook_deliveries (tenant_id, webhook_id, next_at, id) where next_at is not null;
create index webhook_deliveries_waiting on webhook_deliveries (tenant_id, webhook_id, round, resource, id) where state = 'waiting';
call protect_tenant_table('webhook_deliveries');

grant usage on all sequences in schema public to liaison_app;
