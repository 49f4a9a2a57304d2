-- Without a transaction: every installation has changes, and they go on being written.

-- The changes between two ticks of a feed, by their transactions.
create index concurrently if not exists changes_by_transaction on changes (tenant_id, xid);
