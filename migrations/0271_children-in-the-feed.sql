-- Up Migration

-- Whether a webhook hears of contacts and addresses that are hidden or shown with their company.
alter table webhooks add column children boolean not null default false;
drop trigger webhook_written on webhooks;
create trigger webhook_written
  after insert or update of url, types, active, description, body, children, previous_until, deleted_at on webhooks
  for each row execute function keep_webhook_history();
-- Load functions: keep_webhook_history, note_children, number_changes
create trigger noted_children after update of deleted_at on companies for each row
  when ((new.deleted_at is null) <> (old.deleted_at is null)) execute function note_children();
