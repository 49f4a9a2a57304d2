-- Search compares Greek words with either form of the letter sigma: the one that ends a word is another letter to lower(). Most
-- texts are composed already, which is quick to see; to compose them all the same takes twice as long as all the rest. In
-- PL/pgSQL, because SQL's function, which cannot be inlined, is started anew for each row. A text without accents, as most are,
-- has as many bytes as characters, and needs none of it.
create or replace function fold(value text) returns text
  language plpgsql immutable strict parallel safe
as $$
begin
  if octet_length(value) = length(value) then return lower(value); end if;
  return replace(lower(public.unaccent('public.unaccent'::regdictionary,
    case when value is nfc normalized then value else normalize(value, NFC) end)), 'ς', 'σ');
end
$$;
