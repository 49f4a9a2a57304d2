-- For keep_history: the changes of external ids as members of `changed`, one for each source. Sources need no escape.
create or replace function history_of_external_ids(before jsonb, after jsonb) returns text
  language plpgsql immutable as $$
declare
  source text;
  members text;
begin
  for source in select jsonb_object_keys(coalesce(before || after, after, before)) loop
    continue when before -> source is not distinct from after -> source;
    members := concat_ws(',', members, concat('"external.', source, '":{"from":', coalesce((before -> source)::text, 'null'),
      ',"to":', coalesce((after -> source)::text, 'null'), '}'));
  end loop;
  return members;
end
$$;
