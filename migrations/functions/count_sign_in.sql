-- Counts an attempt as failed before it is made, so that simultaneous attempts cannot evade the limit. Without a
-- returned row, the attempt may be made. Otherwise it is not counted, and each row names a subject that must wait, and
-- until when. After `free` failures the wait is 1 second, doubled by each further failure, up to 15 minutes. A day
-- without failures resets it.
create or replace function count_sign_in(subjects bytea[], free integer[], moment timestamptz)
  returns table (waiting bytea, waits_until timestamptz) language plpgsql volatile security definer rows 1
  set search_path = pg_catalog, public, pg_temp as $$
begin
  -- In the same order everywhere: two attempts with several subjects in common must not wait for each other.
  perform from public.sign_in_failures f where f.subject = any(subjects) order by f.subject for update;
  return query
    select failed.subject, failed.until
    from (
      select f.subject, f.failed_at + interval '1 second' * least(900, 2 ^ least(f.failures - s.free, 20)) as until
      from unnest(subjects, free) as s (subject, free) join public.sign_in_failures f on f.subject = s.subject
      where f.failures >= s.free and f.failed_at > moment - interval '1 day'
    ) failed
    where failed.until > moment;
  if found then return; end if;
  insert into public.sign_in_failures as f (subject, failures, failed_at)
  select s.subject, 1, moment from unnest(subjects) as s (subject) order by s.subject
  on conflict (subject) do update set
    failures = case when f.failed_at > moment - interval '1 day' then f.failures + 1 else 1 end,
    failed_at = excluded.failed_at;
end
$$;
