-- For keep_history: the changes of the values of custom fields as members of `changed`, one for each field
-- (`custom.price_list`). Other data than an object is recorded as a whole.
create or replace function history_of_metadata(before jsonb, after jsonb) returns text
  language plpgsql immutable as $$
begin
  if jsonb_typeof(coalesce(before, '{}')) <> 'object' or jsonb_typeof(coalesce(after, '{}')) <> 'object' then
    return concat('"metadata":{"from":', coalesce(before::text, 'null'), ',"to":', coalesce(after::text, 'null'), '}');
  end if;
  -- Most records get their values when they are created, and their keys need no escaping: in half of the time.
  if before is null and strpos(after::text, chr(92)) = 0 then
    return (
      select string_agg('"custom.' || e.key || '":{"from":null,"to":' || e.value::text || '}', ',')
      from jsonb_each(after) e
    );
  end if;
  return (
    select string_agg(concat(to_json('custom.' || field), ':{"from":', coalesce((before -> field)::text, 'null'),
      ',"to":', coalesce((after -> field)::text, 'null'), '}'), ',')
    from jsonb_object_keys(coalesce(before || after, before, after)) field
    where before -> field is distinct from after -> field
  );
end
$$;
