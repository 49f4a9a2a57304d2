-- Up Migration

-- The history of the workspace itself: its people, invitations, keys, settings, and the connections of its companies
-- (docs/decisions/0042-history-of-the-workspace.md). The types are `user`, `invitation`, `api_key`, `workspace` and `connection`, which
-- the API's histories do not have; all but the last are of no company.
alter table changes alter column company_id drop not null;

-- Who wrote a row last, and when: an update that does not move `updated_at` is somebody's who did not say who.
alter table users add column changed_by text, add column updated_at timestamptz;
alter table invitations add column changed_by text, add column updated_at timestamptz;
alter table api_keys add column changed_by text, add column updated_at timestamptz;

-- What differs between two rows, as changes.changed has it: of the columns `told` from what to what; of the columns `whether`
-- whether they have a value, under their names without `_at`. Nothing else of a row is looked at, because the other columns of
-- these tables have hashes and secrets, also those that are added later.
create function workspace_differences(before jsonb, after jsonb, told text[], whether text[]) returns text
  language sql immutable
  return (
    select concat('{', string_agg(format('%s:{"from":%s,"to":%s}', to_json(name), was, becomes), ',' order by place), '}')
    from (
      select column_name as name, coalesce(before -> column_name, 'null') as was, coalesce(after -> column_name, 'null') as becomes,
        place
      from unnest(told) with ordinality as t (column_name, place)
      union all
      select regexp_replace(column_name, '_at$', ''), to_jsonb(coalesce(before ->> column_name, '') <> ''),
        to_jsonb(coalesce(after ->> column_name, '') <> ''), 1000 + place
      from unnest(whether) with ordinality as w (column_name, place)
    ) member
    where was <> becomes
  );

-- Has a statement's changes of a table left behind; its arguments are the type, and the columns that are `told` and `whether`.
create function keep_workspace_history() returns trigger
  language plpgsql
as $$
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

-- A company's connection: when its key was written, and the switch. For each row and by its columns, so that the many updates of
-- companies that concern no connection pay nothing. A key that is encrypted anew is none that somebody wrote.
create function keep_connection_history() returns trigger
  language plpgsql
as $$
begin
  insert into public.changes (tenant_id, at, type, resource_id, company_id, action, changed, changed_by)
  values (new.tenant_id, clock_timestamp(), 'connection', new.id, new.id, 'updated',
    public.workspace_differences(to_jsonb(old), to_jsonb(new), '{wms_key_set_at,wms_send_automatically}', '{}'),
    case when old.updated_at is distinct from new.updated_at then coalesce(new.changed_by, 'command') else 'command' end);
  return null;
end
$$;
create trigger connection_updated after update of wms_key_set_at, wms_send_automatically on companies for each row
  when (old.wms_key_set_at is distinct from new.wms_key_set_at or old.wms_send_automatically <> new.wms_send_automatically)
  execute function keep_connection_history();
