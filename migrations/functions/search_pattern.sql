-- Of a text that a person typed, which is short, and composed once for a statement. Null, which matches nothing, for a
-- text of accents alone: folding leaves nothing of it, and its pattern would match everything.
create or replace function search_pattern(value text) returns text
  language sql immutable strict parallel safe
  return '%' || replace(replace(replace(nullif(public.fold(normalize(value, NFC)), ''), '\', '\\'), '%', '\%'), '_', '\_') || '%';
