-- What a value of a custom field is found by: the table value_entries has one text for it, so that a comparison of
-- its index is one, not four. Its parts are the field, the first 60 characters without case and accents, by which it
-- is found while somebody types, and the first 256 characters; a filter has fewer. Fold is called for other texts than
-- ASCII alone.
create or replace function value_entry(noun text, key text, value text) returns text
  language sql immutable parallel safe
  return noun || '.' || key || chr(1)
    || left(case when octet_length(value) = length(value) then lower(value) else public.fold(value) end, 60)
    || chr(1) || left(value, 256);
