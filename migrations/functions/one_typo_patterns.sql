-- The patterns of a folded word with one wrong letter: replaced, added, missing, or two swapped. Null, which matches
-- nothing, for words with digits, of less than 4 letters or of more than 20.
create or replace function one_typo_patterns(word text) returns text[]
  language sql immutable strict parallel safe
  return case when word ~ '^[^0-9%_\\]{4,20}$' then array(
    select '%' || variant || '%' from generate_series(1, length(word)) i, unnest(array[
      left(word, i - 1) || '_' || substr(word, i + 1),
      left(word, i - 1) || substr(word, i + 1),
      case when i > 1 then left(word, i - 1) || '_' || substr(word, i) end,
      left(word, i - 1) || substr(word, i + 1, 1) || substr(word, i, 1) || substr(word, i + 2)
    ]) variant where variant is not null
  ) end;
