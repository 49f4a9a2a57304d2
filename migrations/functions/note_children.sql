-- Notes for followers that want it (docs/contract.md 18.6) which contacts and addresses are hidden or shown with their
-- company: a change for each, a microsecond behind the company's own. Their types are their own, so that only the feed
-- has them, and they are of no company, so that its history stays as it is.
create or replace function note_children() returns trigger language plpgsql as $$
declare
  action constant text := case when new.deleted_at is null then 'shown' else 'hidden' end;
  company constant text := format('{"company_id":%s}', new.id);
  author constant text := coalesce(new.changed_by, 'command');
  moment constant timestamptz := new.updated_at + interval '1 microsecond';
begin
  insert into public.changes (tenant_id, at, type, resource_id, action, changed, changed_by)
  select new.tenant_id, moment, child.type, child.id, action, company, author
  from (
    select 'hidden_contact' as type, k.id from public.contacts k
    where k.tenant_id = new.tenant_id and k.company_id = new.id and k.deleted_at is null
    union all
    select 'hidden_address', k.id from public.addresses k
    where k.tenant_id = new.tenant_id and k.company_id = new.id and k.deleted_at is null
  ) child
  order by child.type desc, child.id;
  return null;
end
$$;
