-- Makes the table external_ids have the former ids of a company or contact (former_ids), by which upserts find it. An
-- id that another one has stays its own. A former fiscal id is of the type 'former_tax_id', by its number (tax_number).
create or replace function write_former_ids(tenant bigint, company bigint, before jsonb, after jsonb) returns void
  language plpgsql as $$
declare
  former record;
begin
  for former in
    select * from jsonb_to_recordset(coalesce(before, '[]')) as f (type text, source text, id text)
  loop
    delete from public.external_ids e
    where e.tenant_id = tenant and e.type = former.type and e.source = former.source and e.external_id = former.id
      and e.resource_id = company;
  end loop;
  for former in
    select * from jsonb_to_recordset(coalesce(after, '[]')) as f (type text, source text, id text)
  loop
    insert into public.external_ids (tenant_id, type, source, external_id, resource_id)
    values (tenant, former.type, former.source, former.id, company) on conflict do nothing;
  end loop;
end
$$;
