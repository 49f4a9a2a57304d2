-- Up Migration

-- What messages have: the `change`, or `full`, the resource too.
alter table webhooks add column body text not null default 'change';
-- The trigger of their history: 0392.
