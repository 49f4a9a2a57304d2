-- An update's change of the counts: one taken from where the company stood, one added where it stands.
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
