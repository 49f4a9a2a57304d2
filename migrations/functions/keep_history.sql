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
              then $action$when old.merged_into is null and new.merged_into is not null then 'merged'
            $action$ else '' end || $action$when old.deleted_at is null and new.deleted_at is not null then 'deleted'
            when old.deleted_at is not null and new.deleted_at is null then 'restored'
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
      then 'case when old.external is distinct from new.external
            then public.history_of_external_ids(old.external, new.external) end'
      when name = 'metadata'
      then 'case when old.metadata is distinct from new.metadata
            then public.history_of_metadata(old.metadata, new.metadata) end'
      else format('case when old.%1$I%2$s is distinct from new.%1$I%2$s ', name,
      case type when 'numeric'::regtype then '::text' end) || case
      -- The same value encrypted under another key differs too, but is no change: updated_at stays.
      when name = any (encrypted)
        then format('and old.updated_at is distinct from new.updated_at then ''"%s":{"changed":true}'' end', name)
      else format('then ''"%s":{"from":'' || coalesce(%s, ''null'') || '',"to":'' || coalesce(%s, ''null'') || ''}'' end',
        case when name = 'merged_into' then 'into' else name end, history_json(format('old.%I', name), type), history_json(format('new.%I', name), type))
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

  -- For each row, because a join of transition tables adds a tenth to an update of one row. It saves little in a
  -- batch.
  execute format($format$
    create or replace function %1$I() returns trigger language plpgsql
    as $function$
    declare
      changed constant text := concat('{', concat_ws(',',
          %4$s), '}');
      action constant text := %5$s;
      moment timestamptz := new.updated_at;
      author text := coalesce(new.changed_by, 'command');
    begin
      if action = 'updated' and changed = '{}' then return null; end if;
      -- Every writer with an author sets changed_by together with updated_at. If updated_at is unchanged, changed_by
      -- names an earlier writer.
      if old.updated_at is not distinct from moment then
        moment := clock_timestamp();
        author := 'command';
      end if;
      insert into public.changes (tenant_id, at, type, resource_id, company_id, action, changed, changed_by)
      values (new.tenant_id, moment, %2$L, new.id, %3$s, action, changed, author);
      return null;
    end
    $function$
  $format$, resource || '_updated', resource_type, replace(company, 'after.', 'new.'), updated, action);

  execute format('create or replace trigger changes_created after insert on %s
    referencing new table as written for each statement execute function %I()', resource, resource || '_created');
  execute format('create or replace trigger changes_updated after update on %s
    for each row execute function %I()', resource, resource || '_updated');
end
$procedure$;
