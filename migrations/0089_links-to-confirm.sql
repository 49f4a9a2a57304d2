-- Up Migration

-- Links that nobody has confirmed are few, and were found by reading every invoice that has an order.
create index invoices_to_confirm on invoices (tenant_id, id) where wms_shown = 'to_be_confirmed';
