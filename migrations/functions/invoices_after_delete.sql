-- What follows from a deleted invoice: its external ids and values are free, and older sales changed (0290).
create or replace function invoices_after_delete() returns trigger language plpgsql as $$
begin
  perform public.release_external_ids(old.tenant_id, 'invoice', old.id, old.external);
  perform public.write_custom_values(old.tenant_id, 'invoice', old.id, old.metadata, null);
  if old.issued_on < date_trunc('month', current_date - 3)::date and old.status in ('issued', 'paid') then
    insert into public.changed_sales (tenant_id, company_id) values (old.tenant_id, old.company_id);
  end if;
  return null;
end
$$;
