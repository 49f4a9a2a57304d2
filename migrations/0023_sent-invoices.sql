-- Up Migration

-- Those that had an order before there was a state. In a transaction of its own, so that the one before it is short.
update invoices set wms_state = 'sent' where wms_order_id is not null and wms_state <> 'sent';
