-- The days from the issue of a company's invoice until it is due: its own terms, or else those of the workspace. One
-- query with a join, because triggers call it, and on a cluster the plans of sub-selects do not know the tenant.
create or replace function payment_days_of(bigint, bigint) returns integer language plpgsql stable parallel safe as $$
begin
  return coalesce(
    (select coalesce(c.payment_days, d.payment_days)
      from public.companies c left join public.workspace_details d on d.tenant_id = $1
      where c.tenant_id = $1 and c.id = $2),
    30);
end
$$;
