-- The external ids of a deleted resource are free for others. A restored resource gets back those that are still free;
-- the others leave its row. Contacts and addresses are hidden and shown with their company. A company's former ids are
-- free and taken with it.
create or replace function hide_external_ids() returns trigger language plpgsql as $$
declare
  resource_type text := tg_argv[0];
  is_shown boolean := new.deleted_at is null;
  child record;
  kept jsonb;
begin
  if is_shown then
    new.external := public.claim_external_ids(new.tenant_id, resource_type, new.id, new.external, false);
  else
    perform public.release_external_ids(new.tenant_id, resource_type, new.id, new.external);
  end if;
  if resource_type <> 'company' then return new; end if;
  if is_shown then
    perform public.write_former_ids(new.tenant_id, new.id, null, new.former_ids);
  else
    perform public.write_former_ids(new.tenant_id, new.id, new.former_ids, null);
  end if;
  for child in
    select 'contact' as type, k.id, k.external from public.contacts k
    where k.tenant_id = new.tenant_id and k.company_id = new.id and k.external is not null and k.deleted_at is null
    union all
    select 'address', k.id, k.external from public.addresses k
    where k.tenant_id = new.tenant_id and k.company_id = new.id and k.external is not null and k.deleted_at is null
    order by type, id
  loop
    if not is_shown then
      perform public.release_external_ids(new.tenant_id, child.type, child.id, child.external);
      continue;
    end if;
    kept := public.claim_external_ids(new.tenant_id, child.type, child.id, child.external, false);
    continue when kept is not distinct from child.external;
    if child.type = 'contact' then
      update public.contacts k set external = kept, updated_at = moment_after(k.updated_at), changed_by = new.changed_by
      where k.tenant_id = new.tenant_id and k.id = child.id;
    else
      update public.addresses k set external = kept, updated_at = moment_after(k.updated_at), changed_by = new.changed_by
      where k.tenant_id = new.tenant_id and k.id = child.id;
    end if;
  end loop;
  return new;
end
$$;
