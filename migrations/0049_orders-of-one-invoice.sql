-- Up Migration

alter table invoices
  -- Whether the link was made by sending or confirming it. An order belongs to one such invoice; links that an import brings may
  -- share one (docs/decisions/0041-what-the-warehouse-may-have.md).
  add column wms_owns_order boolean not null default false,
  -- The external_source that the last attempt was made under. The setting that it comes from may be another one since.
  add column wms_open_source text;
call keep_history('invoices', 'invoice', encrypted => '{lines}', hidden =>
  '{wms_state,wms_error,wms_attempt,wms_synced_at,wms_updated_at,wms_open_since,wms_open_instance,wms_open_source,wms_poll_at,wms_poll_every,wms_owns_order}');

create unique index invoices_owning_order on invoices (tenant_id, wms_instance, wms_order_id) where wms_owns_order;

-- Whoever writes another link over one that was sent or confirmed brings it from elsewhere.
create function disown_order() returns trigger
  language plpgsql
as $$
begin
  new.wms_owns_order := false;
  return new;
end
$$;
create trigger wms_disowned before update on invoices for each row
  when (old.wms_owns_order and new.wms_owns_order
    and (old.wms_order_id is distinct from new.wms_order_id or old.wms_instance is distinct from new.wms_instance))
  execute function disown_order();
