-- Tells the planner, of a table that was never analyzed, that most rows have not ended: of a column that it knows nothing of it takes
-- null for one row in 200, so that an index of the rows that have not ended (deleted_at, accepted_at) seemed to serve every look-up,
-- and was read whole for a tenant. The first analyze replaces it with what there is. Of columns that have statistics nothing changes.
-- PostgreSQL takes statistics from version 18 on. Before, such a table has plans for a few rows until autovacuum comes by.
create or replace procedure expect_nulls()
  language plpgsql
as $$
declare
  ending record;
begin
  if to_regproc('pg_catalog.pg_restore_attribute_stats') is null then return; end if;
  for ending in
    select distinct c.relname, a.attname
    from pg_index i
    join pg_class c on c.oid = i.indrelid and c.relnamespace = current_schema()::regnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
      and strpos(pg_get_expr(i.indpred, c.oid), format('(%I IS NULL)', a.attname)) > 0
    where not exists (
      select from pg_stats s where s.schemaname = current_schema() and s.tablename = c.relname and s.attname = a.attname
    )
  loop
    execute 'select pg_restore_attribute_stats(''schemaname'', current_schema()::text, ''relname'', $1, ''attname'', $2,
      ''inherited'', false, ''null_frac'', 1::real, ''avg_width'', 8, ''n_distinct'', 0::real)'
    using ending.relname::text, ending.attname::text;
  end loop;
end
$$;
