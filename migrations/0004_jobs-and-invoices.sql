-- Jobs, and invoices with the warehouse orders that they became.

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

-- Load functions: tell_lanes
create trigger tell_inserted after insert on jobs
  referencing new table as changed for each statement execute function tell_lanes();
create trigger tell_updated after update on jobs
  referencing new table as changed for each statement execute function tell_lanes();
-- Load functions: claim_jobs, finish_jobs
revoke all on function claim_jobs from public;
grant execute on function claim_jobs to liaison_app;

create table invoices (
  tenant_id bigint not null references tenants (id), id bigserial not null,
  company_id bigint not null,
  number text not null,
  issued_on date, due_on date,
  total numeric, currency text,
  status text not null default 'issued' check (status in ('draft', 'issued', 'paid', 'cancelled')),
  -- The warehouse order that the invoice became. (wms_instance, wms_order_id) identifies it across systems.
  wms_instance text, wms_order_id bigint, wms_order_number text, wms_status text, wms_synced_at timestamptz,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  changed_by text,
  -- JSON, an array of objects with a `position` and a line's fields as texts; null: there are none
  -- (docs/decisions/0031-lines-in-the-invoice.md).
  lines text,
  -- How far the invoice is on its way to the warehouse.
  wms_state text not null default 'not_sent' check (wms_state in ('not_sent', 'queued', 'sending', 'unknown', 'sent', 'failed')),
  -- Why it failed, or what is wrong with its order, for people.
  wms_error text,
  -- The number of the last attempt to send it that was recorded; 0: there was none.
  wms_attempt integer not null default 0,
  -- The order's own updated_at, as the warehouse reported it last.
  wms_updated_at timestamptz,
  -- When an attempt with an unknown outcome ended; null: nothing is open. No order is created until it is known whether
  -- that attempt made one (docs/decisions/0032-sending.md).
  wms_open_since timestamptz,
  -- Where that attempt was made. It stays when the attempt is over: a lost order is looked for there.
  wms_open_instance text,
  -- When the order is asked for next; null: it is not followed. And the seconds until then, which double while nothing
  -- changes.
  wms_poll_at timestamptz, wms_poll_every integer,
  -- Whether the link was made by sending or confirming. An order belongs to one such invoice; imported links may share
  -- one (docs/decisions/0041-what-the-warehouse-may-have.md).
  wms_owns_order boolean not null default false,
  -- The external_source of the last attempt. The setting that it comes from may have changed since.
  wms_open_source text,
  -- Whether the order's status was one of LIAISON_WMS_FINAL when a worker read it; null: no worker has read it since it
  -- was written.
  wms_is_final boolean,
  -- Since when the warehouse no longer has the order; null: it has it, as far as known.
  wms_gone_at timestamptz,
  -- Since when it stands as it does; null: since before this was recorded.
  wms_moved_at timestamptz,
  -- When a person said that it is right so.
  wms_settled_at timestamptz,
  -- The state that pages and the API show, made from both sides (docs/decisions/0051-one-truth-about-an-order.md). The
  -- status of the order stands behind `open:`, or behind `final:` if it is the last. Citus cannot read its own output
  -- of `case x when y`.
  wms_shown text not null generated always as (
    case
      when wms_order_id is null then
        case when wms_state = 'queued' then 'waiting' when wms_state = 'sending' then 'on_its_way'
          when wms_state = 'unknown' then 'being_checked' when wms_state = 'failed' then 'refused' else 'not_sent' end
      when wms_instance is null then 'to_be_confirmed'
      when wms_gone_at is not null then 'gone'
      when lower(wms_status) in ('cancelled', 'canceled') then
        case when status = 'cancelled' then 'cancelled' else 'cancelled_there' end
      when coalesce(wms_is_final, lower(wms_status) in ('shipped', 'delivered', 'completed', 'closed'))
        then 'final:' || translate(lower(left(wms_status, 100)), ' -', '__')
      else 'open:' || coalesce(translate(lower(left(wms_status, 100)), ' -', '__'), '')
    end) stored,
  -- From when on it needs a person; null: it does not. Sums are made in UTC, because sums of a time zone are not
  -- immutable.
  wms_needs_at timestamptz generated always as (
    case
      when wms_order_id is null then
        case
          when wms_state = 'failed' then coalesce(wms_moved_at, created_at)
          when wms_state = 'unknown' then
            timezone('UTC', timezone('UTC', coalesce(wms_open_since, wms_moved_at, created_at)) + interval '1 hour')
        end
      when wms_instance is null then coalesce(wms_moved_at, wms_synced_at, created_at)
      when wms_gone_at is not null or lower(wms_status) in ('cancelled', 'canceled') then
        case when wms_settled_at is null and (wms_gone_at is not null or status <> 'cancelled')
          then coalesce(wms_moved_at, wms_updated_at, wms_synced_at, created_at) end
      when coalesce(wms_is_final, lower(wms_status) in ('shipped', 'delivered', 'completed', 'closed'), false) then null
      else timezone('UTC', timezone('UTC', coalesce(wms_moved_at, wms_updated_at, wms_synced_at, created_at)) + interval '3 days')
    end) stored,
  -- When it was last changed by anybody but its warehouse: the version that If-Match compares. `updated_at` moves with
  -- the order too.
  edited_at timestamptz not null default now(),
  -- The trace of the request that queued it, for the calls to its warehouse.
  wms_trace text,
  primary key (tenant_id, id),
  unique (tenant_id, number),
  foreign key (tenant_id, company_id) references companies (tenant_id, id)
);

-- Orders of a company's list.
create index invoices_wms_orders on invoices (tenant_id, company_id, wms_synced_at desc nulls last, id)
  where wms_order_id is not null;
