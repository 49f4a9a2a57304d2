-- Queues an invoice that becomes sendable if its company's connection sends automatically, whichever door wrote it.
create or replace function queue_automatically() returns trigger language plpgsql as $$
begin
  if exists (
    select from public.companies c where c.tenant_id = new.tenant_id and c.id = new.company_id
      and c.wms_send_automatically and c.wms_subdomain is not null and c.wms_api_key is not null
  ) then
    new.wms_state := 'queued';
  end if;
  return new;
end
$$;
