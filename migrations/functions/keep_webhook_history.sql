-- A webhook's history. For each row and by columns, because the worker writes its position with every page of the feed.
-- Encrypting a secret again is no rotation: a rotation moves `previous_until`.
create or replace function keep_webhook_history() returns trigger language plpgsql as $$
declare
  -- Outside of the statement: Citus translates such a case wrongly for its nodes.
  action constant text := case when tg_op = 'INSERT' then 'created' else 'updated' end;
  before constant jsonb := case when tg_op = 'INSERT' then '{}' else to_jsonb(old) end;
  changed constant text := public.workspace_differences(before, to_jsonb(new), '{url,types,active,description,body,children,previous_until}', '{deleted_at}');
begin
  if changed <> '{}' then
    insert into public.changes (tenant_id, at, type, resource_id, action, changed, changed_by)
    values (new.tenant_id, clock_timestamp(), 'webhook', new.id, action, changed,
      coalesce(new.changed_by, 'command'));
  end if;
  return null;
end
$$;
