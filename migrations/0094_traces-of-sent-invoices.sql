-- Up Migration

-- The trace of the request that queued an invoice, for the calls of its warehouse that follow from it.
alter table invoices add column wms_trace text;
