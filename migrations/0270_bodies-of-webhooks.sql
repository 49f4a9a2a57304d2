-- Up Migration

-- What messages have: the `change`, or `full`, the resource too.
alter table webhooks add column body text not null default 'change';
drop trigger webhook_written on webhooks;
create trigger webhook_written
  after insert or update of url, types, active, description, body, previous_until, deleted_at on webhooks
  for each row execute function keep_webhook_history();
-- Load functions: keep_webhook_history
