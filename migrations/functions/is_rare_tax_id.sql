-- Whether the text of a fiscal id is neither its number (tax_number) nor `RO` and its number. The others are found by
-- their texts, so that most companies have no index entry of their number. An index has it (0360), so both change
-- together.
create or replace function is_rare_tax_id(tax_id text) returns boolean
  language plpgsql immutable strict parallel safe as $$
declare
  number text;
begin
  -- Most fiscal ids.
  if tax_id ~ '^(?:RO)?[0-9]+$' then return false; end if;
  -- Case is certain in ASCII alone.
  if octet_length(tax_id) <> length(tax_id) then return true; end if;
  number := public.tax_number(tax_id);
  return upper(tax_id) not in (number, 'RO' || number);
end
$$;
