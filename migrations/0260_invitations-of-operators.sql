-- An operator, or a command, may invite the first admin of a new tenant. Such an invitation has no user as its maker.
-- Up Migration

alter table invitations alter column invited_by drop not null;
