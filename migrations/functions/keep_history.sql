-- Makes each write of a table record its changes in the history. A migration that adds or drops a column calls it
-- again: the two trigger functions, named after the table, list the columns, because comparing rows as jsonb makes an
-- update 1.5 times as expensive. Of a column with the comment 'history: encrypted' only the fact of a change is
-- recorded, of one with 'history: hidden' nothing. External ids are recorded by source, `metadata` by custom field.
create or replace procedure keep_history(resource regclass, resource_type text)
  language plpgsql as $procedure$
declare
  never text[];
  columns text[];
  encrypted text[];
  company text;
  action text := '''updated''';
  created text;
  updated text;
begin
  select array_agg(name), coalesce(array_agg(name) filter (where kept = 'history: encrypted'), '{}'),
    array['tenant_id', 'id', 'created_at', 'updated_at', 'deleted_at', 'changed_by']
      || array_agg(name) filter (where kept = 'history: hidden')
  into columns, encrypted, never
  from (
    select attname::text as name, col_description(attrelid, attnum) as kept from pg_attribute
    where attrelid = resource and attnum > 0 and not attisdropped and attgenerated = ''
  ) member;
  if exists (
    select from pg_description where objoid = resource and classoid = 'pg_class'::regclass
      and description like 'history:%' and description not in ('history: encrypted', 'history: hidden')
  ) then
    raise 'a comment on a column of % is neither ''history: encrypted'' nor ''history: hidden''', resource;
  end if;
  company := case when 'company_id' = any (columns) then 'after.company_id'
    when resource_type = 'company' then 'after.id' else 'null::bigint' end;
  if 'deleted_at' = any (columns) then
    action := $action$case
            $action$ || case when 'merged_into' = any (columns)
              then $action$when before.merged_into is null and after.merged_into is not null then 'merged'
            $action$ else '' end || $action$when before.deleted_at is null and after.deleted_at is not null then 'deleted'
            when before.deleted_at is not null and after.deleted_at is null then 'restored'
            else 'updated'
          end$action$;
  end if;

  select
    -- A part of null is left out: `||` makes it of a column without a value, in half the time of concat.
    string_agg(case when name = 'external'
      then 'case when after.external is not null then public.history_of_external_ids(null, after.external) end'
      when name = 'metadata'
      then 'case when after.metadata is not null then public.history_of_metadata(null, after.metadata) end'
      when name = any (encrypted)
      then format('case when after.%1$I is not null then ''"%1$s":{"changed":true}'' end', name)
      else format('''"%s":{"from":null,"to":'' || %s || ''}''', name, history_json(format('after.%I', name), type))
    end, E',\n          ' order by place) filter (where name <> 'company_id'),
    -- A decimal is compared as text, as in an update's check for changes: 12.5 is not 12.50.
    string_agg(case when name = 'external'
      then 'case when before.external is distinct from after.external
            then public.history_of_external_ids(before.external, after.external) end'
      when name = 'metadata'
      then 'case when before.metadata is distinct from after.metadata
            then public.history_of_metadata(before.metadata, after.metadata) end'
      else format('case when before.%1$I%2$s is distinct from after.%1$I%2$s ', name,
      case type when 'numeric'::regtype then '::text' end) || case
      -- The same value encrypted under another key differs too, but is no change: updated_at stays.
      when name = any (encrypted)
        then format('and before.updated_at is distinct from after.updated_at then ''"%s":{"changed":true}'' end', name)
      else format('then ''"%s":{"from":'' || coalesce(%s, ''null'') || '',"to":'' || coalesce(%s, ''null'') || ''}'' end',
        case when name = 'merged_into' then 'into' else name end, history_json(format('before.%I', name), type), history_json(format('after.%I', name), type))
    end end, E',\n          ' order by place)
  into created, updated
  from (
    select attname::text as name, atttypid as type, attnum as place from pg_attribute
    where attrelid = resource and attname = any (columns) and attname <> all (never)
  ) member;

  execute format($format$
    create or replace function %1$I() returns trigger language plpgsql
    as $function$
    declare
      change record;
    begin
      for change in
        select after.tenant_id, after.created_at as at, after.id, %3$s as company_id,
          coalesce(after.changed_by, 'command') as changed_by,
          concat('{', concat_ws(',',
          %4$s), '}') as changed
        from written as after
      loop
        insert into public.changes (tenant_id, at, type, resource_id, company_id, action, changed, changed_by)
        values (change.tenant_id, change.at, %2$L, change.id, change.company_id, 'created', change.changed,
          change.changed_by);
      end loop;
      return null;
    end
    $function$
  $format$, resource || '_created', resource_type, company, created);

  -- Hash joins, because comparing each row with each in a batch of 500 takes three times as long.
  execute format($format$
    create or replace function %1$I() returns trigger language plpgsql
      set enable_hashjoin = on
      set enable_nestloop = off
    as $function$
    declare
      change record;
    begin
      for change in
        select after.tenant_id, after.id, %3$s as company_id,
          case when before.updated_at is distinct from after.updated_at then after.updated_at else clock_timestamp() end
            as at,
          -- Every writer with an author sets changed_by together with updated_at. If updated_at is unchanged,
          -- changed_by names an earlier writer.
          case when before.updated_at is distinct from after.updated_at then coalesce(after.changed_by, 'command')
            else 'command' end as changed_by,
          %5$s as action,
          concat('{', concat_ws(',',
          %4$s), '}') as changed
        from overwritten as before join written as after on after.tenant_id = before.tenant_id and after.id = before.id
      loop
        continue when change.action = 'updated' and change.changed = '{}';
        insert into public.changes (tenant_id, at, type, resource_id, company_id, action, changed, changed_by)
        values (change.tenant_id, change.at, %2$L, change.id, change.company_id, change.action, change.changed,
          change.changed_by);
      end loop;
      return null;
    end
    $function$
  $format$, resource || '_updated', resource_type, company, updated, action);

  if not exists (select from pg_trigger where tgrelid = resource and tgname = 'changes_created') then
    execute format('create trigger changes_created after insert on %s
      referencing new table as written for each statement execute function %I()', resource, resource || '_created');
    execute format('create trigger changes_updated after update on %s
      referencing old table as overwritten new table as written for each statement execute function %I()',
      resource, resource || '_updated');
  end if;
end
$procedure$;
