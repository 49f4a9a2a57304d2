-- Sets statistics for tables that were never analyzed: most of their rows have not ended (deleted_at, accepted_at).
-- Without statistics the planner expects null in one row of 200, and reads the index of living rows for every look-up.
-- The first analyze replaces them; columns with statistics are left unchanged. PostgreSQL accepts statistics from
-- version 18 on.
create or replace procedure expect_nulls() language plpgsql as $$
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
