-- Up Migration

-- Until when a person has put an invoice's need off; null: nobody has, or the order has moved since (move_order).
alter table invoices add column wms_put_off_until timestamptz;
-- When a person last had the warehouse asked about its order.
alter table invoices add column wms_checked_at timestamptz;
-- A check is no change of the invoice. A need that is put off stands in the history, with the person.
call keep_history('invoices', 'invoice', encrypted => '{lines}', hidden =>
  '{wms_state,wms_error,wms_attempt,wms_synced_at,wms_updated_at,wms_open_since,wms_open_instance,wms_open_source,wms_absent_at,wms_trace,wms_poll_at,wms_poll_every,wms_owns_order,wms_is_final,wms_moved_at,edited_at,wms_checked_at}');
-- Load functions: move_order

-- When a user hid the first steps on the page of today.
alter table users add column first_steps_hidden_at timestamptz;
