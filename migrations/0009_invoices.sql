-- Invoices, with the warehouse orders that they became.

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
  -- When the state last changed; null: unknown.
  wms_moved_at timestamptz,
  -- When a person accepted the state as it is.
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
  -- When it was proved last that no warehouse has an order of the invoice
  -- (docs/decisions/0041-what-the-warehouse-may-have.md).
  wms_absent_at timestamptz,
  -- Until when a person has put the invoice's need off; null: nobody has, or the order has changed since.
  wms_put_off_until timestamptz,
  -- When a person last had the warehouse asked about its order.
  wms_checked_at timestamptz,
  external jsonb,
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
create index invoices_under_way on invoices (tenant_id, issued_on desc nulls last, id desc)
  where wms_shown in ('waiting', 'on_its_way', 'being_checked') or wms_shown like 'open:%';
create index invoices_by_shown on invoices (tenant_id, wms_shown, issued_on desc nulls last, id desc);
create index invoices_by_date on invoices (tenant_id, issued_on desc nulls last, id desc);
-- By the end of their numbers, which people remember.
create index invoices_by_number_ending on invoices (tenant_id, (reverse(lower(number)) collate "C"));
create index invoices_by_order_ending on invoices (tenant_id, (reverse(lower(wms_order_number)) collate "C"))
  where wms_order_number is not null;
create index invoices_of_company_by_date on invoices (tenant_id, company_id, issued_on desc nulls last, id desc);
-- Unconfirmed links are few.
create index invoices_to_confirm on invoices (tenant_id, id) where wms_shown = 'to_be_confirmed';
-- A company's list of one status, and the sums of its page. It comes after the index by date: of indexes that look
-- equally good PostgreSQL uses the newest, and by this one a list of one status reads no other status.
create index invoices_of_company_with_amounts
  on invoices (tenant_id, company_id, status, issued_on desc nulls last, id desc) include (total, currency, due_on);
create index invoices_put_off on invoices (tenant_id, wms_put_off_until) where wms_put_off_until is not null;
create index invoices_unpaid on invoices (tenant_id, due_on, id) where status = 'issued' and due_on is not null;
-- A company's orders under way and in need.
create index invoices_of_company_moving
  on invoices (tenant_id, company_id) include (wms_shown, wms_needs_at, wms_settled_at, wms_put_off_until)
  where (wms_shown in ('waiting', 'on_its_way', 'being_checked') or wms_shown like 'open:%') or wms_needs_at is not null;
create index invoices_of_company_by_wms_state on invoices
  (tenant_id, company_id, wms_state, issued_on desc nulls last, id desc);
-- The tabs of the orders, each in the order of its list. The conditions equal those of the statements, word for word.
create index invoices_unsent on invoices (tenant_id, issued_on desc nulls last, id desc)
  where wms_shown = 'not_sent' and status in ('issued', 'paid');
create index invoices_done on invoices (tenant_id, issued_on desc nulls last, id desc)
  where wms_shown like 'final:%' or wms_shown = 'cancelled';
create index invoices_in_draft on invoices (tenant_id, issued_on desc nulls last, id desc) where status = 'draft';
-- The conditions of needs are in the index, so counting needs reads nothing else. Without them PostgreSQL reads all
-- orders that move (invoices_of_company_moving), and sorts those in need.
create index invoices_needing on invoices (tenant_id, wms_needs_at)
  include (wms_shown, wms_settled_at, wms_put_off_until) where wms_needs_at is not null;
call protect_tenant_table('invoices');

-- The history records that lines changed, and no text, because they may be long. It leaves out the progress of sending,
-- but not the order. A check is no change of the invoice; a need that is put off is recorded, with the person.
comment on column invoices.lines is 'history: encrypted';
comment on column invoices.wms_state is 'history: hidden';
comment on column invoices.wms_error is 'history: hidden';
comment on column invoices.wms_attempt is 'history: hidden';
comment on column invoices.wms_synced_at is 'history: hidden';
comment on column invoices.wms_updated_at is 'history: hidden';
comment on column invoices.wms_open_since is 'history: hidden';
comment on column invoices.wms_open_instance is 'history: hidden';
comment on column invoices.wms_open_source is 'history: hidden';
comment on column invoices.wms_absent_at is 'history: hidden';
comment on column invoices.wms_trace is 'history: hidden';
comment on column invoices.wms_poll_at is 'history: hidden';
comment on column invoices.wms_poll_every is 'history: hidden';
comment on column invoices.wms_owns_order is 'history: hidden';
comment on column invoices.wms_is_final is 'history: hidden';
comment on column invoices.wms_moved_at is 'history: hidden';
comment on column invoices.edited_at is 'history: hidden';
comment on column invoices.wms_checked_at is 'history: hidden';
call keep_history('invoices', 'invoice');

-- What the database derives when an invoice is written, step by step: the automatic queueing, the followed order, the
-- state, and the version that If-Match compares. The conditions let other writes pass: they name what the steps read.
-- Load functions: sends_automatically, warehouse_of_company, invoices_before_insert, invoices_before_update
create trigger before_insert before insert on invoices for each row
  when (new.wms_order_id is not null or new.wms_state = 'sent' or (new.wms_state = 'not_sent' and new.status in ('issued', 'paid')))
  execute function invoices_before_insert();
create trigger before_update before update on invoices for each row
  when ((old.company_id, old.number, old.issued_on, old.due_on, old.total::text, old.currency, old.status, old.lines,
      old.external, old.wms_state, old.wms_status, old.wms_gone_at is null, old.wms_order_id, old.wms_instance)
    is distinct from (new.company_id, new.number, new.issued_on, new.due_on, new.total::text, new.currency, new.status,
      new.lines, new.external, new.wms_state, new.wms_status, new.wms_gone_at is null, new.wms_order_id, new.wms_instance))
  execute function invoices_before_update();

create trigger external_created after insert on invoices for each row
  when (new.external is not null) execute function keep_external_ids('invoice');
create trigger external_updated after update of external on invoices for each row
  when (new.external is distinct from old.external) execute function keep_external_ids('invoice');
create trigger external_removed after delete on invoices for each row
  when (old.external is not null) execute function keep_external_ids('invoice');

-- The jobs that send and follow, in the transaction of their cause.
-- Load functions: enqueue_wms_jobs, wms_jobs_of_created
create trigger wms_jobs_created after insert on invoices
  referencing new table as written for each statement execute function wms_jobs_of_created();

-- Load functions: find_invoices
revoke all on function find_invoices from public;
grant execute on function find_invoices to liaison_app;
grant usage on all sequences in schema public to liaison_app;
