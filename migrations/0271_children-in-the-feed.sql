-- Up Migration

-- Whether a webhook hears of contacts and addresses that are hidden or shown with their company.
alter table webhooks add column children boolean not null default false;
-- The trigger of their history: 0392.
-- Load functions: note_children, number_changes
create trigger noted_children after update of deleted_at on companies for each row
  when ((new.deleted_at is null) <> (old.deleted_at is null)) execute function note_children();
