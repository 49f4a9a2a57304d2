-- The words of a note, folded, each behind its tenant's id: `7/pallets`. So a tenant's words are keys of their own in
-- an index, and a search reads no other tenant's. Words are cut at 60 characters, because a longer key is an error.
-- Letters are listed by what they are not: classes of letters differ between the locales of databases.
create or replace function activity_words(tenant bigint, note text) returns tsvector
  language plpgsql immutable strict parallel safe as $$
begin
  return array_to_tsvector(array(
    select distinct tenant || '/' || left(w, 60)
    from regexp_split_to_table(public.fold(note), '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f]+') w
    where w <> ''
  ));
end
$$;
