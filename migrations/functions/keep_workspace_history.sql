-- Records a statement's changes of a table; its arguments are the type, and the columns for `told` and `whether`
-- (workspace_differences).
create or replace function keep_workspace_history() returns trigger language plpgsql as $$
declare
  told constant text[] := string_to_array(tg_argv[1], ',');
  whether constant text[] := string_to_array(tg_argv[2], ',');
  change record;
begin
  if tg_op = 'INSERT' then
    for change in
      select after.tenant_id, after.id, coalesce(after.changed_by, 'command') as changed_by,
        public.workspace_differences('{}', to_jsonb(after), told, whether) as changed
      from written as after
    loop
      insert into public.changes (tenant_id, at, type, resource_id, action, changed, changed_by)
      values (change.tenant_id, clock_timestamp(), tg_argv[0], change.id, 'created', change.changed, change.changed_by);
    end loop;
    return null;
  end if;
  for change in
    select after.tenant_id, after.id,
      case when before.updated_at is distinct from after.updated_at then coalesce(after.changed_by, 'command')
        else 'command' end as changed_by,
      public.workspace_differences(to_jsonb(before), to_jsonb(after), told, whether) as changed
    from overwritten as before join written as after on after.tenant_id = before.tenant_id and after.id = before.id
  loop
    continue when change.changed = '{}';
    insert into public.changes (tenant_id, at, type, resource_id, action, changed, changed_by)
    values (change.tenant_id, clock_timestamp(), tg_argv[0], change.id, 'updated', change.changed, change.changed_by);
  end loop;
  return null;
end
$$;
