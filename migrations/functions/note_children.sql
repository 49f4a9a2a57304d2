-- Notes for followers that want it (docs/contract.md 18.6) which contacts and addresses are hidden or shown with their
-- company: a change for each, a microsecond after the company's own. Their types are their own, so that only the feed
-- has them, and they are of no company, so that its history stays as it is.
create or replace function note_children(tenant bigint, company bigint, action text, company_at timestamptz, author text)
  returns void language plpgsql as $$
declare
  company_id constant text := format('{"company_id":%s}', company);
  moment constant timestamptz := company_at + interval '1 microsecond';
begin
  insert into public.changes (tenant_id, at, type, resource_id, action, changed, changed_by)
  select tenant, moment, child.type, child.id, action, company_id, author
  from (
    select 'hidden_contact' as type, k.id from public.contacts k
    where k.tenant_id = tenant and k.company_id = company and k.deleted_at is null
    union all
    select 'hidden_address', k.id from public.addresses k
    where k.tenant_id = tenant and k.company_id = company and k.deleted_at is null
  ) child
  order by child.type desc, child.id;
end
$$;
