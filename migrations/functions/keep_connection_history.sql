-- The history of a company's connection: when its key was written, the switch for automatic sending, when a person
-- declared that its former warehouses have no lost order, and whether it is never sent. For each row and by columns, so
-- that other updates of companies cost nothing extra. Encrypting a key again is no change.
create or replace function keep_connection_history() returns trigger language plpgsql as $$
begin
  insert into public.changes (tenant_id, at, type, resource_id, company_id, action, changed, changed_by)
  values (new.tenant_id, clock_timestamp(), 'connection', new.id, new.id, 'updated',
    public.workspace_differences(to_jsonb(old), to_jsonb(new), '{wms_key_set_at,wms_send_automatically,wms_former_checked_at,wms_never}', '{}'),
    case when old.updated_at is distinct from new.updated_at then coalesce(new.changed_by, 'command') else 'command' end);
  return null;
end
$$;
