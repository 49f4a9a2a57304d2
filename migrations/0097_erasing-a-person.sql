-- Up Migration

-- A person's data is erased wherever it stands (docs/decisions/0065-erasing-a-person.md): in the answers that are kept of requests for a day
-- too. Each says which row it tells of; those that a server of the release before keeps say so in the answer itself alone.
alter table kept_answers add column resource_id bigint;

-- Requests read the history, add to it, and change nothing of it but one thing: they empty what it says of a contact. By three policies
-- in the place of one for everything, because Citus makes a restrictive one, which would only be added, permissive on its nodes.
drop policy tenant on changes;
create policy tenant on changes for select to liaison_app
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::bigint);
create policy added on changes for insert to liaison_app
  with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::bigint);
create policy emptied on changes for update to liaison_app
  using (tenant_id = nullif(current_setting('app.tenant_id', true), '')::bigint and type = 'contact')
  with check (tenant_id = nullif(current_setting('app.tenant_id', true), '')::bigint and type = 'contact' and changed = '{}');
grant update on changes to liaison_app;
