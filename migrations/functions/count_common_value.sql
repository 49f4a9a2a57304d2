-- Has a value's count kept, by `insert into company_value_sums (tenant_id, key, value, asked_at)`. A list sends
-- `asked_at`, which adds the value, or notes that it is still wanted. A job sends none, for the next step: to count the
-- companies once every writer appends its changes, or to fold these. A trigger, as fold_company_counts.
create or replace function count_common_value() returns trigger language plpgsql as $$
declare
  -- Each write of values reads them all.
  most constant integer := 32;
  is_first_write constant boolean := pg_current_xact_id_if_assigned() is null;
  stored public.company_value_sums;
  counted record;
  deleted bigint;
begin
  if not pg_try_advisory_xact_lock(7261967, hashint8(new.tenant_id)) then return null; end if;
  select * into stored from public.company_value_sums s
  where s.tenant_id = new.tenant_id and s.key = new.key and s.value = new.value;
  if new.asked_at is not null then
    if stored.id is null then
      if (select count(*) from public.company_value_sums s where s.tenant_id = new.tenant_id) < most then return new; end if;
    else
      update public.company_value_sums s set asked_at = new.asked_at where s.tenant_id = new.tenant_id and s.id = stored.id;
    end if;
    return null;
  end if;
  if stored.id is null then return null; end if;

  -- A writer that did not see the row had its transaction number before this transaction gets one (as a fold's, and as
  -- there, a number from another server is over).
  if stored.closing_xid is null then
    if is_first_write then
      new.closing_xid := pg_current_xact_id();
      update public.company_value_sums s set closing_xid = new.closing_xid
      where s.tenant_id = new.tenant_id and s.id = stored.id;
    end if;
    return null;
  end if;
  if stored.n is null and stored.closing_xid >= pg_snapshot_xmin(pg_current_snapshot())
    and stored.closing_xid < pg_snapshot_xmax(pg_current_snapshot())
  then
    return null;
  end if;

  -- One statement, so that both are of one snapshot.
  if stored.n is null then
    select (
      select count(*) from public.value_entries v
      where v.tenant_id = new.tenant_id and v.entry = public.value_entry('company', new.key, new.value)
    ) as n, count(*) as changes, array_agg(c.id) as ids into counted
    from public.company_value_changes c where c.tenant_id = new.tenant_id and c.sum_id = stored.id;
  else
    select (stored.n + coalesce(sum(c.n), 0))::bigint as n, count(*) as changes, array_agg(c.id) as ids into counted
    from public.company_value_changes c where c.tenant_id = new.tenant_id and c.sum_id = stored.id;
    if counted.changes = 0 then return null; end if;
  end if;
  delete from public.company_value_changes c
  where c.tenant_id = new.tenant_id and c.sum_id = stored.id and c.id = any(counted.ids);
  get diagnostics deleted = row_count;
  if deleted <> counted.changes then
    raise serialization_failure using message = 'the changes of a common value are folded by somebody else';
  end if;
  update public.company_value_sums s set n = counted.n where s.tenant_id = new.tenant_id and s.id = stored.id;
  return null;
end
$$;
