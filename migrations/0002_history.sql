-- The history, and what records it.

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
-- Lists are sorted by time and not by id: on a cluster each node has its own range of ids, so the ids of a moved tenant
-- are not in order.
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
  using (tenant_id = nullif(nullif(current_setting('app.tenant_id', true), '')::bigint, 0));
create policy added on changes for insert to liaison_app
  with check (tenant_id = nullif(nullif(current_setting('app.tenant_id', true), '')::bigint, 0));
create policy emptied on changes for update to liaison_app
  using (tenant_id = nullif(nullif(current_setting('app.tenant_id', true), '')::bigint, 0) and type = 'contact')
  with check (tenant_id = nullif(nullif(current_setting('app.tenant_id', true), '')::bigint, 0) and type = 'contact' and changed = '{}');
revoke delete on changes from liaison_app;

-- The history of a noun: `call keep_history('companies', 'company')` records every column of a table, unless the column
-- has the comment 'history: encrypted' (only that it changed) or 'history: hidden'.
-- Load functions: history_json, history_of_external_ids, keep_history

-- The history of the workspace: users, invitations, keys, webhooks and settings
-- (docs/decisions/0042-history-of-the-workspace.md).
-- Load functions: workspace_differences, keep_workspace_history, keep_row_history

grant usage on all sequences in schema public to liaison_app;
