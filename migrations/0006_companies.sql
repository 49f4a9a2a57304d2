-- Companies, their external ids, counts and searches, and the warehouses that their invoices are sent to.

-- The external ids of all resources. The column `external` of a resource is the truth. This table follows it by
-- triggers, makes the ids of live resources unique, and finds a resource by its id.
create table external_ids (
  -- No reference to tenants: the resource has one.
  tenant_id bigint not null,
  type text collate "C" not null,
  source text collate "C" not null,
  external_id text collate "C" not null,
  resource_id bigint not null,
  primary key (tenant_id, type, source, external_id)
);
call protect_tenant_table('external_ids');
-- Load functions: merge_external_ids, claim_external_ids, release_external_ids, write_external_ids
-- Load functions: keep_external_ids, hide_external_ids

create table companies (
  tenant_id bigint not null references tenants (id), id bigserial not null,
  name text not null,
  tax_id text, registration_number text, industry text,
  website text, phone text, email text,
  address text, city text, county text, country text not null, postal_code text,
  status text not null default 'prospect' check (status in ('active', 'inactive', 'prospect', 'churned')),
  status_code bigint,
  assigned_to bigint,
  notes text, managing_company text, employee_count integer check (employee_count >= 0), activity_domain text,
  fiscal_address text, delivery_notes text,
  callback_date date,
  wms_subdomain text, wms_api_key text,
  metadata jsonb,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(), deleted_at timestamptz,
  -- The unit separator keeps a match within one field: no query that contains it is ever sent.
  search_text text not null generated always as (
    fold(name || E'\x1f' || coalesce(tax_id, '') || E'\x1f' || coalesce(email, '') || E'\x1f' || coalesce(city, ''))
  ) stored,
  -- The last writer, as changes.changed_by has it. A writer sets it in its own statement: a transaction may belong to
  -- many callers, so it cannot be a setting of the transaction.
  changed_by text,
  -- The connection to the warehouse: whether invoices are sent automatically, and who wrote the key when.
  wms_send_automatically boolean not null default false,
  wms_key_set_at timestamptz,
  wms_key_set_by text,
  -- The newest activity but a note. Activities report it, so it is no change of the company.
  last_contacted_at timestamptz,
  -- When a person said last that no lost order of the company is at the warehouses that it was connected with before.
  wms_former_checked_at timestamptz,
  -- When the warehouse last refused the key; null since a call worked, or another key was saved.
  wms_key_refused_at timestamptz,
  -- Whether the company's invoices are sent to no warehouse, not even to the workspace's.
  wms_never boolean not null default false,
  -- The ids that other systems gave to the company: {"source": "id"}, null if there are none.
  external jsonb,
  primary key (tenant_id, id), foreign key (tenant_id, assigned_to) references users (tenant_id, id)
-- Each page has room for the next version of a row, so an update of a column without an index touches no index.
-- Vacuumed after one insert in fifty, because a walk over an index alone visits the table where that is overdue.
) with (fillfactor = 85, autovacuum_vacuum_insert_scale_factor = 0.02);

create index companies_status on companies (tenant_id, status, id) where deleted_at is null;
create index companies_assigned_to on companies (tenant_id, assigned_to, id) where deleted_at is null;
-- The text comes before the tenant: otherwise PostgreSQL reads through the tenant's whole posting list (measured at a
-- million companies: 299 pages and 4.1 ms for three matches, instead of 33 and 0.35 ms). An import merges the pending
-- list after a thousand companies, in 1.5 MB. The limit is above that, for when no import does.
create index companies_search on companies using gin (search_text gin_trgm_ops, tenant_id)
  with (gin_pending_list_limit = 2048) where deleted_at is null;
