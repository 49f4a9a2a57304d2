-- Composed text without case and accents. Both small forms of sigma are equal: lower() leaves them different. Text of
-- ASCII alone, as most is, needs nothing but lower(). It does not compose the text: that takes quadratic time on
-- combining marks, and this runs for each row of a scan. Stored text is composed (0011), typed text by its reader. In
-- PL/pgSQL, because an SQL function that cannot be inlined is started anew for each row.
create or replace function fold(value text) returns text language plpgsql immutable strict parallel safe as $$
begin
  if octet_length(value) = length(value) then return lower(value); end if;
  return replace(lower(public.unaccent('public.unaccent'::regdictionary, value)), 'ς', 'σ');
end
$$;
