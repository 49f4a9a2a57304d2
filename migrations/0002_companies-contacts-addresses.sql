-- Up Migration

create table companies (
  tenant_id bigint not null references tenants (id),
  id bigserial not null,
  name text not null,
  tax_id text,
  registration_number text,
  industry text,
  website text,
  phone text,
  email text,
  address text,
  city text,
  county text,
  country text not null,
  postal_code text,
  status text not null default 'prospect' check (status in ('active', 'inactive', 'prospect', 'churned')),
  status_code bigint,
  assigned_to bigint,
  notes text,
  managing_company text,
  employee_count integer check (employee_count >= 0),
  activity_domain text,
  fiscal_address text,
  delivery_notes text,
  callback_date date,
  wms_subdomain text,
  wms_api_key text,
  metadata jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  -- The unit separator keeps a match within one field: no query that contains it is ever sent.
  search_text text not null generated always as (
    fold(name || E'\x1f' || coalesce(tax_id, '') || E'\x1f' || coalesce(email, '') || E'\x1f' || coalesce(city, ''))
  ) stored,
  primary key (tenant_id, id),
  foreign key (tenant_id, assigned_to) references users (tenant_id, id)
-- Room on each page for the next version of a row, so that an update of a column without an index touches no index; and
-- vacuumed after one insert in fifty, because a walk over an index alone visits the table wherever that is overdue.
) with (fillfactor = 85, autovacuum_vacuum_insert_scale_factor = 0.02);

-- Decides who wins a tax_id; a deleted company's is free again.
create unique index companies_tax_id on companies (tenant_id, lower(tax_id)) where deleted_at is null;
-- What lists and searches walk. It carries all that they filter by, so that they never visit the wide rows of the
-- table: a search that matches every one of a million rows takes half the time.
create index companies_live on companies (tenant_id, id) include (search_text, status, assigned_to)
  where deleted_at is null;
create index companies_status on companies (tenant_id, status, id) where deleted_at is null;
create index companies_assigned_to on companies (tenant_id, assigned_to, id) where deleted_at is null;
-- The text before the tenant: the other way round PostgreSQL reads through the tenant's whole posting list (measured at
-- a million companies: 299 pages and 4.1 ms for three matches, instead of 33 and 0.35 ms).
-- A search reads the entries that are not merged yet one by one: a short list of them keeps it quick, and still
-- spares creates most of the cost of a merge.
create index companies_search on companies using gin (search_text gin_trgm_ops, tenant_id)
  with (gin_pending_list_limit = 256) where deleted_at is null;

create table contacts (
  tenant_id bigint not null references tenants (id),
  id bigserial not null,
  company_id bigint not null,
  first_name text not null,
  last_name text not null,
  email text,
  phone text,
  mobile text,
  position text,
  department text,
  job_title text,
  is_primary boolean not null default false,
  is_decision_maker boolean not null default false,
  preferred_language text not null default 'ro',
  notes text,
  birth_date date,
  gender text,
  timezone text,
  metadata jsonb,
  last_contacted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, company_id) references companies (tenant_id, id)
);
-- With the deleted ones, so that the foreign key finds its children by it too.
create index contacts_of_company on contacts (tenant_id, company_id, is_primary desc, (fold(first_name) collate "C"), id);

create table addresses (
  tenant_id bigint not null references tenants (id),
  id bigserial not null,
  company_id bigint not null,
  type text not null default 'other' check (type in ('fiscal', 'billing', 'delivery', 'office', 'other')),
  label text,
  address text not null,
  city text,
  county text,
  country text not null,
  postal_code text,
  contact_name text,
  phone text,
  delivery_notes text,
  is_default boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, company_id) references companies (tenant_id, id)
);
create index addresses_of_company on addresses (tenant_id, company_id, is_default desc, id);

call protect_tenant_table('companies');
call protect_tenant_table('contacts');
call protect_tenant_table('addresses');
grant usage on all sequences in schema public to liaison_app;
