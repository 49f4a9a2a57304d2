-- Companies, their counts and their search; contacts, addresses, activities, and records that hold a company back from
-- deletion.

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
  -- The newest activity but a note. Activities tell of it, so it is no change of the company.
  last_contacted_at timestamptz,
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
call protect_tenant_table('companies');

-- The history of companies. Their connection has a history of its own.
call keep_history('companies', 'company', encrypted => '{phone}', hidden =>
  '{wms_api_key,wms_key_set_at,wms_key_set_by,wms_send_automatically,last_contacted_at}');
-- Load functions: keep_connection_history
create trigger connection_updated after update of wms_key_set_at, wms_send_automatically on companies for each row
  when (old.wms_key_set_at is distinct from new.wms_key_set_at or old.wms_send_automatically <> new.wms_send_automatically)
  execute function keep_connection_history();

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
-- Load functions: append_company_count, count_companies, count_updated_company, fold_company_counts
create trigger count_inserted after insert on companies
  referencing new table as changed for each statement execute function count_companies();
create trigger count_removed after delete on companies
  referencing old table as changed for each statement execute function count_companies();
-- Most updates change neither column: the condition costs them nothing.
create trigger count_updated after update of status, deleted_at on companies
  for each row when (old.status <> new.status or old.deleted_at is distinct from new.deleted_at)
  execute function count_updated_company();
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

-- Filters of the list of companies, saved under a name by one user, for this user or for all: a query string in one
-- spelling, so that the list recognises the view that it shows.
create table company_views (
  tenant_id bigint not null references tenants (id), id bigserial not null,
  user_id bigint not null,
  is_for_all boolean not null default false,
  name text not null, filters text not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id), foreign key (tenant_id, user_id) references users (tenant_id, id)
);
create unique index company_views_own on company_views (tenant_id, user_id, name) where not is_for_all;
create unique index company_views_for_all on company_views (tenant_id, name) where is_for_all;
call protect_tenant_table('company_views');

create table contacts (
  tenant_id bigint not null references tenants (id), id bigserial not null,
  company_id bigint not null,
  first_name text not null, last_name text not null,
  email text, phone text, mobile text,
  position text, department text, job_title text,
  is_primary boolean not null default false, is_decision_maker boolean not null default false,
  preferred_language text not null default 'ro',
  notes text, birth_date date, gender text, timezone text, metadata jsonb,
  last_contacted_at timestamptz,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(), deleted_at timestamptz,
  changed_by text,
  primary key (tenant_id, id), foreign key (tenant_id, company_id) references companies (tenant_id, id)
);
-- With the deleted ones, so that the foreign key finds its children by it too.
create index contacts_of_company on contacts (tenant_id, company_id, is_primary desc, (fold(first_name) collate "C"), id);
create index contacts_by_phone on contacts (tenant_id, (split_part(phone, '=', 2) collate "C"))
  where deleted_at is null and phone is not null;
create index contacts_by_mobile on contacts (tenant_id, (split_part(mobile, '=', 2) collate "C"))
  where deleted_at is null and mobile is not null;
create index contacts_by_name on contacts (tenant_id, (fold(first_name || ' ' || last_name) collate "C"), id) where deleted_at is null;
create index contacts_by_last_name on contacts (tenant_id, (fold(last_name || ' ' || first_name) collate "C")) where deleted_at is null;
create index contacts_by_email on contacts (tenant_id, (fold(email) collate "C")) where deleted_at is null and email is not null;
create index contacts_by_last_contact on contacts (tenant_id, last_contacted_at desc nulls last, id desc) where deleted_at is null;
call protect_tenant_table('contacts');
call keep_history('contacts', 'contact', encrypted => '{phone,mobile}', hidden => '{}');

create table addresses (
  tenant_id bigint not null references tenants (id), id bigserial not null,
  company_id bigint not null,
  type text not null default 'other' check (type in ('fiscal', 'billing', 'delivery', 'office', 'other')),
  label text,
  address text not null, city text, county text, country text not null, postal_code text,
  contact_name text, phone text, delivery_notes text,
  is_default boolean not null default false,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(), deleted_at timestamptz,
  changed_by text,
  primary key (tenant_id, id), foreign key (tenant_id, company_id) references companies (tenant_id, id)
);
create index addresses_of_company on addresses (tenant_id, company_id, is_default desc, id);
create index addresses_by_phone on addresses (tenant_id, (split_part(phone, '=', 2) collate "C"))
  where deleted_at is null and phone is not null;
call protect_tenant_table('addresses');
call keep_history('addresses', 'address', encrypted => '{phone}', hidden => '{}');

-- Notes, calls, e-mails and meetings, with a contact or with the company.
create table activities (
  tenant_id bigint not null references tenants (id), id bigserial not null,
  company_id bigint not null,
  contact_id bigint,
  kind text not null check (kind in ('note', 'call', 'email', 'meeting')),
  note text,
  -- The same as the contact's last_contacted_at.
  at timestamptz not null,
  changed_by text not null,
  primary key (tenant_id, id), foreign key (tenant_id, contact_id) references contacts (tenant_id, id)
);
create index activities_of_contact on activities (tenant_id, contact_id, at, id);
create index activities_of_company on activities (tenant_id, company_id, at, id);
call protect_tenant_table('activities');

-- Four kinds of record that hold a company back from deletion, of one shape.
do $$
declare
  kind text;
begin
  foreach kind in array array['offers', 'deals', 'tickets', 'subscriptions'] loop
    execute format('
      create table %1$I (
        tenant_id bigint not null references tenants (id), id bigserial not null,
        company_id bigint not null,
        number text, title text, status text,
        amount numeric, currency text,
        starts_on date, ends_on date,
        created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
        changed_by text,
        primary key (tenant_id, id),
        check (number is not null or title is not null),
        foreign key (tenant_id, company_id) references companies (tenant_id, id)
      );
      create index %2$I on %1$I (tenant_id, company_id)', kind, kind || '_of_company');
  end loop;
end
$$;
call protect_tenant_table('offers');
call protect_tenant_table('deals');
call protect_tenant_table('tickets');
call protect_tenant_table('subscriptions');

-- Look-ups, pages and searches of companies and contacts.
-- Load functions: company_ids_by_tax_id, few_companies, contacts_behind, addresses_behind, search_companies
-- Load functions: search_companies_by_walk, search_companies_by_trigram, merge_company_search
-- Load functions: find_phones, find_companies, find_companies_by_trigram, find_companies_but_for_a_letter
-- Load functions: but_for_a_letter, but_for_a_letter_among, find_contacts, search_contacts
revoke all on function company_ids_by_tax_id, few_companies, contacts_behind, search_companies, search_companies_by_walk,
  search_companies_by_trigram, merge_company_search, find_phones, find_companies, find_companies_by_trigram,
  find_companies_but_for_a_letter, but_for_a_letter_among, find_contacts, search_contacts from public;
grant execute on function company_ids_by_tax_id, few_companies, contacts_behind, search_companies, merge_company_search,
  find_phones, find_companies, find_contacts, search_contacts to liaison_app;
grant usage on all sequences in schema public to liaison_app;
