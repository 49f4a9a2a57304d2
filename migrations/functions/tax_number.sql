-- A fiscal id without what people write around its digits: blanks, hyphens, dots, marks without a width, and the prefix
-- of a country of the European Union. `RO 18-54.72` is 185472. An index has it (0360), so both change together.
create or replace function tax_number(tax_id text) returns text language plpgsql immutable strict parallel safe as $$
declare
  plain text;
begin
  -- Most fiscal ids, in a third of the time.
  if tax_id ~ '^(?:RO)?[0-9]+$' then return ltrim(tax_id, 'RO'); end if;
  plain := tax_id;
  if plain !~ '^[0-9A-Z]+$' then
    plain := upper(case when octet_length(plain) = length(plain) then plain else normalize(plain, NFKC) end);
    plain := regexp_replace(plain, '\.0+$', '');
    plain := regexp_replace(plain, '[-\s.\u00ad\u2010-\u2015\u2212\u200b-\u200d\u2060\ufeff]', '', 'g');
  end if;
  return regexp_replace(plain,
    '^(?:AT|BE|BG|CY|CZ|DE|DK|EE|EL|ES|FI|FR|GR|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK)(?=.)', '');
end
$$;
