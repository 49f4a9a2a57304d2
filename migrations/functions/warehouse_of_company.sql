-- The connection that holds for a company: its own, or else the workspace's, unless its invoices are never sent. The
-- same rule as src/customers/companies/warehouse-of-company.ts, for triggers. No columns are null or false where none
-- holds.
create or replace function warehouse_of_company(tenant bigint, company bigint, out subdomain text, out sends_automatically boolean)
  language plpgsql stable as $$
begin
  select case when c.wms_never then null when c.wms_subdomain is null then w.wms_subdomain else c.wms_subdomain end,
    public.sends_automatically(c.wms_never, c.wms_subdomain, c.wms_api_key, c.wms_send_automatically, w.wms_api_key,
      w.wms_send_automatically)
  into subdomain, sends_automatically
  from public.companies c
  left join public.workspace_warehouses w on w.tenant_id = tenant
  where c.tenant_id = tenant and c.id = company;
end
$$;
