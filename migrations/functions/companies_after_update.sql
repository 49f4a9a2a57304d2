-- What follows an update of a company, but the history of its fields (keep_history).
create or replace function companies_after_update() returns trigger language plpgsql as $$
begin
  -- 1. The history of the connection: when its key was written, the switch for automatic sending, when a person
  -- declared that its former warehouses have no lost order, and whether it is never sent. Encrypting a key again is no
  -- change.
  if old.wms_key_set_at is distinct from new.wms_key_set_at or old.wms_send_automatically <> new.wms_send_automatically
    or old.wms_former_checked_at is distinct from new.wms_former_checked_at or old.wms_never <> new.wms_never
  then
    insert into public.changes (tenant_id, at, type, resource_id, company_id, action, changed, changed_by)
    values (new.tenant_id, clock_timestamp(), 'connection', new.id, new.id, 'updated',
      public.workspace_differences(to_jsonb(old), to_jsonb(new),
        '{wms_key_set_at,wms_send_automatically,wms_former_checked_at,wms_never}', '{}'),
      case when old.updated_at is distinct from new.updated_at then coalesce(new.changed_by, 'command') else 'command' end);
  end if;

  -- 2. The counts: one less at the company's old place, one more at its new place.
  if old.status <> new.status or old.deleted_at is distinct from new.deleted_at then
    perform public.move_company_count(new.tenant_id, new.id / 4096, case when old.deleted_at is null then old.status end,
      case when new.deleted_at is null then new.status end);
  end if;

  -- 3. The external ids of a live company. Those of a deleted one: hide_external_ids.
  if old.external is distinct from new.external and old.deleted_at is null and new.deleted_at is null then
    perform public.write_external_ids(new.tenant_id, 'company', new.id, old.external, new.external);
  end if;

  -- 4. The feed, which also has the contacts and addresses that are hidden or shown with the company.
  if (old.deleted_at is null) <> (new.deleted_at is null) then
    perform public.note_children(new.tenant_id, new.id, case when new.deleted_at is null then 'shown' else 'hidden' end,
      new.updated_at, coalesce(new.changed_by, 'command'));
  end if;

  -- 5. The values that a live company is found by.
  if (old.metadata is not null or new.metadata is not null)
    and (old.metadata is distinct from new.metadata or old.deleted_at is distinct from new.deleted_at)
  then
    perform public.write_custom_values(new.tenant_id, 'company', new.id,
      case when old.deleted_at is null then old.metadata end, case when new.deleted_at is null then new.metadata end);
  end if;
  return null;
end
$$;
