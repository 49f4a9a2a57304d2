-- What follows from a new company: its external ids, its call to come, and the values that it is found by.
create or replace function companies_after_insert() returns trigger language plpgsql as $$
declare
  pair record;
begin
  -- Not by claim_external_ids, which takes longer (keep_external_ids).
  if new.external is not null and new.deleted_at is null then
    for pair in select key as source, value as id from jsonb_each_text(new.external) loop
      insert into public.external_ids (tenant_id, type, source, external_id, resource_id)
      values (new.tenant_id, 'company', pair.source, pair.id, new.id);
    end loop;
  end if;
  if new.callback_date is not null then
    insert into public.planned_calls (tenant_id, company_id, due_on, planned_by, created_at, updated_at, changed_by)
    values (new.tenant_id, new.id, new.callback_date, new.changed_by, new.created_at, new.created_at, new.changed_by);
  end if;
  if new.metadata is not null and new.deleted_at is null then
    perform public.insert_custom_values(new.tenant_id, 'company', new.id, new.metadata);
  end if;
  return null;
end
$$;