create index invoices_by_wms_state on invoices (tenant_id, wms_state, id);
-- A company's orders that are followed, in the order in which they are due.
create index invoices_followed on invoices (tenant_id, company_id, wms_poll_at, id) where wms_poll_at is not null;
-- An order belongs to one invoice: confirming a link looks for others of its order.
create index invoices_by_wms_order on invoices (tenant_id, wms_order_id) where wms_order_id is not null;
create unique index invoices_owning_order on invoices (tenant_id, wms_instance, wms_order_id) where wms_owns_order;
create index invoices_in_need on invoices (tenant_id, wms_needs_at) where wms_needs_at is not null;
create index invoices_under_way on invoices (tenant_id, issued_on desc nulls last, id desc)
  where wms_shown in ('waiting', 'on_its_way', 'being_checked') or wms_shown like 'open:%';
create index invoices_by_shown on invoices (tenant_id, wms_shown, issued_on desc nulls last, id desc);
create index invoices_by_date on invoices (tenant_id, issued_on desc nulls last, id desc);
-- By the end of their numbers, which people remember.
create index invoices_by_number_ending on invoices (tenant_id, (reverse(lower(number)) collate "C"));
create index invoices_by_order_ending on invoices (tenant_id, (reverse(lower(wms_order_number)) collate "C"))
  where wms_order_number is not null;
create index invoices_of_company_by_date on invoices (tenant_id, company_id, issued_on desc nulls last, id desc);
-- Behind the one by date: of indexes that look equally good PostgreSQL uses the newest, and by this one a list of one
-- status reads no other status.
create index invoices_of_company_by_status on invoices (tenant_id, company_id, status, issued_on desc nulls last, id desc);
-- Unconfirmed links are few.
create index invoices_to_confirm on invoices (tenant_id, id) where wms_shown = 'to_be_confirmed';
call protect_tenant_table('invoices');

-- The history tells of lines that they changed, because they may be long. It leaves out the progress of sending, but
-- not the order.
call keep_history('invoices', 'invoice', encrypted => '{lines}', hidden =>
  '{wms_state,wms_error,wms_attempt,wms_synced_at,wms_updated_at,wms_open_since,wms_open_instance,wms_open_source,wms_poll_at,wms_poll_every,wms_owns_order,wms_is_final,wms_moved_at,edited_at,wms_trace}');
-- Load functions: mark_edited
create trigger edited before update on invoices for each row
  when ((old.company_id, old.number, old.issued_on, old.due_on, old.total::text, old.currency, old.status, old.lines)
    is distinct from (new.company_id, new.number, new.issued_on, new.due_on, new.total::text, new.currency, new.status, new.lines))
  execute function mark_edited();

-- An invoice with an order is sent, and one without is not, whoever writes the order.
-- Load functions: follow_wms_order
create trigger wms_state before insert or update on invoices
  for each row when ((new.wms_order_id is null) = (new.wms_state = 'sent')) execute function follow_wms_order();

-- An invoice that becomes sendable is queued in the statement that writes it, if its company's connection says so. It
-- becomes sendable by its status, or by moving to such a company.
-- Load functions: queue_automatically
create trigger wms_automatic_created before insert on invoices for each row
  when (new.wms_state = 'not_sent' and new.wms_order_id is null and new.status in ('issued', 'paid'))
  execute function queue_automatically();
create trigger wms_automatic_updated before update of status, company_id on invoices for each row
  when (new.wms_state = 'not_sent' and new.wms_order_id is null and new.status in ('issued', 'paid')
    and (old.status not in ('issued', 'paid') or old.company_id <> new.company_id))
  execute function queue_automatically();

-- A written link with an instance is followed from then on.
-- Load functions: follow_given_order
create trigger wms_given_created before insert on invoices for each row
  when (new.wms_order_id is not null and new.wms_instance is not null and new.wms_poll_at is null)
  execute function follow_given_order();
create trigger wms_given_updated before update on invoices for each row
  when (new.wms_order_id is not null and new.wms_instance is not null and new.wms_poll_at is null
    and (old.wms_order_id is distinct from new.wms_order_id or old.wms_instance is distinct from new.wms_instance))
  execute function follow_given_order();

-- A link that is written over a sent or confirmed one comes from elsewhere.
-- Load functions: disown_order
create trigger wms_disowned before update on invoices for each row
  when (old.wms_owns_order and new.wms_owns_order
    and (old.wms_order_id is distinct from new.wms_order_id or old.wms_instance is distinct from new.wms_instance))
  execute function disown_order();

-- An invoice that stands otherwise than before does so from now on, and what a person said of it is over.
-- Load functions: move_order
create trigger wms_moved before update on invoices for each row
  when (old.wms_state <> new.wms_state or old.wms_status is distinct from new.wms_status or (old.wms_gone_at is null) <> (new.wms_gone_at is null)
    or old.wms_order_id is distinct from new.wms_order_id or old.wms_instance is distinct from new.wms_instance)
  execute function move_order();

-- The jobs that send and follow, in the transaction of their cause.
-- Load functions: enqueue_wms_jobs, wms_jobs_of_created, wms_jobs_of_updated
create trigger wms_jobs_created after insert on invoices
  referencing new table as written for each statement execute function wms_jobs_of_created();
create trigger wms_jobs_updated after update on invoices
  referencing old table as overwritten new table as written for each statement execute function wms_jobs_of_updated();

-- Load functions: find_invoices
revoke all on function find_invoices from public;
grant execute on function find_invoices to liaison_app;
grant usage on all sequences in schema public to liaison_app;
