-- Without a transaction: invoices have rows.

alter table invoices validate constraint invoices_tenant_id_delivery_address_id_fkey;
