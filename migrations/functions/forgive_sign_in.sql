-- After a correct attempt: resets the subjects in `cleared`, and subtracts the attempt from those in `lowered`.
create or replace function forgive_sign_in(cleared bytea[], lowered bytea[]) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, public, pg_temp as $$
begin
  perform from public.sign_in_failures f where f.subject = any(cleared || lowered) order by f.subject for update;
  delete from public.sign_in_failures f where f.subject = any(cleared);
  update public.sign_in_failures f set failures = greatest(f.failures - 1, 0) where f.subject = any(lowered);
end
$$;
