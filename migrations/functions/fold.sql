-- Text without case and accents. Both small forms of sigma are equal: lower() leaves them different. Text of ASCII
-- alone, as most is, needs nothing but lower(). Composing text that is composed already would triple the time. In
-- PL/pgSQL, because an SQL function that cannot be inlined is started anew for each row.
create or replace function fold(value text) returns text language plpgsql immutable strict parallel safe as $$
begin
  if octet_length(value) = length(value) then return lower(value); end if;
  return replace(lower(public.unaccent('public.unaccent'::regdictionary,
    case when value is nfc normalized then value else normalize(value, NFC) end)), 'ς', 'σ');
end
$$;
