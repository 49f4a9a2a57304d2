-- The digests of a phone's second number and of those behind it, each behind its tenant's id: `7/` and 8 characters of
-- the last six digits, and `7/` and all 19. The first number has an index of its own.
create or replace function phone_endings(tenant bigint, stored text) returns text[]
  language sql immutable strict parallel safe
  set search_path = pg_catalog, pg_temp as $$
  select array(
    select tenant || '/' || left(digests, length)
    from unnest((string_to_array(stored, '='))[3:]) digests, unnest(array[8, 19]) length
  )
$$;