-- Decides who wins a tax id, in whichever way its accents are composed. A deleted company's is free again.
create unique index companies_tax_id on companies (tenant_id, lower(normalize(tax_id, NFC))) where deleted_at is null;
-- The order of names, without case and accents: a folded text begins with the folded name. With the columns that lists
-- filter by, so that a page of a large tenant reads the wide rows for itself alone.
create index companies_by_name on companies (tenant_id, (search_text collate "C"), id) include (status, assigned_to)
  where deleted_at is null;
create index companies_deleted on companies (tenant_id, deleted_at, id) where deleted_at is not null;
-- Lists and searches walk it. It has all that they filter by, so they never visit the wide rows: a search that matches
-- each of a million rows takes half the time. Of indexes that look equally good PostgreSQL uses the newest: so it is
-- made behind the others that could find a company by its id (docs/decisions/0040-one-plan-for-every-tenant.md).
create index companies_live on companies (tenant_id, id) include (search_text, status, assigned_to)
  where deleted_at is null;
-- Phones by their digests, which stand behind the ciphertext: `<key id>:<ciphertext>=<digests>`.
create index companies_by_phone on companies (tenant_id, (split_part(phone, '=', 2) collate "C"))
  where deleted_at is null and phone is not null;
create index companies_to_call on companies (tenant_id, callback_date, id) where deleted_at is null and callback_date is not null;
-- A new or imported company adds no entry.
create index companies_by_last_contact on companies (tenant_id, last_contacted_at, id)
  where deleted_at is null and last_contacted_at is not null;
-- The names of a workspace's warehouses, each with a company that has a key for it: after a loss, an invoice's order is
-- looked up in all of them (docs/decisions/0041-what-the-warehouse-may-have.md).
create index companies_by_warehouse on companies (tenant_id, lower(wms_subdomain), id)
  where wms_api_key is not null and deleted_at is null and wms_key_refused_at is null;
call protect_tenant_table('companies');

-- Of the history of companies. Their connection to the warehouse has a history of its own.
comment on column companies.phone is 'history: encrypted';
comment on column companies.wms_api_key is 'history: hidden';
comment on column companies.wms_key_set_at is 'history: hidden';
comment on column companies.wms_key_set_by is 'history: hidden';
comment on column companies.wms_key_refused_at is 'history: hidden';
comment on column companies.wms_send_automatically is 'history: hidden';
comment on column companies.wms_former_checked_at is 'history: hidden';
comment on column companies.wms_never is 'history: hidden';
comment on column companies.last_contacted_at is 'history: hidden';
call keep_history('companies', 'company');

-- Deleted companies keep their external ids, which are free for others meanwhile.
create trigger external_created after insert on companies for each row
  when (new.external is not null and new.deleted_at is null) execute function keep_external_ids('company');
create trigger external_hidden before update of deleted_at on companies for each row
  when ((new.deleted_at is null) <> (old.deleted_at is null)) execute function hide_external_ids('company');
create trigger external_removed after delete on companies for each row
  when (old.external is not null) execute function keep_external_ids('company');

