-- The changes that an update makes to the counts: one less at the company's old place, one more at its new place.
create or replace function count_updated_company() returns trigger language plpgsql as $$
begin
  if old.deleted_at is null then
    perform public.append_company_count(old.tenant_id, old.id / 4096, old.status, -1);
  end if;
  if new.deleted_at is null then
    perform public.append_company_count(new.tenant_id, new.id / 4096, new.status, 1);
  end if;
  return null;
end
$$;
