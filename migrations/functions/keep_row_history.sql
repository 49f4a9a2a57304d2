-- Records the change of one row. It runs for each row and by columns, so that other updates of the table cost nothing
-- extra. Its arguments are the type, the columns for `told` and `whether` (workspace_differences), and the row's values
-- before it existed. A change of the type 'workspace' is an update of the workspace, also when its row is created.
-- Encrypting a secret again is no change: the columns are the times at which secrets were set.
create or replace function keep_row_history() returns trigger language plpgsql as $$
declare
  is_of_workspace constant boolean := tg_argv[0] = 'workspace';
  -- Outside of the statement: Citus translates such a case wrongly for its nodes.
  resource constant bigint := case when is_of_workspace then new.tenant_id else new.id end;
  action constant text := case when tg_op = 'INSERT' and not is_of_workspace then 'created' else 'updated' end;
  before constant jsonb := case when tg_op = 'INSERT' then tg_argv[3]::jsonb else to_jsonb(old) end;
  changed constant text := public.workspace_differences(
    before, to_jsonb(new), string_to_array(tg_argv[1], ','), string_to_array(tg_argv[2], ','));
begin
  if changed <> '{}' then
    insert into public.changes (tenant_id, at, type, resource_id, action, changed, changed_by)
    values (new.tenant_id, clock_timestamp(), tg_argv[0], resource, action, changed, coalesce(new.changed_by, 'command'));
  end if;
  return null;
end
$$;
