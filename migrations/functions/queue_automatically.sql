-- Queues an invoice that becomes sendable if the connection of its company (warehouse_of_company) sends automatically,
-- whichever door wrote it.
create or replace function queue_automatically() returns trigger language plpgsql as $$
begin
  if (public.warehouse_of_company(new.tenant_id, new.company_id)).sends_automatically then
    new.wms_state := 'queued';
  end if;
  return new;
end
$$;
