-- Jobs, and the mails that are sent by them.

-- The queue (docs/decisions/0027-jobs.md). A job says that something is to be done about one subject, of one kind; the
-- details are in the subject's own row. A kind and a subject have one job at a time, so a job never runs twice at the
-- same time.
create table jobs (
  tenant_id bigint not null references tenants (id), id bigserial not null,
  kind text not null, subject bigint not null,
  lane text not null,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'failed')),
  run_at timestamptz not null default now(),
  -- Counts every claim and never goes back: a worker with an older number has lost the job.
  attempt bigint not null default 0,
  -- The attempts that count.
  tries integer not null default 0,
  -- Whether the attempt before ended without a report.
  has_died boolean not null default false,
  -- Whether it was enqueued once more while it ran.
  is_asked_again boolean not null default false,
  worker text, lease_until timestamptz,
  enqueued_at timestamptz not null default now(),
  -- The receiver gave no answer: the job keeps its pause, whatever happens meanwhile.
  is_sparing boolean not null default false,
  primary key (tenant_id, id), unique (tenant_id, kind, subject)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index jobs_waiting on jobs (tenant_id, lane, run_at, id) where state = 'waiting';
create index jobs_running on jobs (lane, lease_until) where state = 'running';
call protect_tenant_table('jobs');

-- What a claim knows of the jobs of one lane. Only claims write it, one after the other, so nobody waits for a row.
create table lanes (
  tenant_id bigint not null references tenants (id),
  name text not null,
  -- No waiting job comes before this place of jobs_waiting, except those in lane_news.
  ready_at timestamptz not null default 'infinity', ready_id bigint not null default 0,
  served_at timestamptz not null default '-infinity',
  -- Failures in a row. From the fifth on the lane is closed for a while, and then open for one job at a time.
  failures integer not null default 0,
  closed_until timestamptz,
  primary key (tenant_id, name)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create index lanes_ready on lanes (ready_at);
call protect_tenant_table('lanes');

-- What enqueued, postponed and ended jobs mean for their lanes. Writers append and wait for nobody; the next claim
-- folds it into the lane.
create table lane_news (
  -- No reference to tenants: the job has one.
  tenant_id bigint not null, id bigserial not null,
  lane text not null,
  -- A job waits from then on.
  ready_at timestamptz,
  -- Whether the receiver answered (true) or failed to (false).
  answered boolean,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
call protect_tenant_table('lane_news');
-- Load functions: notify_lanes
create trigger tell_inserted after insert on jobs
  referencing new table as changed for each statement execute function notify_lanes();
create trigger tell_updated after update on jobs
  referencing new table as changed for each statement execute function notify_lanes();

-- claim_jobs runs as the owner; its parts do not.
-- Load functions: claim_jobs, renew_leases, fold_lane_news, lanes_to_serve, pick_jobs, finish_jobs
revoke all on function claim_jobs from public;
grant execute on function claim_jobs to liaison_app;

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
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id)
);
create index mails_attempted on mails (tenant_id, attempted_at);
create index mails_ended on mails (tenant_id, ended_at);
-- A second request for a new password, while the mail of the first waits, adds no mail.
create unique index mails_one_forgotten on mails (tenant_id, lower(email))
  where kind = 'forgotten-password' and state = 'waiting';
call protect_tenant_table('mails');
-- Load functions: enqueue_mails
create trigger enqueue_mails after insert on mails
  referencing new table as written for each statement execute function enqueue_mails();

grant usage on all sequences in schema public to liaison_app;
