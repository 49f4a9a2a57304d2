-- The values of custom fields as text after a write, as answers have them (`values_text`): stored ones in their order,
-- then new ones. `sent` is a JSON object of the changed ones, with null for one that is removed.
create or replace function written_values(stored text, before jsonb, sent text) returns text
  language plpgsql immutable parallel safe as $$
declare
  after jsonb;
begin
  if sent is null then return stored; end if;
  if jsonb_typeof(coalesce(before, '{}')) <> 'object' then return null; end if;
  if before is null or before - array(select json_object_keys(sent::json)) = '{}' then
    return nullif(json_strip_nulls(sent::json)::text, '{}');
  end if;
  after := jsonb_strip_nulls(before || sent::jsonb);
  return (
    select '{' || string_agg(to_json(k.key)::text || ':' || (after -> k.key)::text, ',' order by k.place) || '}'
    from (
      select key, min(place) as place from (
        select key, place from json_object_keys(coalesce(stored, before::text)::json) with ordinality o (key, place)
        union all
        select key, 1000 + place from json_object_keys(sent::json) with ordinality s (key, place)
      ) each group by key
    ) k where after ? k.key
  );
end
$$;
