-- A part of claim_jobs: the lanes that may start a job now, in the order in which they are served. Tenants are served
-- in turn, and so are the lanes of each. `running` counts the jobs that run in lanes of this name, of all tenants.
-- `held` counts the tenant's jobs that the claimer runs.
create or replace function lanes_to_serve(
  claimer text, wanted integer, wanted_each integer, kinds text[], limits integer[], moment timestamptz, failures_to_close integer
) returns table (
  tenant_id bigint, name text, ready_at timestamptz, ready_id bigint, is_failing boolean, running integer, held integer,
  lanes_left bigint
) language plpgsql as $$
declare
  most constant integer := (select max(l) from unnest(limits) l);
  -- The jobs of suspended tenants wait until they are resumed.
  suspended constant bigint[] := (select coalesce(array_agg(t.id), '{}') from public.tenants t where t.suspended_at is not null);
  running_by_name constant jsonb := (
    select coalesce(jsonb_object_agg(r.lane, r.n), '{}')
    from (select j.lane, count(*) as n from public.jobs j where j.state = 'running' group by j.lane) r
  );
  held_by_tenant constant jsonb := (
    select coalesce(jsonb_object_agg(r.tenant_id, r.n), '{}')
    from (
      select j.tenant_id, count(*) as n from public.jobs j
      where j.state = 'running' and j.worker = claimer group by j.tenant_id
    ) r
  );
begin
  return query
  select due.tenant_id, due.name, due.ready_at, due.ready_id, due.failures >= failures_to_close,
    coalesce((running_by_name ->> due.name)::integer, 0), coalesce((held_by_tenant ->> due.tenant_id::text)::integer, 0),
    row_number() over (order by due.turn desc, due.tenant_served_at desc, due.tenant_id desc) as lanes_left
  from (
    select l.*, row_number() over (partition by l.tenant_id order by l.served_at, l.name) as turn,
      max(l.served_at) over (partition by l.tenant_id) as tenant_served_at
    from public.lanes l
    where l.ready_at <= moment and l.tenant_id <> all(suspended) and (l.closed_until is null or l.closed_until <= moment)
      and coalesce((running_by_name ->> l.name)::integer, 0) < case when l.failures >= failures_to_close then 1 else most end
      and coalesce((held_by_tenant ->> l.tenant_id::text)::integer, 0) < wanted_each
      -- Lanes with waiting jobs of other kinds only are left to other workers. Any worker may correct a lane without
      -- waiting jobs.
      and (
        exists (
          select from public.jobs j
          where j.tenant_id = l.tenant_id and j.lane = l.name and j.state = 'waiting'
            and (j.run_at, j.id) >= (l.ready_at, l.ready_id) and j.run_at <= moment and j.kind = any(kinds)
        )
        or not exists (
          select from public.jobs j
          where j.tenant_id = l.tenant_id and j.lane = l.name and j.state = 'waiting'
            and (j.run_at, j.id) >= (l.ready_at, l.ready_id) and j.run_at <= moment
        )
      )
    order by turn, tenant_served_at, l.tenant_id limit wanted
  ) due
  order by lanes_left desc;
end
$$;
