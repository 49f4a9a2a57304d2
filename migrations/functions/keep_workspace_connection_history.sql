-- The history of the workspace's own connection, as a change of the workspace. For each row, because the table has one.
-- Encrypting a key again is no change.
create or replace function keep_workspace_connection_history() returns trigger language plpgsql as $$
declare
  -- Outside of the statement: Citus translates such a case wrongly for its nodes.
  before constant jsonb := case when tg_op = 'INSERT' then '{"wms_send_automatically": false}' else to_jsonb(old) end;
  changed constant text := public.workspace_differences(before, to_jsonb(new), '{wms_subdomain,wms_key_set_at,wms_send_automatically}', '{}');
begin
  if changed <> '{}' then
    insert into public.changes (tenant_id, at, type, resource_id, action, changed, changed_by)
    values (new.tenant_id, clock_timestamp(), 'workspace', new.tenant_id, 'updated', changed, coalesce(new.changed_by, 'command'));
  end if;
  return null;
end
$$;
