-- Up Migration

-- The history of what tenants own: a row per change of a resource, written by the database in the statement that makes
-- the change (docs/decisions/0022-history-with-the-write.md). Requests may read it and add to it; nobody edits it.
create table changes (
  -- No reference to tenants: the resource that changed has one, and a second check would cost each write a tenth.
  tenant_id bigint not null,
  id bigserial not null,
  at timestamptz not null,
  -- The transaction. Ids are given out before a transaction ends, so their order is not that in which changes appear.
  xid xid8 not null default pg_current_xact_id(),
  type text not null,
  resource_id bigint not null,
  company_id bigint not null,
  action text not null check (action in ('created', 'updated', 'deleted', 'restored', 'wms')),
  -- JSON as the API answers it: a member for each field that differs, {"from": ..., "to": ...}, or {"changed": true} where
  -- the field is encrypted.
  changed text not null,
  -- `key:12`, `user:3`, `command`, `import` or `worker`.
  changed_by text not null,
  primary key (tenant_id, id)
);
create index changes_of_resource on changes (tenant_id, type, resource_id, id);
call protect_tenant_table('changes');
revoke update, delete on changes from liaison_app;
grant usage on all sequences in schema public to liaison_app;

-- Who wrote a row last, as changes.changed_by has it. Whoever writes a row sets it in the same statement: a transaction
-- may belong to many callers, so nothing about one of them can be a setting of it.
do $$
declare
  written text;
begin
  foreach written in array array['companies', 'contacts', 'addresses', 'invoices', 'offers', 'deals', 'tickets', 'subscriptions']
  loop
    execute format('alter table %I add column changed_by text', written);
  end loop;
end
$$;

-- For keep_history: the expression that makes JSON of a column, as the API answers it; SQL's null where it is null.
create function history_json(resource_column text, column_type oid) returns text
  language sql immutable
  return case column_type
    when 'timestamptz'::regtype
      then format('to_json(to_char(%s at time zone ''UTC'', ''YYYY-MM-DD"T"HH24:MI:SS.US"Z"''))', resource_column)
    when 'numeric'::regtype then format('to_json(%s::text)', resource_column)
    else format('to_json(%s)', resource_column)
  end;

-- Has a table's writes leave their changes behind. A migration that adds or drops a column calls it again, because the
-- functions of its two triggers spell the columns out: to compare two rows as jsonb costs an update half as much again.
-- `encrypted` columns are told to have changed and no more, `hidden` ones not at all.
create procedure keep_history(resource regclass, resource_type text, encrypted text[], hidden text[])
  language plpgsql
as $procedure$
declare
  never constant text[] := array['tenant_id', 'id', 'created_at', 'updated_at', 'deleted_at', 'changed_by'] || hidden;
  columns text[];
  company text;
  created text;
  updated text;
begin
  select array_agg(attname::text) into columns from pg_attribute
  where attrelid = resource and attnum > 0 and not attisdropped and attgenerated = '';
  if not columns @> (encrypted || hidden) then
    raise '% lacks one of the columns %', resource, encrypted || hidden;
  end if;
  company := case when 'company_id' = any (columns) then 'company_id' else 'id' end;

  select
    string_agg(format('case when after.%1$I is not null then concat(''"%1$s":'', ', name) || case
      when name = any (encrypted) then '''{"changed":true}'') end'
      else format('''{"from":null,"to":'', %s, ''}'') end', history_json(format('after.%I', name), type))
    end, E',\n          ' order by place) filter (where name <> 'company_id'),
    -- A decimal is its text, as it is where an update decides whether it changes anything: 12.5 is not 12.50.
    string_agg(format('case when before.%1$I%2$s is distinct from after.%1$I%2$s ', name,
      case type when 'numeric'::regtype then '::text' end) || case
      -- The same value encrypted under another key differs too, but is no change: updated_at stays.
      when name = any (encrypted)
        then format('and before.updated_at is distinct from after.updated_at then ''"%s":{"changed":true}'' end', name)
      else format('then concat(''"%s":{"from":'', coalesce(%s, ''null''), '',"to":'', coalesce(%s, ''null''), ''}'') end',
        name, history_json(format('before.%I', name), type), history_json(format('after.%I', name), type))
    end, E',\n          ' order by place)
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
        select after.tenant_id, after.created_at as at, after.id, after.%3$I as company_id,
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

  -- Hash joins, because a batch of 500 rows that are paired by comparing each with each takes three times as long.
  execute format($format$
    create or replace function %1$I() returns trigger language plpgsql
      set enable_hashjoin = on
      set enable_nestloop = off
    as $function$
    declare
      change record;
    begin
      for change in
        select after.tenant_id, after.id, after.%3$I as company_id,
          case when before.updated_at is distinct from after.updated_at then after.updated_at else clock_timestamp() end
            as at,
          -- Who writes sets it together with updated_at; whoever did not is another than who wrote last.
          case when before.updated_at is distinct from after.updated_at then coalesce(after.changed_by, 'command')
            else 'command' end as changed_by,
          case
            when before.deleted_at is null and after.deleted_at is not null then 'deleted'
            when before.deleted_at is not null and after.deleted_at is null then 'restored'
            else 'updated'
          end as action,
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
  $format$, resource || '_updated', resource_type, company, updated);

  if not exists (select from pg_trigger where tgrelid = resource and tgname = 'changes_created') then
    execute format('create trigger changes_created after insert on %s
      referencing new table as written for each statement execute function %I()', resource, resource || '_created');
    execute format('create trigger changes_updated after update on %s
      referencing old table as overwritten new table as written for each statement execute function %I()',
      resource, resource || '_updated');
  end if;
end
$procedure$;

call keep_history('companies', 'company', '{phone}', '{wms_api_key}');
call keep_history('contacts', 'contact', '{phone,mobile}', '{}');
call keep_history('addresses', 'address', '{phone}', '{}');
