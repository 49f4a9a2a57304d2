-- The only function by which a worker reads across tenants: it returns ids and numbers, and no data of a tenant. Claims
-- run one after the other, so none exceeds a limit, and tenants are served in turn. Claims read lane by lane and write
-- tenant by tenant: fifty due webhooks of a tenant are two statements, not a hundred.
--
-- Returns at most `wanted` jobs of these kinds, with at most `wanted_each` of a tenant running for `claimer`. `limits`
-- has for each kind the number that may run at once in lanes of one name, over all tenants. `kept` are the claimer's
-- jobs whose leases are renewed.
create or replace function claim_jobs(
  claimer text, wanted integer, wanted_each integer, lease interval, kinds text[], limits integer[], kept bigint[]
) returns table (
  tenant_id bigint, id bigint, kind text, subject bigint, attempt bigint, tries integer, has_died boolean
) language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp as $$
declare
  failures_to_close constant integer := 5;
  moment timestamptz;
  lane record;
  chosen record;
  already integer;
  picks integer;
  remaining integer := wanted;
  -- The result so far: the jobs, their number for each lane's name and each tenant, and where lanes continue.
  jobs_of bigint[] := '{}';
  job_ids bigint[] := '{}';
  by_name jsonb := '{}';
  by_tenant jsonb := '{}';
  lanes_of bigint[] := '{}';
  lane_names text[] := '{}';
  next_at timestamptz[] := '{}';
  next_ids bigint[] := '{}';
  was_served boolean[] := '{}';
  of_tenant bigint;
begin
  perform pg_advisory_xact_lock(7261961);
  moment := clock_timestamp();
  perform public.renew_leases(claimer, kept, moment, lease);
  perform public.fold_lane_news(moment, failures_to_close);
  if wanted < 1 then return; end if;

  for lane in
    select * from public.lanes_to_serve(claimer, wanted, wanted_each, kinds, limits, moment, failures_to_close)
  loop
    exit when remaining < 1;
    already := lane.running + coalesce((by_name ->> lane.name)::integer, 0);
    chosen := public.pick_jobs(lane.tenant_id, lane.name, lane.ready_at, lane.ready_id, moment, kinds,
      array(select case when lane.is_failing then 1 else u.most end - already from unnest(limits) as u (most)),
      least(ceil(remaining::numeric / lane.lanes_left)::integer,
        wanted_each - lane.held - coalesce((by_tenant ->> lane.tenant_id::text)::integer, 0)));
    continue when chosen.picked is null;
    picks := cardinality(chosen.picked);
    remaining := remaining - picks;
    by_name := by_name || jsonb_build_object(lane.name, coalesce((by_name ->> lane.name)::integer, 0) + picks);
    by_tenant := by_tenant
      || jsonb_build_object(lane.tenant_id, coalesce((by_tenant ->> lane.tenant_id::text)::integer, 0) + picks);
    jobs_of := jobs_of || array_fill(lane.tenant_id, array[picks]);
    job_ids := job_ids || chosen.picked;
    lanes_of := lanes_of || lane.tenant_id;
    lane_names := lane_names || lane.name;
    next_at := next_at || chosen.next_at;
    next_ids := next_ids || chosen.next_id;
    was_served := was_served || (picks > 0);
  end loop;

  for of_tenant in select distinct u.id from unnest(lanes_of) as u (id)
  loop
    return query
    update public.jobs j set state = 'running', attempt = j.attempt + 1, tries = j.tries + 1, worker = claimer,
      lease_until = moment + lease
    where j.tenant_id = of_tenant
      and j.id = any(array(select u.id from unnest(jobs_of, job_ids) as u (tenant, id) where u.tenant = of_tenant))
    returning j.tenant_id, j.id, j.kind, j.subject, j.attempt, j.tries, j.has_died;
    update public.lanes l set ready_at = u.ready_at, ready_id = u.ready_id,
      served_at = case when u.was_served then moment else l.served_at end
    from unnest(lanes_of, lane_names, next_at, next_ids, was_served) as u (tenant, name, ready_at, ready_id, was_served)
    where l.tenant_id = of_tenant and u.tenant = of_tenant and l.name = u.name;
  end loop;
end
$$;
