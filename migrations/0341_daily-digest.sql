-- The daily mail of a user (docs/decisions/0077-mail.md).
-- Since when a user has it; null: not. And the last day that it was made for, in the workspace's time zone.
alter table users add column digest_since timestamptz, add column digest_on date;
