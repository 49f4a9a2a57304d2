-- Up Migration

-- When somebody's second factor was switched off by another one, who had lost it or could not be asked, and by whom: `user:3` or
-- `command`, as changes.changed_by has it. Users have no history of their own.
alter table users add column second_factor_reset_at timestamptz, add column second_factor_reset_by text;
