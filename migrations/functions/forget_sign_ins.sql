-- Limits the size of the table: deletes failures older than a day and, beyond `keep` rows, those with the fewest and
-- oldest failures.
create or replace function forget_sign_ins(moment timestamptz, keep bigint) returns void
  language plpgsql volatile security definer
  set search_path = pg_catalog, public, pg_temp as $$
begin
  delete from public.sign_in_failures f where f.failed_at <= moment - interval '1 day';
  delete from public.sign_in_failures f where f.subject in (
    select kept.subject from public.sign_in_failures kept order by kept.failures desc, kept.failed_at desc offset keep
  );
end
$$;
