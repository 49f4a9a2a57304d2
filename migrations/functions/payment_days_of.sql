-- The days from the issue of a company's invoice until it is due: its own terms, or else those of the workspace.
create or replace function payment_days_of(bigint, bigint) returns integer language sql stable parallel safe
  return coalesce(
    (select c.payment_days from public.companies c where c.tenant_id = $1 and c.id = $2),
    (select d.payment_days from public.workspace_details d where d.tenant_id = $1),
    30);
