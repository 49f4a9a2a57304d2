-- Without a transaction: users have rows.
-- The users who have the daily mail.
create index concurrently if not exists users_with_digest on users (tenant_id, id) where digest_since is not null;
