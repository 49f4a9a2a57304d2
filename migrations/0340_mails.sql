-- Mail that was asked for (docs/decisions/0077-mail.md). A mail is a job's subject: it is sent, given up, or dropped.
create table mails (
  tenant_id bigint not null references tenants (id), id bigserial not null,
  kind text not null,
  -- Whom it is for: a user, or an address that is no user's, or is not looked up yet.
  user_id bigint, email text,
  -- What it says, encrypted: a link has a token. Null once the mail has ended.
  details text,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'given_up')),
  created_at timestamptz not null default now(),
  -- When it was last about to be sent. The mails of an hour are counted by it.
  attempted_at timestamptz,
  ended_at timestamptz,
  -- Why the last attempt failed, or why it was given up; a word of ours.
  failure text,
  primary key (tenant_id, id)
);
create index mails_attempted on mails (tenant_id, attempted_at);
create index mails_ended on mails (tenant_id, ended_at);
-- A second request for a new password, while the mail of the first waits, adds no mail.
create unique index mails_one_forgotten on mails (tenant_id, lower(email))
  where kind = 'forgotten-password' and state = 'waiting';
call protect_tenant_table('mails');
grant usage on all sequences in schema public to liaison_app;
alter table mails add foreign key (tenant_id, user_id) references users (tenant_id, id);

-- Load functions: enqueue_mails
create trigger enqueue_mails after insert on mails
  referencing new table as written for each statement execute function enqueue_mails();
