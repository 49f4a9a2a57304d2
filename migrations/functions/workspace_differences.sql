-- The differences of two rows, in the format of changes.changed: for the columns in `told` both values; for those in
-- `whether` only whether they have a value, under their names without `_at`. Other columns are never read: they are
-- hashes and secrets.
create or replace function workspace_differences(before jsonb, after jsonb, told text[], whether text[]) returns text
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
