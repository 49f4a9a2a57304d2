-- A part of claim_jobs: locks the first jobs of a lane that are due, at most `most` of them. `limits` has for each kind
-- the number that may start in the lane; the kind of the first job decides. Returns the jobs, and where the lane's
-- waiting jobs begin without them. Null: jobs are due, but none may start.
create or replace function pick_jobs(
  tenant bigint, lane_name text, ready_at timestamptz, ready_id bigint, moment timestamptz, kinds text[], limits integer[],
  most integer, out picked bigint[], out next_at timestamptz, out next_id bigint
) language plpgsql as $$
declare
  first_kind text;
begin
  select j.kind into first_kind from public.jobs j
  where j.tenant_id = tenant and j.lane = lane_name and j.state = 'waiting'
    and (j.run_at, j.id) >= (ready_at, ready_id) and j.run_at <= moment and j.kind = any(kinds)
  order by j.run_at, j.id limit 1;
  picked := '{}';
  if found then
    most := least(most, limits[array_position(kinds, first_kind)]);
    if most < 1 then
      picked := null;
      return;
    end if;
    picked := array(
      select j.id from public.jobs j
      where j.tenant_id = tenant and j.lane = lane_name and j.state = 'waiting'
        and (j.run_at, j.id) >= (ready_at, ready_id) and j.run_at <= moment and j.kind = any(kinds)
      order by j.run_at, j.id limit most
      for update skip locked
    );
  end if;
  select j.run_at, j.id into next_at, next_id from public.jobs j
  where j.tenant_id = tenant and j.lane = lane_name and j.state = 'waiting'
    and (j.run_at, j.id) >= (ready_at, ready_id) and j.id <> all(picked)
  order by j.run_at, j.id limit 1;
  next_at := coalesce(next_at, 'infinity');
  next_id := coalesce(next_id, 0);
end
$$;
