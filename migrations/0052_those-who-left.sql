-- Without a transaction: the users who left, whose companies count as without an owner.

drop index concurrently if exists users_left;
create index concurrently if not exists users_left on users (tenant_id, id) where deactivated_at is not null;