-- How many companies a tenant has, exactly: to count them costs many times as much as the page that shows the number. A
-- change of the counts is appended, and later folded into a new row of sums. Counters that are updated in place leave a
-- dead version behind at each write, and lists would read through them during every long snapshot.
--
-- A writer appends to the generation of the newest sums that it sees. The sums say which generation is the oldest that
-- anybody may still append to (`oldest`): readers begin there. The counts are the newest visible sums plus all visible
-- changes from there on. That is exact, because folded changes are deleted in the transaction that adds them to the
-- sums.
create table company_count_changes (
  -- No reference to tenants: the counted company has one.
  tenant_id bigint not null,
  generation bigint not null,
  id bigserial not null,
  -- 4,096 consecutive ids. A deep page begins near its first row instead of walking there.
  block bigint not null, status text not null, n bigint not null,
  primary key (tenant_id, generation, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
call protect_tenant_table('company_count_changes');

-- A tenant's live companies: `total` in all, `totals` by status, and n of each block and status in three arrays.
create table company_count_sums (
  tenant_id bigint not null references tenants (id),
  generation bigint not null,
  oldest bigint not null default 0,
  -- When every transaction before `closing_xid` is over, nobody appends to a generation below `closing` any more.
  closing bigint not null default 0,
  closing_xid xid8,
  total bigint not null, totals jsonb not null,
  blocks bigint[] not null, statuses text[] not null, counts bigint[] not null,
  primary key (tenant_id, generation)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500,
  toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 5000);
call protect_tenant_table('company_count_sums');
-- Load functions: append_company_count, count_companies, fold_company_counts
create trigger count_inserted after insert on companies
  referencing new table as changed for each statement execute function count_companies();
create trigger count_removed after delete on companies
  referencing old table as changed for each statement execute function count_companies();
create trigger fold before insert on company_count_sums
  for each row when (new.generation is null) execute function fold_company_counts();

-- The counts by block and status; block -1 is the whole tenant.
create view company_counts with (security_invoker) as
  with newest as (
    select distinct on (tenant_id) * from company_count_sums order by tenant_id, generation desc
  ), counted as (
    select newest.tenant_id, summed.* from newest, unnest(blocks, statuses, counts) as summed (block, status, n)
    union all
    select c.tenant_id, c.block, c.status, c.n from company_count_changes c
  )
  select tenant_id, block, status, n from counted
  union all
  select tenant_id, -1, status, n from counted;
grant select on company_counts to liaison_app;

-- All else that follows an update, step by step. Without a condition, which PostgreSQL would parse for each statement:
-- one of these seven columns made a new status of one company 5% slower. An unchanged status costs 1.3 microseconds.
-- Load functions: note_children, move_company_count, companies_after_update
create trigger after_update
  after update of status, deleted_at, external, wms_key_set_at, wms_send_automatically, wms_former_checked_at, wms_never
  on companies for each row execute function companies_after_update();

-- The workspace's own connection to a warehouse, for companies without their own
-- (docs/decisions/0074-one-warehouse.md). A tenant has one row at most. It stays when the connection is removed:
-- after a loss, it shows that invoices of any company may have been sent. The columns have the names of those of
-- companies.
create table workspace_warehouses (
  tenant_id bigint not null references tenants (id), id bigserial not null,
  wms_subdomain text, wms_api_key text,
  wms_send_automatically boolean not null default false,
  wms_key_set_at timestamptz,
  wms_key_set_by text,
  -- When the warehouse last refused the key; null since a call worked, or another key was saved.
  wms_key_refused_at timestamptz,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  changed_by text,
  primary key (tenant_id, id),
  unique (tenant_id),
  check ((wms_subdomain is null) = (wms_api_key is null))
);
call protect_tenant_table('workspace_warehouses');
create trigger connection_written
  after insert or update of wms_subdomain, wms_key_set_at, wms_send_automatically on workspace_warehouses
  for each row execute function keep_row_history(
    'workspace', 'wms_subdomain,wms_key_set_at,wms_send_automatically', '', '{"wms_send_automatically": false}');

-- Look-ups and searches.
-- Load functions: company_ids_by_tax_id, company_ids_by_name, matching_company_ids, search_companies_by_walk
-- Load functions: search_companies_by_trigram, search_companies, merge_company_search, find_companies
-- Load functions: find_companies_by_trigram, find_companies_with_a_typo, one_typo_patterns, one_typo_patterns_among
revoke all on function company_ids_by_tax_id, company_ids_by_name, matching_company_ids, search_companies,
  search_companies_by_walk, search_companies_by_trigram, merge_company_search, find_companies, find_companies_by_trigram,
  find_companies_with_a_typo, one_typo_patterns_among from public;
grant execute on function company_ids_by_tax_id, company_ids_by_name, matching_company_ids, search_companies, merge_company_search,
  find_companies to liaison_app;
grant usage on all sequences in schema public to liaison_app;
