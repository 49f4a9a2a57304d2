-- Search compares Greek words with either form of the letter sigma: the one that ends a word is another letter to lower().
create or replace function fold(value text) returns text
  language sql immutable strict parallel safe
  return replace(lower(public.unaccent('public.unaccent'::regdictionary, normalize(value, NFC))), 'ς', 'σ');
