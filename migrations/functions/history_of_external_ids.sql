-- For keep_history: the changes of external ids as members of `changed`, one for each source. Sources need no escape.
create or replace function history_of_external_ids(before jsonb, after jsonb) returns text
  language sql immutable as $$
  select string_agg(format('"external.%s":{"from":%s,"to":%s}', source,
    coalesce(to_json(before ->> source)::text, 'null'), coalesce(to_json(after ->> source)::text, 'null')), ','
    order by source collate "C")
  from jsonb_object_keys(coalesce(before, '{}') || coalesce(after, '{}')) source
  where before ->> source is distinct from after ->> source
$$;
