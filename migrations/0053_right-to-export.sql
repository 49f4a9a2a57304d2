-- The right to export can be taken away from a user.

alter table users add column export_refused_at timestamptz;
create or replace trigger workspace_created after insert on users referencing new table as written
  for each statement execute function keep_workspace_history('user', 'name,email,role', 'deactivated_at,totp_confirmed_at,export_refused_at');
create or replace trigger workspace_updated after update on users
  referencing old table as overwritten new table as written
  for each statement execute function keep_workspace_history('user', 'name,email,role', 'deactivated_at,totp_confirmed_at,export_refused_at');
