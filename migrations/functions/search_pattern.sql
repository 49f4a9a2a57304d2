-- Null, which nothing is like, for a text of which folding leaves nothing (accents without a letter): its pattern would
-- match everything.
create or replace function search_pattern(value text) returns text
  language sql immutable strict parallel safe
  return '%' || replace(replace(replace(nullif(public.fold(value), ''), '\', '\\'), '%', '\%'), '_', '\_') || '%';
