-- Up Migration

-- The user who may choose a new password by the link of an invitation; null: the link makes a new user.
alter table invitations add column for_user bigint;
-- Brief: a workspace has some invitations.
alter table invitations add foreign key (tenant_id, for_user) references users (tenant_id, id);

-- The history tells such links from invitations.
create or replace trigger workspace_created after insert on invitations referencing new table as written
  for each statement execute function keep_workspace_history('invitation', 'role,expires_at,for_user', 'accepted_at,revoked_at');
create or replace trigger workspace_updated after update on invitations referencing old table as overwritten new table as written
  for each statement execute function keep_workspace_history('invitation', 'role,expires_at,for_user', 'accepted_at,revoked_at');
