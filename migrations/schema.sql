-- The current schema, which `npm run schema` makes from the catalogue of a new database. Nothing executes
-- this file: the migrations beside it make the schema. The bodies of functions are in functions/; `keep_history`
-- generates those that are named after a table.

create table activities (
  tenant_id bigint not null,
  id bigint default nextval('activities_id_seq'::regclass) not null,
  company_id bigint not null,
  contact_id bigint,
  kind text not null,
  note text,
  at timestamp with time zone not null,
  changed_by text not null,
  callback_date date,
  told_at timestamp with time zone
);
alter table activities add constraint activities_kind_check check ((kind = any (array['note'::text, 'call'::text, 'call_in'::text, 'email'::text, 'meeting'::text])));
alter table activities add constraint activities_pkey primary key (tenant_id, id);
alter table activities add constraint activities_tenant_id_contact_id_fkey foreign key (tenant_id, contact_id) references contacts(tenant_id, id);
alter table activities add constraint activities_tenant_id_fkey foreign key (tenant_id) references tenants(id);
create index activities_by_time on activities (tenant_id, at, id);
create index activities_by_words on activities using gin (activity_words(tenant_id, note), tenant_id) with (fastupdate=off) where (note is not null);
create index activities_of_company on activities (tenant_id, company_id, at, id);
create index activities_of_contact on activities (tenant_id, contact_id, at, id);
create index activities_that_tell on activities (tenant_id, company_id, told_at);
alter table activities enable row level security;
create policy tenant on activities as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table addresses (
  tenant_id bigint not null,
  id bigint default nextval('addresses_id_seq'::regclass) not null,
  company_id bigint not null,
  type text default 'other'::text not null,
  label text,
  address text not null,
  city text,
  county text,
  country text not null,
  postal_code text,
  contact_name text,
  phone text,
  delivery_notes text,
  is_default boolean default false not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  changed_by text,
  external jsonb
);
alter table addresses add constraint addresses_pkey primary key (tenant_id, id);
alter table addresses add constraint addresses_tenant_id_company_id_fkey foreign key (tenant_id, company_id) references companies(tenant_id, id);
alter table addresses add constraint addresses_tenant_id_fkey foreign key (tenant_id) references tenants(id);
alter table addresses add constraint addresses_type_check check ((type = any (array['fiscal'::text, 'billing'::text, 'delivery'::text, 'office'::text, 'other'::text])));
create index addresses_by_further_phone on addresses using gin (phone_endings(tenant_id, phone), tenant_id) with (fastupdate=off) where ((deleted_at is null) and (split_part(phone, '='::text, 3) <> ''::text));
create index addresses_by_phone on addresses (tenant_id, split_part(phone, '='::text, 2) collate "C") where ((deleted_at is null) and (phone is not null));
create index addresses_of_company on addresses (tenant_id, company_id, is_default desc, id);
create index addresses_with_external_ids on addresses (tenant_id, company_id) where (external is not null);
comment on column addresses.phone is 'history: encrypted';
create trigger changes_created after insert on addresses referencing new table as written for each statement execute function addresses_created();
create trigger changes_updated after update on addresses for each row execute function addresses_updated();
create trigger external_created after insert on addresses for each row when (((new.external is not null) and (new.deleted_at is null))) execute function keep_external_ids('address', 'of company');
create trigger external_hidden before update of deleted_at on addresses for each row when ((((new.deleted_at is null) <> (old.deleted_at is null)) and (new.external is not null))) execute function hide_external_ids('address');
create trigger external_removed after delete on addresses for each row when ((old.external is not null)) execute function keep_external_ids('address');
create trigger external_updated after update of external on addresses for each row when (((new.external is distinct from old.external) and (new.deleted_at is null) and (old.deleted_at is null))) execute function keep_external_ids('address', 'of company');
alter table addresses enable row level security;
create policy tenant on addresses as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table alike_pairs (
  tenant_id bigint not null,
  id bigint default nextval('alike_pairs_id_seq'::regclass) not null,
  one_id bigint not null,
  other_id bigint not null,
  evidence text[] not null,
  place smallint not null
);
alter table alike_pairs add constraint alike_pairs_pkey primary key (tenant_id, id);
alter table alike_pairs add constraint alike_pairs_tenant_id_fkey foreign key (tenant_id) references tenants(id);
alter table alike_pairs add constraint alike_pairs_tenant_id_one_id_other_id_key unique (tenant_id, one_id, other_id);
create index alike_pairs_in_order on alike_pairs (tenant_id, place, id);
create index alike_pairs_of_other on alike_pairs (tenant_id, other_id);
alter table alike_pairs enable row level security;
create policy tenant on alike_pairs as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table alike_progress (
  tenant_id bigint not null,
  id bigint default 0 not null,
  walked_id bigint default 0 not null,
  is_walked boolean default false not null,
  seen_at timestamp with time zone default now() not null,
  seen_id bigint default 0 not null,
  caught_up_at timestamp with time zone
);
alter table alike_progress add constraint alike_progress_pkey primary key (tenant_id, id);
alter table alike_progress add constraint alike_progress_tenant_id_fkey foreign key (tenant_id) references tenants(id);
alter table alike_progress enable row level security;
create policy tenant on alike_progress as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table api_keys (
  tenant_id bigint not null,
  id bigint default nextval('api_keys_id_seq'::regclass) not null,
  name text not null,
  key_hash bytea not null,
  prefix text not null,
  last4 text not null,
  capabilities text[] not null,
  expires_at timestamp with time zone,
  allow_ip text[] default '{}'::text[] not null,
  rate integer,
  created_by bigint,
  created_at timestamp with time zone default now() not null,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  last_used_from text,
  changed_by text,
  updated_at timestamp with time zone default now() not null,
  confirms_on_page boolean,
  replaced_at timestamp with time zone
);
alter table api_keys add constraint api_keys_pkey primary key (tenant_id, id);
alter table api_keys add constraint api_keys_rate_check check ((rate >= 0));
alter table api_keys add constraint api_keys_tenant_id_created_by_fkey foreign key (tenant_id, created_by) references users(tenant_id, id);
alter table api_keys add constraint api_keys_tenant_id_fkey foreign key (tenant_id) references tenants(id);
alter table api_keys add constraint api_keys_tenant_id_key_hash_key unique (tenant_id, key_hash);
create trigger workspace_created after insert on api_keys referencing new table as written for each statement execute function keep_workspace_history('api_key', 'name,capabilities,expires_at', 'revoked_at');
create trigger workspace_updated after update on api_keys referencing old table as overwritten new table as written for each statement execute function keep_workspace_history('api_key', 'name,capabilities,expires_at', 'revoked_at');
alter table api_keys enable row level security;
create policy tenant on api_keys as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table changed_sales (
  tenant_id bigint not null,
  id bigint default nextval('changed_sales_id_seq'::regclass) not null,
  company_id bigint not null
);
alter table changed_sales add constraint changed_sales_pkey primary key (tenant_id, id);
alter table changed_sales add constraint changed_sales_tenant_id_fkey foreign key (tenant_id) references tenants(id);
alter table changed_sales enable row level security;
create policy tenant on changed_sales as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table changes (
  tenant_id bigint not null,
  id bigint default nextval('changes_id_seq'::regclass) not null,
  at timestamp with time zone not null,
  xid xid8 default pg_current_xact_id() not null,
  type text not null,
  resource_id bigint not null,
  company_id bigint,
  action text not null,
  changed text not null,
  changed_by text not null
);
alter table changes add constraint changes_pkey primary key (tenant_id, id);
create index changes_by_transaction on changes (tenant_id, xid);
create index changes_in_time on changes (tenant_id, at, id);
create index changes_of_companies_in_time on changes (tenant_id, at, resource_id) where (type = any (array['company'::text, 'connection'::text]));
create index changes_of_company_in_time on changes (tenant_id, company_id, at, id);
create index changes_of_resource_in_time on changes (tenant_id, type, resource_id, at, id);
alter table changes enable row level security;
create policy added on changes as permissive for insert to liaison_app
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));
create policy emptied on changes as permissive for update to liaison_app
  using (((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)) and (type = any (array['contact'::text, 'planned_call'::text]))))
  with check (((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)) and (type = any (array['contact'::text, 'planned_call'::text])) and (changed = '{}'::text)));
create policy tenant on changes as permissive for select to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table companies (
  tenant_id bigint not null,
  id bigint default nextval('companies_id_seq'::regclass) not null,
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
  status text default 'prospect'::text not null,
  status_code bigint,
  assigned_to bigint,
  notes text,
  managing_company text,
  employee_count integer,
  activity_domain text,
  fiscal_address text,
  delivery_notes text,
  callback_date date,
  wms_subdomain text,
  wms_api_key text,
  metadata jsonb,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  search_text text generated always as (fold(((((((name || '\x1f'::text) || coalesce(tax_id, ''::text)) || '\x1f'::text) || coalesce(email, ''::text)) || '\x1f'::text) || coalesce(city, ''::text)))) stored not null,
  changed_by text,
  wms_send_automatically boolean default false not null,
  wms_key_set_at timestamp with time zone,
  wms_key_set_by text,
  last_contacted_at timestamp with time zone,
  wms_former_checked_at timestamp with time zone,
  wms_key_refused_at timestamp with time zone,
  wms_never boolean default false not null,
  external jsonb,
  payment_days integer,
  credit_limit numeric,
  merged_into bigint,
  former_ids jsonb,
  values_text text,
  wms_contact text
) with (fillfactor=85, autovacuum_vacuum_insert_scale_factor=0.02);
alter table companies add constraint companies_employee_count_check check ((employee_count >= 0));
alter table companies add constraint companies_pkey primary key (tenant_id, id);
alter table companies add constraint companies_status_check check ((status = any (array['active'::text, 'inactive'::text, 'prospect'::text, 'churned'::text])));
alter table companies add constraint companies_tenant_id_assigned_to_fkey foreign key (tenant_id, assigned_to) references users(tenant_id, id);
alter table companies add constraint companies_tenant_id_fkey foreign key (tenant_id) references tenants(id);
create index companies_assigned_to on companies (tenant_id, assigned_to, id) where (deleted_at is null);
create index companies_by_city on companies (tenant_id, split_part(search_text, '\x1f'::text, '-1'::integer) collate "C", id) where ((deleted_at is null) and (city is not null));
create index companies_by_further_phone on companies using gin (phone_endings(tenant_id, phone), tenant_id) with (fastupdate=off) where ((deleted_at is null) and (split_part(phone, '='::text, 3) <> ''::text));
create index companies_by_last_contact on companies (tenant_id, last_contacted_at, id) where ((deleted_at is null) and (last_contacted_at is not null));
create index companies_by_name on companies (tenant_id, search_text collate "C", id) include (status, assigned_to) where (deleted_at is null);
create index companies_by_phone on companies (tenant_id, split_part(phone, '='::text, 2) collate "C") where ((deleted_at is null) and (phone is not null));
create index companies_by_rare_tax_id on companies (tenant_id, tax_number(tax_id) collate "C") where ((deleted_at is null) and is_rare_tax_id(tax_id));
create index companies_by_warehouse on companies (tenant_id, lower(wms_subdomain), id) where ((wms_api_key is not null) and (deleted_at is null) and (wms_key_refused_at is null));
create index companies_deleted on companies (tenant_id, deleted_at, id) where (deleted_at is not null);
create index companies_live on companies (tenant_id, id) include (search_text, status, assigned_to) where (deleted_at is null);
create index companies_search on companies using gin (search_text gin_trgm_ops, tenant_id) with (gin_pending_list_limit='2048') where (deleted_at is null);
create index companies_status on companies (tenant_id, status, id) where (deleted_at is null);
create unique index companies_tax_id on companies (tenant_id, lower(normalize(tax_id, nfc))) where (deleted_at is null);
create index companies_to_call on companies (tenant_id, callback_date, id) where ((deleted_at is null) and (callback_date is not null));
create index companies_with_refused_key on companies (tenant_id, id) where ((wms_key_refused_at is not null) and (deleted_at is null));
create index companies_with_values on companies (tenant_id, id) where (metadata is not null);
comment on column companies.former_ids is 'history: hidden';
comment on column companies.last_contacted_at is 'history: hidden';
comment on column companies.phone is 'history: encrypted';
comment on column companies.values_text is 'history: hidden';
comment on column companies.wms_api_key is 'history: hidden';
comment on column companies.wms_contact is 'history: hidden';
comment on column companies.wms_former_checked_at is 'history: hidden';
comment on column companies.wms_key_refused_at is 'history: hidden';
comment on column companies.wms_key_set_at is 'history: hidden';
comment on column companies.wms_key_set_by is 'history: hidden';
comment on column companies.wms_never is 'history: hidden';
comment on column companies.wms_send_automatically is 'history: hidden';
create trigger after_insert after insert on companies for each row when ((((new.external is not null) and (new.deleted_at is null)) or (new.callback_date is not null) or (new.metadata is not null))) execute function companies_after_insert();
create trigger after_update after update of status, deleted_at, external, metadata, wms_key_set_at, wms_send_automatically, wms_former_checked_at, wms_never on companies for each row execute function companies_after_update();
create trigger before_update before update of deleted_at, callback_date on companies for each row when ((((new.deleted_at is null) <> (old.deleted_at is null)) or (new.callback_date is distinct from old.callback_date))) execute function companies_before_update();
create trigger changes_created after insert on companies referencing new table as written for each statement execute function companies_created();
create trigger changes_updated after update on companies for each row execute function companies_updated();
create trigger count_inserted after insert on companies referencing new table as changed for each statement execute function count_companies();
create trigger count_removed after delete on companies referencing old table as changed for each statement execute function count_companies();
create trigger external_removed after delete on companies for each row when (((old.external is not null) or (old.metadata is not null))) execute function keep_external_ids('company', '', 'with values');
alter table companies enable row level security;
create policy tenant on companies as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table company_count_changes (
  tenant_id bigint not null,
  generation bigint not null,
  id bigint default nextval('company_count_changes_id_seq'::regclass) not null,
  block bigint not null,
  status text not null,
  n bigint not null
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=5000);
alter table company_count_changes add constraint company_count_changes_pkey primary key (tenant_id, generation, id);
alter table company_count_changes enable row level security;
create policy tenant on company_count_changes as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table company_count_sums (
  tenant_id bigint not null,
  generation bigint not null,
  oldest bigint default 0 not null,
  closing bigint default 0 not null,
  closing_xid xid8,
  total bigint not null,
  totals jsonb not null,
  blocks bigint[] not null,
  statuses text[] not null,
  counts bigint[] not null
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=500);
alter table company_count_sums add constraint company_count_sums_pkey primary key (tenant_id, generation);
alter table company_count_sums add constraint company_count_sums_tenant_id_fkey foreign key (tenant_id) references tenants(id);
create trigger fold before insert on company_count_sums for each row when ((new.generation is null)) execute function fold_company_counts();
alter table company_count_sums enable row level security;
create policy tenant on company_count_sums as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table company_keys (
  tenant_id bigint not null,
  company_id bigint not null,
  name_key text collate "C",
  domain text collate "C",
  compared bigint not null
);
alter table company_keys add constraint company_keys_pkey primary key (tenant_id, company_id);
create index company_keys_by_domain on company_keys (tenant_id, domain, company_id) where (domain is not null);
create index company_keys_by_name on company_keys (tenant_id, name_key, company_id) where (name_key is not null);
alter table company_keys enable row level security;
create policy tenant on company_keys as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table company_sales (
  tenant_id bigint not null,
  company_id bigint not null,
  currency text not null,
  months integer[] not null,
  sold numeric[] not null,
  invoices integer[] not null
);
alter table company_sales add constraint company_sales_pkey primary key (tenant_id, company_id, currency);
alter table company_sales add constraint company_sales_tenant_id_fkey foreign key (tenant_id) references tenants(id);
alter table company_sales enable row level security;
create policy tenant on company_sales as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table company_value_changes (
  tenant_id bigint not null,
  sum_id bigint not null,
  id bigint default nextval('company_value_changes_id_seq'::regclass) not null,
  n bigint not null
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=5000);
alter table company_value_changes add constraint company_value_changes_pkey primary key (tenant_id, sum_id, id);
alter table company_value_changes enable row level security;
create policy tenant on company_value_changes as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table company_value_sums (
  tenant_id bigint not null,
  id bigint default nextval('company_value_sums_id_seq'::regclass) not null,
  key text not null collate "C",
  value text not null collate "C",
  n bigint,
  closing_xid xid8,
  asked_at timestamp with time zone not null
);
alter table company_value_sums add constraint company_value_sums_pkey primary key (tenant_id, id);
alter table company_value_sums add constraint company_value_sums_tenant_id_fkey foreign key (tenant_id) references tenants(id);
alter table company_value_sums add constraint company_value_sums_tenant_id_key_value_key unique (tenant_id, key, value);
create trigger count before insert on company_value_sums for each row when ((new.n is null)) execute function count_common_value();
alter table company_value_sums enable row level security;
create policy tenant on company_value_sums as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table contacts (
  tenant_id bigint not null,
  id bigint default nextval('contacts_id_seq'::regclass) not null,
  company_id bigint not null,
  first_name text not null,
  last_name text not null,
  email text,
  phone text,
  mobile text,
  "position" text,
  department text,
  job_title text,
  is_primary boolean default false not null,
  is_decision_maker boolean default false not null,
  preferred_language text default 'ro'::text not null,
  notes text,
  birth_date date,
  gender text,
  timezone text,
  metadata jsonb,
  last_contacted_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  changed_by text,
  external jsonb,
  is_accounting boolean default false not null,
  merged_into bigint,
  former_ids jsonb,
  values_text text
);
alter table contacts add constraint contacts_pkey primary key (tenant_id, id);
alter table contacts add constraint contacts_tenant_id_company_id_fkey foreign key (tenant_id, company_id) references companies(tenant_id, id);
alter table contacts add constraint contacts_tenant_id_fkey foreign key (tenant_id) references tenants(id);
create index contacts_by_email on contacts (tenant_id, fold(email) collate "C") where ((deleted_at is null) and (email is not null));
create index contacts_by_further_mobile on contacts using gin (phone_endings(tenant_id, mobile), tenant_id) with (fastupdate=off) where ((deleted_at is null) and (split_part(mobile, '='::text, 3) <> ''::text));
create index contacts_by_further_phone on contacts using gin (phone_endings(tenant_id, phone), tenant_id) with (fastupdate=off) where ((deleted_at is null) and (split_part(phone, '='::text, 3) <> ''::text));
create index contacts_by_last_contact on contacts (tenant_id, last_contacted_at desc nulls last, id desc) where (deleted_at is null);
create index contacts_by_last_name on contacts (tenant_id, fold(((last_name || ' '::text) || first_name)) collate "C") where (deleted_at is null);
create index contacts_by_mobile on contacts (tenant_id, split_part(mobile, '='::text, 2) collate "C") where ((deleted_at is null) and (mobile is not null));
create index contacts_by_name on contacts (tenant_id, fold(((first_name || ' '::text) || last_name)) collate "C", id) where (deleted_at is null);
create index contacts_by_phone on contacts (tenant_id, split_part(phone, '='::text, 2) collate "C") where ((deleted_at is null) and (phone is not null));
create index contacts_of_company on contacts (tenant_id, company_id, is_primary desc, fold(first_name) collate "C", id);
create index contacts_with_external_ids on contacts (tenant_id, company_id) where (external is not null);
create index contacts_with_values on contacts (tenant_id, id) where (metadata is not null);
comment on column contacts.former_ids is 'history: hidden';
comment on column contacts.is_accounting is 'history: hidden';
comment on column contacts.mobile is 'history: encrypted';
comment on column contacts.phone is 'history: encrypted';
comment on column contacts.values_text is 'history: hidden';
create trigger changes_created after insert on contacts referencing new table as written for each statement execute function contacts_created();
create trigger changes_updated after update on contacts for each row execute function contacts_updated();
create trigger external_created after insert on contacts for each row when ((((new.external is not null) or (new.metadata is not null)) and (new.deleted_at is null))) execute function keep_external_ids('contact', 'of company', 'with values');
create trigger external_hidden before update of deleted_at on contacts for each row when ((((new.deleted_at is null) <> (old.deleted_at is null)) and ((new.external is not null) or (new.former_ids is not null)))) execute function hide_external_ids('contact');
create trigger external_removed after delete on contacts for each row when (((old.external is not null) or (old.metadata is not null))) execute function keep_external_ids('contact', '', 'with values');
create trigger external_updated after update of external, metadata, deleted_at on contacts for each row when ((((new.external is distinct from old.external) and (new.deleted_at is null) and (old.deleted_at is null)) or (new.metadata is distinct from old.metadata) or ((new.deleted_at is distinct from old.deleted_at) and (new.metadata is not null)))) execute function keep_external_ids('contact', 'of company', 'with values');
alter table contacts enable row level security;
create policy tenant on contacts as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table custom_fields (
  tenant_id bigint not null,
  id bigint default nextval('custom_fields_id_seq'::regclass) not null,
  noun text not null,
  key text not null,
  label text not null,
  kind text not null,
  options text,
  help text,
  "position" integer not null,
  archived boolean default false not null,
  archived_at timestamp with time zone,
  purged_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  changed_by text
);
alter table custom_fields add constraint custom_fields_key_check check ((key ~ '^[a-z][a-z0-9_]{0,39}$'::text));
alter table custom_fields add constraint custom_fields_kind_check check ((kind = any (array['text'::text, 'number'::text, 'date'::text, 'yes_no'::text, 'choice'::text])));
alter table custom_fields add constraint custom_fields_noun_check check ((noun = any (array['company'::text, 'contact'::text, 'invoice'::text])));
alter table custom_fields add constraint custom_fields_pkey primary key (tenant_id, id);
alter table custom_fields add constraint custom_fields_tenant_id_fkey foreign key (tenant_id) references tenants(id);
create unique index custom_fields_key on custom_fields (tenant_id, noun, key) where (purged_at is null);
create unique index custom_fields_label on custom_fields (tenant_id, noun, fold(label)) where (deleted_at is null);
comment on column custom_fields.archived_at is 'history: hidden';
comment on column custom_fields.purged_at is 'history: hidden';
create trigger changes_created after insert on custom_fields referencing new table as written for each statement execute function custom_fields_created();
create trigger changes_updated after update on custom_fields for each row execute function custom_fields_updated();
alter table custom_fields enable row level security;
create policy tenant on custom_fields as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table deals (
  tenant_id bigint not null,
  id bigint default nextval('deals_id_seq'::regclass) not null,
  company_id bigint not null,
  number text,
  title text,
  status text,
  amount numeric,
  currency text,
  starts_on date,
  ends_on date,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  changed_by text
);
alter table deals add constraint deals_check check (((number is not null) or (title is not null)));
alter table deals add constraint deals_pkey primary key (tenant_id, id);
alter table deals add constraint deals_tenant_id_company_id_fkey foreign key (tenant_id, company_id) references companies(tenant_id, id);
alter table deals add constraint deals_tenant_id_fkey foreign key (tenant_id) references tenants(id);
create index deals_of_company on deals (tenant_id, company_id);
alter table deals enable row level security;
create policy tenant on deals as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table external_ids (
  tenant_id bigint not null,
  type text not null collate "C",
  source text not null collate "C",
  external_id text not null collate "C",
  resource_id bigint not null
);
alter table external_ids add constraint external_ids_pkey primary key (tenant_id, type, source, external_id);
alter table external_ids enable row level security;
create policy tenant on external_ids as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table feed (
  tenant_id bigint not null,
  "position" bigint not null,
  change_id bigint not null,
  type text not null,
  at timestamp with time zone not null,
  numbered_at timestamp with time zone not null
);
alter table feed add constraint feed_pkey primary key (tenant_id, "position");
alter table feed add constraint feed_tenant_id_change_id_key unique (tenant_id, change_id);
alter table feed enable row level security;
create policy tenant on feed as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table feed_ticks (
  tenant_id bigint not null,
  tick bigint not null,
  "position" bigint not null,
  behind bigint not null,
  since timestamp with time zone not null,
  seen pg_snapshot not null,
  server bigint not null,
  most integer default 5000 not null,
  is_complete boolean not null
);
alter table feed_ticks add constraint feed_ticks_pkey primary key (tenant_id, tick);
create trigger number_changes before insert on feed_ticks for each row when ((new.tick is null)) execute function number_changes();
alter table feed_ticks enable row level security;
create policy tenant on feed_ticks as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table import_changes (
  tenant_id bigint not null,
  id bigint default nextval('import_changes_id_seq'::regclass) not null,
  import_id bigint not null,
  content text not null
);
alter table import_changes add constraint import_changes_pkey primary key (tenant_id, id);
alter table import_changes add constraint import_changes_tenant_id_fkey foreign key (tenant_id) references tenants(id);
alter table import_changes add constraint import_changes_tenant_id_import_id_fkey foreign key (tenant_id, import_id) references imports(tenant_id, id);
create index import_changes_in_order on import_changes (tenant_id, import_id, id);
alter table import_changes enable row level security;
create policy tenant on import_changes as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table import_chunks (
  tenant_id bigint not null,
  id bigint default nextval('import_chunks_id_seq'::regclass) not null,
  import_id bigint not null,
  content text not null,
  part text default 'rows'::text not null
);
alter table import_chunks add constraint import_chunks_pkey primary key (tenant_id, id);
alter table import_chunks add constraint import_chunks_tenant_id_fkey foreign key (tenant_id) references tenants(id);
alter table import_chunks add constraint import_chunks_tenant_id_import_id_fkey foreign key (tenant_id, import_id) references imports(tenant_id, id);
create index import_chunks_in_order on import_chunks (tenant_id, import_id, id);
alter table import_chunks enable row level security;
create policy tenant on import_chunks as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table import_mappings (
  tenant_id bigint not null,
  kind text not null,
  mapping text not null,
  words text
);
alter table import_mappings add constraint import_mappings_pkey primary key (tenant_id, kind);
alter table import_mappings add constraint import_mappings_tenant_id_fkey foreign key (tenant_id) references tenants(id);
alter table import_mappings enable row level security;
create policy tenant on import_mappings as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table import_rejections (
  tenant_id bigint not null,
  id bigint default nextval('import_rejections_id_seq'::regclass) not null,
  import_id bigint not null,
  is_final boolean not null,
  line integer not null,
  errors text not null,
  cells text
);
alter table import_rejections add constraint import_rejections_pkey primary key (tenant_id, id);
alter table import_rejections add constraint import_rejections_tenant_id_fkey foreign key (tenant_id) references tenants(id);
alter table import_rejections add constraint import_rejections_tenant_id_import_id_fkey foreign key (tenant_id, import_id) references imports(tenant_id, id);
alter table import_rejections add constraint import_rejections_tenant_id_import_id_is_final_line_key unique (tenant_id, import_id, is_final, line);
alter table import_rejections enable row level security;
create policy tenant on import_rejections as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table import_rows (
  tenant_id bigint not null,
  id bigint default nextval('import_rows_id_seq'::regclass) not null,
  import_id bigint not null,
  resource_id bigint not null,
  is_created boolean not null,
  version_before timestamp with time zone,
  version timestamp with time zone not null,
  before text,
  is_interrupted boolean default false not null,
  outcome text,
  is_person boolean default false not null
);
alter table import_rows add constraint import_rows_pkey primary key (tenant_id, id);
alter table import_rows add constraint import_rows_tenant_id_fkey foreign key (tenant_id) references tenants(id);
alter table import_rows add constraint import_rows_tenant_id_import_id_fkey foreign key (tenant_id, import_id) references imports(tenant_id, id);
create unique index import_rows_of_resource on import_rows (tenant_id, import_id, resource_id, is_person);
create index import_rows_to_undo on import_rows (tenant_id, import_id, id) where (outcome is null);
alter table import_rows enable row level security;
create policy tenant on import_rows as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table imports (
  tenant_id bigint not null,
  id bigint default nextval('imports_id_seq'::regclass) not null,
  kind text not null,
  file_name text not null,
  bytes bigint default 0 not null,
  state text default 'uploading'::text not null,
  failure text,
  runner text,
  total integer,
  created integer default 0 not null,
  updated integer default 0 not null,
  unchanged integer default 0 not null,
  rejected integer default 0 not null,
  next_line integer default 1 not null,
  deleted integer default 0 not null,
  restored integer default 0 not null,
  kept integer default 0 not null,
  created_by bigint not null,
  created_at timestamp with time zone default now() not null,
  started_by bigint,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  cancelled_by bigint,
  undone_by bigint,
  undone_at timestamp with time zone,
  forgotten_at timestamp with time zone,
  stored_bytes bigint default 0 not null,
  deaths integer default 0 not null,
  reached bigint default 0 not null,
  encoding text default 'utf-8'::text not null,
  delimiter text default ','::text not null,
  clears_empty boolean default true not null,
  columns text,
  language text,
  reading text,
  unknown_words text
);
alter table imports add constraint imports_pkey primary key (tenant_id, id);
alter table imports add constraint imports_state_check check ((state = any (array['uploading'::text, 'mapping'::text, 'checking'::text, 'checked'::text, 'running'::text, 'done'::text, 'cancelled'::text, 'failed'::text, 'undoing'::text, 'undone'::text])));
alter table imports add constraint imports_tenant_id_cancelled_by_fkey foreign key (tenant_id, cancelled_by) references users(tenant_id, id);
alter table imports add constraint imports_tenant_id_created_by_fkey foreign key (tenant_id, created_by) references users(tenant_id, id);
alter table imports add constraint imports_tenant_id_fkey foreign key (tenant_id) references tenants(id);
alter table imports add constraint imports_tenant_id_started_by_fkey foreign key (tenant_id, started_by) references users(tenant_id, id);
alter table imports add constraint imports_tenant_id_undone_by_fkey foreign key (tenant_id, undone_by) references users(tenant_id, id);
create index imports_with_files on imports (tenant_id, stored_bytes) where (stored_bytes > 0);
alter table imports enable row level security;
create policy tenant on imports as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table invitations (
  tenant_id bigint not null,
  id bigint default nextval('invitations_id_seq'::regclass) not null,
  email text not null,
  role text not null,
  token_hash bytea not null,
  invited_by bigint,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  accepted_at timestamp with time zone,
  revoked_at timestamp with time zone,
  changed_by text,
  updated_at timestamp with time zone default now() not null,
  for_user bigint
);
alter table invitations add constraint invitations_pkey primary key (tenant_id, id);
alter table invitations add constraint invitations_role_check check ((role = any (array['admin'::text, 'member'::text])));
alter table invitations add constraint invitations_tenant_id_fkey foreign key (tenant_id) references tenants(id);
alter table invitations add constraint invitations_tenant_id_for_user_fkey foreign key (tenant_id, for_user) references users(tenant_id, id);
alter table invitations add constraint invitations_tenant_id_invited_by_fkey foreign key (tenant_id, invited_by) references users(tenant_id, id);
create index invitations_by_token on invitations (token_hash);
create unique index invitations_open on invitations (tenant_id, lower(email)) where ((accepted_at is null) and (revoked_at is null));
create trigger workspace_created after insert on invitations referencing new table as written for each statement execute function keep_workspace_history('invitation', 'role,expires_at,for_user', 'accepted_at,revoked_at');
create trigger workspace_updated after update on invitations referencing old table as overwritten new table as written for each statement execute function keep_workspace_history('invitation', 'role,expires_at,for_user', 'accepted_at,revoked_at');
alter table invitations enable row level security;
create policy tenant on invitations as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table invoices (
  tenant_id bigint not null,
  id bigint default nextval('invoices_id_seq'::regclass) not null,
  company_id bigint not null,
  number text not null,
  issued_on date,
  due_on date,
  total numeric,
  currency text,
  status text default 'issued'::text not null,
  wms_instance text,
  wms_order_id bigint,
  wms_order_number text,
  wms_status text,
  wms_synced_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  changed_by text,
  lines text,
  wms_state text default 'not_sent'::text not null,
  wms_error text,
  wms_attempt integer default 0 not null,
  wms_updated_at timestamp with time zone,
  wms_open_since timestamp with time zone,
  wms_open_instance text,
  wms_poll_at timestamp with time zone,
  wms_poll_every integer,
  wms_owns_order boolean default false not null,
  wms_open_source text,
  wms_is_final boolean,
  wms_gone_at timestamp with time zone,
  wms_moved_at timestamp with time zone,
  wms_settled_at timestamp with time zone,
  wms_shown text not null,
  wms_needs_at timestamp with time zone,
  edited_at timestamp with time zone default now() not null,
  wms_trace text,
  wms_absent_at timestamp with time zone,
  wms_put_off_until timestamp with time zone,
  wms_checked_at timestamp with time zone,
  external jsonb,
  terms_due_on date,
  delivery_address_id bigint,
  delivered_to text,
  wms_cancel text,
  wms_cancel_error text,
  wms_cancel_at timestamp with time zone,
  corrects_id bigint,
  paid numeric default 0 not null,
  metadata jsonb,
  wms_via bigint,
  values_text text
);
alter table invoices add constraint invoices_pkey primary key (tenant_id, id);
alter table invoices add constraint invoices_status_check check ((status = any (array['draft'::text, 'issued'::text, 'paid'::text, 'cancelled'::text])));
alter table invoices add constraint invoices_tenant_id_company_id_fkey foreign key (tenant_id, company_id) references companies(tenant_id, id);
alter table invoices add constraint invoices_tenant_id_delivery_address_id_fkey foreign key (tenant_id, delivery_address_id) references addresses(tenant_id, id);
alter table invoices add constraint invoices_tenant_id_fkey foreign key (tenant_id) references tenants(id);
alter table invoices add constraint invoices_tenant_id_number_key unique (tenant_id, number);
alter table invoices add constraint invoices_wms_state_check check ((wms_state = any (array['not_sent'::text, 'queued'::text, 'sending'::text, 'unknown'::text, 'sent'::text, 'failed'::text])));
create index invoices_by_day on invoices (tenant_id, issued_on desc nulls last, id desc) include (company_id, status, currency, total);
create index invoices_by_folded_number on invoices (tenant_id, reverse(lower(translate(number, ' -/._'::text, ''::text))) collate "C");
create index invoices_by_folded_order on invoices (tenant_id, reverse(lower(translate(wms_order_number, ' -/._'::text, ''::text))) collate "C") where (wms_order_number is not null);
create index invoices_by_shown on invoices (tenant_id, wms_shown, issued_on desc nulls last, id desc);
create index invoices_by_wms_order on invoices (tenant_id, wms_order_id) where (wms_order_id is not null);
create index invoices_cancelled on invoices (tenant_id, issued_on) include (company_id, currency) where (status = 'cancelled'::text);
create index invoices_correcting on invoices (tenant_id, corrects_id) where (corrects_id is not null);
create index invoices_done on invoices (tenant_id, issued_on desc nulls last, id desc) where ((wms_shown ~~ 'final:%'::text) or (wms_shown = 'cancelled'::text));
create index invoices_followed on invoices (tenant_id, company_id, wms_poll_at, id) where (wms_poll_at is not null);
create index invoices_in_draft on invoices (tenant_id, issued_on desc nulls last, id desc) where (status = 'draft'::text);
create index invoices_in_sending on invoices (tenant_id, wms_state, id) where (wms_state = any (array['queued'::text, 'sending'::text, 'unknown'::text, 'failed'::text]));
create index invoices_needing on invoices (tenant_id, wms_needs_at) include (wms_shown, wms_settled_at, wms_put_off_until) where (wms_needs_at is not null);
create index invoices_not_cancellable on invoices (tenant_id, wms_instance, wms_cancel_at) where (wms_cancel = 'unsupported'::text);
create index invoices_of_company_by_date on invoices (tenant_id, company_id, issued_on desc nulls last, id desc);
create index invoices_of_company_by_status on invoices (tenant_id, company_id, status, issued_on desc nulls last, id desc) include (total, currency, due_on, terms_due_on, paid);
create index invoices_of_company_by_wms_state on invoices (tenant_id, company_id, wms_state, issued_on desc nulls last, id desc);
create index invoices_of_company_moving on invoices (tenant_id, company_id) include (wms_shown, wms_needs_at, wms_settled_at, wms_put_off_until) where ((wms_shown = any (array['waiting'::text, 'on_its_way'::text, 'being_checked'::text])) or (wms_shown ~~ 'open:%'::text) or (wms_needs_at is not null));
create unique index invoices_owning_order on invoices (tenant_id, wms_instance, wms_order_id) where wms_owns_order;
create index invoices_paid_too_much on invoices (tenant_id, company_id) include (id, status, currency, total, paid, issued_on, due_on, terms_due_on) where (((status = 'paid'::text) and (paid <> total)) or ((status = 'cancelled'::text) and (paid <> (0)::numeric)));
create index invoices_put_off on invoices (tenant_id, wms_put_off_until) where (wms_put_off_until is not null);
create index invoices_to_confirm on invoices (tenant_id, id) where (wms_shown = 'to_be_confirmed'::text);
create index invoices_under_way on invoices (tenant_id, issued_on desc nulls last, id desc) where ((wms_shown = any (array['waiting'::text, 'on_its_way'::text, 'being_checked'::text])) or (wms_shown ~~ 'open:%'::text));
create index invoices_unpaid on invoices (tenant_id, (
case
    when (due_on is null) then terms_due_on
    else due_on
end), id) include (company_id, currency, total, paid, issued_on, due_on, terms_due_on) where (status = 'issued'::text);
create index invoices_unsent on invoices (tenant_id, issued_on desc nulls last, id desc) where ((wms_shown = 'not_sent'::text) and (status = any (array['issued'::text, 'paid'::text])));
create index invoices_via on invoices (tenant_id, wms_via) where (wms_via is not null);
create index invoices_with_values on invoices (tenant_id, id) where (metadata is not null);
create index invoices_wms_orders on invoices (tenant_id, company_id, wms_synced_at desc nulls last, id) where (wms_order_id is not null);
comment on column invoices.corrects_id is 'history: hidden';
comment on column invoices.delivered_to is 'history: hidden';
comment on column invoices.edited_at is 'history: hidden';
comment on column invoices.lines is 'history: encrypted';
comment on column invoices.paid is 'history: hidden';
comment on column invoices.terms_due_on is 'history: hidden';
comment on column invoices.values_text is 'history: hidden';
comment on column invoices.wms_absent_at is 'history: hidden';
comment on column invoices.wms_attempt is 'history: hidden';
comment on column invoices.wms_cancel is 'history: hidden';
comment on column invoices.wms_cancel_at is 'history: hidden';
comment on column invoices.wms_cancel_error is 'history: hidden';
comment on column invoices.wms_checked_at is 'history: hidden';
comment on column invoices.wms_error is 'history: hidden';
comment on column invoices.wms_is_final is 'history: hidden';
comment on column invoices.wms_moved_at is 'history: hidden';
comment on column invoices.wms_needs_at is 'history: hidden';
comment on column invoices.wms_open_instance is 'history: hidden';
comment on column invoices.wms_open_since is 'history: hidden';
comment on column invoices.wms_open_source is 'history: hidden';
comment on column invoices.wms_owns_order is 'history: hidden';
comment on column invoices.wms_poll_at is 'history: hidden';
comment on column invoices.wms_poll_every is 'history: hidden';
comment on column invoices.wms_shown is 'history: hidden';
comment on column invoices.wms_state is 'history: hidden';
comment on column invoices.wms_synced_at is 'history: hidden';
comment on column invoices.wms_trace is 'history: hidden';
comment on column invoices.wms_updated_at is 'history: hidden';
comment on column invoices.wms_via is 'history: hidden';
create trigger after_delete after delete on invoices for each row when (((old.external is not null) or (old.metadata is not null) or (old.issued_on < (CURRENT_DATE - 3)))) execute function invoices_after_delete();
create trigger after_insert after insert on invoices for each row when (((new.external is not null) or (new.metadata is not null))) execute function invoices_after_insert('with metadata', 'with sales', 'without money');
create trigger after_update after update of external, metadata, paid, company_id, status, issued_on, total, currency, wms_state, wms_order_id, wms_instance, wms_poll_at on invoices for each row execute function invoices_after_update('with metadata', 'with sales', 'with jobs');
create trigger before_insert before insert on invoices for each row execute function invoices_before_insert('with wms_shown');
alter table invoices enable always trigger before_insert;
create trigger before_update before update of company_id, number, issued_on, due_on, total, currency, status, lines, external, metadata, delivery_address_id, wms_state, wms_status, wms_gone_at, wms_order_id, wms_instance, wms_is_final, wms_moved_at, wms_updated_at, wms_synced_at, wms_open_since, wms_settled_at, created_at, wms_shown, wms_needs_at on invoices for each row execute function invoices_before_update('with wms_shown', 'with metadata');
alter table invoices enable always trigger before_update;
create trigger changes_created after insert on invoices referencing new table as written for each statement execute function invoices_created();
create trigger changes_updated after update on invoices for each row execute function invoices_updated();
create trigger wms_jobs_created after insert on invoices referencing new table as written for each statement execute function wms_jobs_of_created('with money');
alter table invoices enable row level security;
create policy tenant on invoices as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table jobs (
  tenant_id bigint not null,
  id bigint default nextval('jobs_id_seq'::regclass) not null,
  kind text not null,
  subject bigint not null,
  lane text not null,
  state text default 'waiting'::text not null,
  run_at timestamp with time zone default now() not null,
  attempt bigint default 0 not null,
  tries integer default 0 not null,
  has_died boolean default false not null,
  is_asked_again boolean default false not null,
  worker text,
  lease_until timestamp with time zone,
  enqueued_at timestamp with time zone default now() not null,
  is_sparing boolean default false not null
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=5000);
alter table jobs add constraint jobs_pkey primary key (tenant_id, id);
alter table jobs add constraint jobs_state_check check ((state = any (array['waiting'::text, 'running'::text, 'failed'::text])));
alter table jobs add constraint jobs_tenant_id_fkey foreign key (tenant_id) references tenants(id);
alter table jobs add constraint jobs_tenant_id_kind_subject_key unique (tenant_id, kind, subject);
create index jobs_running on jobs (lane, lease_until) where (state = 'running'::text);
create index jobs_waiting on jobs (tenant_id, lane, run_at, id) where (state = 'waiting'::text);
create trigger tell_inserted after insert on jobs referencing new table as changed for each statement execute function notify_lanes();
create trigger tell_updated after update on jobs referencing new table as changed for each statement execute function notify_lanes();
alter table jobs enable row level security;
create policy tenant on jobs as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table kept_answers (
  tenant_id bigint not null,
  id bigint default nextval('kept_answers_id_seq'::regclass) not null,
  api_key_id bigint not null,
  key text not null,
  request bytea not null,
  status smallint not null,
  kind text,
  secret text,
  at timestamp with time zone default now() not null,
  resource_id bigint
);
alter table kept_answers add constraint kept_answers_pkey primary key (tenant_id, id);
alter table kept_answers add constraint kept_answers_tenant_id_api_key_id_key_key unique (tenant_id, api_key_id, key);
create index kept_answers_by_age on kept_answers (tenant_id, at);
create index kept_answers_of_contacts on kept_answers (tenant_id, resource_id) where (kind = 'contact'::text);
alter table kept_answers enable row level security;
create policy tenant on kept_answers as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table key_requests (
  tenant_id bigint not null,
  day date not null,
  key_id bigint not null,
  requests bigint not null
);
alter table key_requests add constraint key_requests_pkey primary key (tenant_id, day, key_id);
alter table key_requests add constraint key_requests_tenant_id_fkey foreign key (tenant_id) references tenants(id);
alter table key_requests add constraint key_requests_tenant_id_key_id_fkey foreign key (tenant_id, key_id) references api_keys(tenant_id, id);
alter table key_requests enable row level security;
create policy tenant on key_requests as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table key_uses (
  tenant_id bigint not null,
  key_id bigint not null,
  capability text not null,
  last_used_at timestamp with time zone not null
);
alter table key_uses add constraint key_uses_pkey primary key (tenant_id, key_id, capability);
alter table key_uses add constraint key_uses_tenant_id_fkey foreign key (tenant_id) references tenants(id);
alter table key_uses add constraint key_uses_tenant_id_key_id_fkey foreign key (tenant_id, key_id) references api_keys(tenant_id, id);
alter table key_uses enable row level security;
create policy tenant on key_uses as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table lane_news (
  tenant_id bigint not null,
  id bigint default nextval('lane_news_id_seq'::regclass) not null,
  lane text not null,
  ready_at timestamp with time zone,
  answered boolean
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000);
alter table lane_news add constraint lane_news_pkey primary key (tenant_id, id);
alter table lane_news enable row level security;
create policy tenant on lane_news as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table lanes (
  tenant_id bigint not null,
  name text not null,
  ready_at timestamp with time zone default 'infinity'::timestamp with time zone not null,
  ready_id bigint default 0 not null,
  served_at timestamp with time zone default '-infinity'::timestamp with time zone not null,
  failures integer default 0 not null,
  closed_until timestamp with time zone
) with (fillfactor=50, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000);
alter table lanes add constraint lanes_pkey primary key (tenant_id, name);
alter table lanes add constraint lanes_tenant_id_fkey foreign key (tenant_id) references tenants(id);
create index lanes_ready on lanes (ready_at);
alter table lanes enable row level security;
create policy tenant on lanes as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table last_opened (
  tenant_id bigint not null,
  user_id bigint not null,
  opened text[] not null
);
alter table last_opened add constraint last_opened_pkey primary key (tenant_id, user_id);
alter table last_opened add constraint last_opened_tenant_id_fkey foreign key (tenant_id) references tenants(id);
alter table last_opened add constraint last_opened_tenant_id_user_id_fkey foreign key (tenant_id, user_id) references users(tenant_id, id);
alter table last_opened enable row level security;
create policy tenant on last_opened as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table list_columns (
  tenant_id bigint not null,
  user_id bigint not null,
  list text not null,
  columns text[] not null
);
alter table list_columns add constraint list_columns_pkey primary key (tenant_id, user_id, list);
alter table list_columns add constraint list_columns_tenant_id_fkey foreign key (tenant_id) references tenants(id);
alter table list_columns add constraint list_columns_tenant_id_user_id_fkey foreign key (tenant_id, user_id) references users(tenant_id, id);
alter table list_columns enable row level security;
create policy tenant on list_columns as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table list_views (
  tenant_id bigint not null,
  id bigint default nextval('list_views_id_seq'::regclass) not null,
  user_id bigint not null,
  is_for_all boolean default false not null,
  name text not null,
  filters text not null,
  created_at timestamp with time zone default now() not null,
  list text default 'companies'::text not null
);
alter table list_views add constraint list_views_pkey primary key (tenant_id, id);
alter table list_views add constraint list_views_tenant_id_fkey foreign key (tenant_id) references tenants(id);
alter table list_views add constraint list_views_tenant_id_user_id_fkey foreign key (tenant_id, user_id) references users(tenant_id, id);
create unique index list_views_for_all on list_views (tenant_id, list, name) where is_for_all;
create unique index list_views_own on list_views (tenant_id, user_id, list, name) where (not is_for_all);
alter table list_views enable row level security;
create policy tenant on list_views as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table mails (
  tenant_id bigint not null,
  id bigint default nextval('mails_id_seq'::regclass) not null,
  kind text not null,
  user_id bigint,
  email text,
  details text,
  state text default 'waiting'::text not null,
  created_at timestamp with time zone default now() not null,
  attempted_at timestamp with time zone,
  ended_at timestamp with time zone,
  failure text
);
alter table mails add constraint mails_pkey primary key (tenant_id, id);
alter table mails add constraint mails_state_check check ((state = any (array['waiting'::text, 'sent'::text, 'given_up'::text])));
alter table mails add constraint mails_tenant_id_fkey foreign key (tenant_id) references tenants(id);
alter table mails add constraint mails_tenant_id_user_id_fkey foreign key (tenant_id, user_id) references users(tenant_id, id);
create index mails_attempted on mails (tenant_id, attempted_at);
create index mails_ended on mails (tenant_id, ended_at);
create unique index mails_one_forgotten on mails (tenant_id, lower(email)) where ((kind = 'forgotten-password'::text) and (state = 'waiting'::text));
create trigger enqueue_mails after insert on mails referencing new table as written for each statement execute function enqueue_mails();
alter table mails enable row level security;
create policy tenant on mails as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table merges (
  tenant_id bigint not null,
  id bigint default nextval('merges_id_seq'::regclass) not null,
  type text not null,
  kept_id bigint not null,
  from_id bigint not null,
  moved jsonb default '{}'::jsonb not null,
  before text,
  merged_at timestamp with time zone default now() not null,
  merged_by text not null,
  undone_at timestamp with time zone,
  undone_by text
);
alter table merges add constraint merges_pkey primary key (tenant_id, id);
alter table merges add constraint merges_tenant_id_fkey foreign key (tenant_id) references tenants(id);
alter table merges add constraint merges_type_check check ((type = any (array['company'::text, 'contact'::text])));
create index merges_into on merges (tenant_id, kept_id, id);
create index merges_out_of on merges (tenant_id, from_id, id);
create index merges_with_values on merges (tenant_id, merged_at) where (before is not null);
alter table merges enable row level security;
create policy tenant on merges as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table month_sales (
  tenant_id bigint not null,
  month integer not null,
  currency text not null,
  sold numeric not null,
  invoices bigint not null
);
alter table month_sales add constraint month_sales_pkey primary key (tenant_id, month, currency);
alter table month_sales add constraint month_sales_tenant_id_fkey foreign key (tenant_id) references tenants(id);
alter table month_sales enable row level security;
create policy tenant on month_sales as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table not_alike (
  tenant_id bigint not null,
  one_id bigint not null,
  other_id bigint not null,
  said_by text not null,
  said_at timestamp with time zone default now() not null
);
alter table not_alike add constraint not_alike_pkey primary key (tenant_id, one_id, other_id);
alter table not_alike add constraint not_alike_tenant_id_fkey foreign key (tenant_id) references tenants(id);
create index not_alike_in_time on not_alike (tenant_id, said_at desc, one_id);
alter table not_alike enable row level security;
create policy tenant on not_alike as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table offers (
  tenant_id bigint not null,
  id bigint default nextval('offers_id_seq'::regclass) not null,
  company_id bigint not null,
  number text,
  title text,
  status text,
  amount numeric,
  currency text,
  starts_on date,
  ends_on date,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  changed_by text
);
alter table offers add constraint offers_check check (((number is not null) or (title is not null)));
alter table offers add constraint offers_pkey primary key (tenant_id, id);
alter table offers add constraint offers_tenant_id_company_id_fkey foreign key (tenant_id, company_id) references companies(tenant_id, id);
alter table offers add constraint offers_tenant_id_fkey foreign key (tenant_id) references tenants(id);
create index offers_of_company on offers (tenant_id, company_id);
alter table offers enable row level security;
create policy tenant on offers as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table passkey_challenges (
  tenant_id bigint not null,
  id bigint default nextval('passkey_challenges_id_seq'::regclass) not null,
  challenge_hash bytea not null,
  expires_at timestamp with time zone not null
);
alter table passkey_challenges add constraint passkey_challenges_pkey primary key (tenant_id, id);
alter table passkey_challenges add constraint passkey_challenges_tenant_id_challenge_hash_key unique (tenant_id, challenge_hash);
alter table passkey_challenges add constraint passkey_challenges_tenant_id_fkey foreign key (tenant_id) references tenants(id);
create index passkey_challenges_by_age on passkey_challenges (tenant_id, expires_at);
alter table passkey_challenges enable row level security;
create policy tenant on passkey_challenges as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table passkeys (
  tenant_id bigint not null,
  id bigint default nextval('passkeys_id_seq'::regclass) not null,
  user_id bigint not null,
  name text not null,
  credential_id text not null,
  public_key text not null,
  user_handle text not null,
  counter bigint not null,
  transports text default ''::text not null,
  verifies boolean not null,
  created_at timestamp with time zone default now() not null,
  last_used_at timestamp with time zone
);
alter table passkeys add constraint passkeys_pkey primary key (tenant_id, id);
alter table passkeys add constraint passkeys_tenant_id_credential_id_key unique (tenant_id, credential_id);
alter table passkeys add constraint passkeys_tenant_id_fkey foreign key (tenant_id) references tenants(id);
alter table passkeys add constraint passkeys_tenant_id_user_id_fkey foreign key (tenant_id, user_id) references users(tenant_id, id);
create index passkeys_by_credential on passkeys (credential_id);
create index passkeys_of_user on passkeys (tenant_id, user_id);
alter table passkeys enable row level security;
create policy tenant on passkeys as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table payments (
  tenant_id bigint not null,
  id bigint default nextval('payments_id_seq'::regclass) not null,
  company_id bigint not null,
  invoice_id bigint not null,
  amount numeric not null,
  paid_on date not null,
  means text default 'other'::text not null,
  reference text,
  external jsonb,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  changed_by text
);
alter table payments add constraint payments_amount_check check ((amount <> (0)::numeric));
alter table payments add constraint payments_means_check check ((means = any (array['bank'::text, 'cash'::text, 'card'::text, 'set_off'::text, 'other'::text])));
alter table payments add constraint payments_pkey primary key (tenant_id, id);
alter table payments add constraint payments_tenant_id_fkey foreign key (tenant_id) references tenants(id);
alter table payments add constraint payments_tenant_id_invoice_id_fkey foreign key (tenant_id, invoice_id) references invoices(tenant_id, id) on delete cascade;
create index payments_by_day on payments (tenant_id, paid_on, id) where (deleted_at is null);
create index payments_of_company on payments (tenant_id, company_id, paid_on, id) where (deleted_at is null);
create index payments_of_invoice on payments (tenant_id, invoice_id, id);
create trigger added_together after insert on payments referencing new table as written for each statement when ((pg_trigger_depth() = 0)) execute function payments_created_together();
create trigger after_delete after delete on payments for each row when ((old.external is not null)) execute function keep_external_ids('payment');
create trigger after_insert after insert on payments for each row when ((new.external is not null)) execute function payments_after_write('external ids alone');
create trigger after_update after update of deleted_at on payments for each row when ((((old.deleted_at is null) is distinct from (new.deleted_at is null)) and (pg_trigger_depth() = 0))) execute function payments_after_write();
create trigger before_update before update of deleted_at on payments for each row when ((((old.deleted_at is null) is distinct from (new.deleted_at is null)) and (new.external is not null))) execute function hide_external_ids('payment');
create trigger changes_created after insert on payments referencing new table as written for each statement execute function payments_created();
create trigger changes_updated after update on payments for each row execute function payments_updated();
alter table payments enable row level security;
create policy tenant on payments as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table pending_requests (
  tenant_id bigint not null,
  id bigint default nextval('pending_requests_id_seq'::regclass) not null,
  api_key_id bigint not null,
  key text not null,
  tool text not null,
  secret text not null,
  at timestamp with time zone default now() not null
);
alter table pending_requests add constraint pending_requests_pkey primary key (tenant_id, id);
alter table pending_requests add constraint pending_requests_tenant_id_api_key_id_fkey foreign key (tenant_id, api_key_id) references api_keys(tenant_id, id);
alter table pending_requests add constraint pending_requests_tenant_id_api_key_id_key_key unique (tenant_id, api_key_id, key);
alter table pending_requests add constraint pending_requests_tenant_id_fkey foreign key (tenant_id) references tenants(id);
create index pending_requests_by_age on pending_requests (tenant_id, at);
alter table pending_requests enable row level security;
create policy tenant on pending_requests as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table planned_calls (
  tenant_id bigint not null,
  id bigint default nextval('planned_calls_id_seq'::regclass) not null,
  company_id bigint not null,
  contact_id bigint,
  invoice_id bigint,
  due_on date not null,
  about text,
  assigned_to bigint,
  planned_by text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  changed_by text
);
alter table planned_calls add constraint planned_calls_pkey primary key (tenant_id, id);
alter table planned_calls add constraint planned_calls_tenant_id_company_id_fkey foreign key (tenant_id, company_id) references companies(tenant_id, id) on delete cascade;
alter table planned_calls add constraint planned_calls_tenant_id_contact_id_fkey foreign key (tenant_id, contact_id) references contacts(tenant_id, id);
alter table planned_calls add constraint planned_calls_tenant_id_fkey foreign key (tenant_id) references tenants(id);
create index calls_about_invoice on planned_calls (tenant_id, invoice_id, due_on, id) where ((deleted_at is null) and (invoice_id is not null));
create index calls_by_day on planned_calls (tenant_id, due_on, id) include (company_id, assigned_to) where (deleted_at is null);
create index calls_ever_of_company on planned_calls (tenant_id, company_id);
create index calls_of_company on planned_calls (tenant_id, company_id, due_on, id) where (deleted_at is null);
create index calls_with_contact on planned_calls (tenant_id, contact_id, id) where (contact_id is not null);
comment on column planned_calls.planned_by is 'history: hidden';
create trigger changes_created after insert on planned_calls referencing new table as written for each statement execute function planned_calls_created();
create trigger changes_updated after update on planned_calls for each row execute function planned_calls_updated();
alter table planned_calls enable row level security;
create policy tenant on planned_calls as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table promises (
  tenant_id bigint not null,
  id bigint default nextval('promises_id_seq'::regclass) not null,
  company_id bigint not null,
  until date not null,
  note text,
  created_at timestamp with time zone default now() not null,
  changed_by text not null
);
alter table promises add constraint promises_pkey primary key (tenant_id, id);
alter table promises add constraint promises_tenant_id_company_id_key unique (tenant_id, company_id);
alter table promises add constraint promises_tenant_id_fkey foreign key (tenant_id) references tenants(id);
create index promises_by_day on promises (tenant_id, until, company_id);
alter table promises enable row level security;
create policy tenant on promises as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table recovery_codes (
  tenant_id bigint not null,
  id bigint default nextval('recovery_codes_id_seq'::regclass) not null,
  user_id bigint not null,
  code_hash bytea not null
);
alter table recovery_codes add constraint recovery_codes_pkey primary key (tenant_id, id);
alter table recovery_codes add constraint recovery_codes_tenant_id_fkey foreign key (tenant_id) references tenants(id);
alter table recovery_codes add constraint recovery_codes_tenant_id_user_id_fkey foreign key (tenant_id, user_id) references users(tenant_id, id);
create index recovery_codes_of_user on recovery_codes (tenant_id, user_id);
alter table recovery_codes enable row level security;
create policy tenant on recovery_codes as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table reminded (
  tenant_id bigint not null,
  id bigint default nextval('reminded_id_seq'::regclass) not null,
  reminder_id bigint not null,
  invoice_id bigint not null,
  left_out text
);
alter table reminded add constraint reminded_left_out_check check ((left_out = any (array['paid'::text, 'cancelled'::text, 'corrected'::text, 'not_due'::text])));
alter table reminded add constraint reminded_pkey primary key (tenant_id, id);
alter table reminded add constraint reminded_tenant_id_fkey foreign key (tenant_id) references tenants(id);
alter table reminded add constraint reminded_tenant_id_invoice_id_fkey foreign key (tenant_id, invoice_id) references invoices(tenant_id, id) on delete cascade;
alter table reminded add constraint reminded_tenant_id_reminder_id_fkey foreign key (tenant_id, reminder_id) references reminders(tenant_id, id) on delete cascade;
create index reminded_of_invoice on reminded (tenant_id, invoice_id, reminder_id);
create unique index reminded_once on reminded (tenant_id, reminder_id, invoice_id);
alter table reminded enable row level security;
create policy tenant on reminded as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table reminders (
  tenant_id bigint not null,
  id bigint default nextval('reminders_id_seq'::regclass) not null,
  company_id bigint not null,
  contact_id bigint,
  mail_id bigint,
  level smallint not null,
  state text default 'waiting'::text not null,
  created_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  changed_by text not null
);
alter table reminders add constraint reminders_level_check check (((level >= 1) and (level <= 3)));
alter table reminders add constraint reminders_pkey primary key (tenant_id, id);
alter table reminders add constraint reminders_state_check check ((state = any (array['waiting'::text, 'leaving'::text, 'sent'::text, 'unsure'::text, 'dropped'::text, 'failed'::text])));
alter table reminders add constraint reminders_tenant_id_fkey foreign key (tenant_id) references tenants(id);
create index reminders_of_company on reminders (tenant_id, company_id, id);
create index reminders_of_mail on reminders (tenant_id, mail_id) where (mail_id is not null);
alter table reminders enable row level security;
create policy tenant on reminders as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table sales_progress (
  tenant_id bigint not null,
  id bigint default 0 not null,
  until integer,
  target integer not null,
  walked_id bigint default 0 not null,
  is_cleared boolean default false not null
);
alter table sales_progress add constraint sales_progress_pkey primary key (tenant_id, id);
alter table sales_progress add constraint sales_progress_tenant_id_fkey foreign key (tenant_id) references tenants(id);
alter table sales_progress enable row level security;
create policy tenant on sales_progress as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table sessions (
  tenant_id bigint not null,
  id bigint default nextval('sessions_id_seq'::regclass) not null,
  user_id bigint not null,
  token_hash bytea not null,
  tenant_epoch integer not null,
  user_epoch integer not null,
  awaits_code boolean not null,
  address text not null,
  user_agent text not null,
  created_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  signed_in_by text,
  provider_session text
);
alter table sessions add constraint sessions_pkey primary key (tenant_id, id);
alter table sessions add constraint sessions_tenant_id_fkey foreign key (tenant_id) references tenants(id);
alter table sessions add constraint sessions_tenant_id_user_id_fkey foreign key (tenant_id, user_id) references users(tenant_id, id);
create index sessions_by_token on sessions (token_hash);
create index sessions_of_user on sessions (tenant_id, user_id);
alter table sessions enable row level security;
create policy tenant on sessions as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table settings (
  name text not null,
  value text not null
);
alter table settings add constraint settings_pkey primary key (name);

create table sign_in_failures (
  subject bytea not null,
  failures integer not null,
  failed_at timestamp with time zone not null
);
alter table sign_in_failures add constraint sign_in_failures_pkey primary key (subject);

create table single_sign_on (
  tenant_id bigint not null,
  id bigint default nextval('single_sign_on_id_seq'::regclass) not null,
  sso_issuer text not null,
  sso_client_id text not null,
  sso_client_secret text not null,
  sso_secret_set_at timestamp with time zone default now() not null,
  sso_domains text default ''::text not null,
  sso_trusts_addresses boolean default false not null,
  sso_admits_domains boolean default false not null,
  sso_groups_claim text default 'groups'::text not null,
  sso_admin_group text,
  sso_on boolean default false not null,
  sso_only boolean default false not null,
  sso_break_glass bigint,
  sso_tried_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  changed_by text,
  sso_scopes text default ''::text not null,
  sso_groups_unknown_at timestamp with time zone
);
alter table single_sign_on add constraint single_sign_on_check check ((sso_on or (not sso_only)));
alter table single_sign_on add constraint single_sign_on_check1 check (((sso_break_glass is not null) or (not sso_only)));
alter table single_sign_on add constraint single_sign_on_pkey primary key (tenant_id, id);
alter table single_sign_on add constraint single_sign_on_tenant_id_fkey foreign key (tenant_id) references tenants(id);
alter table single_sign_on add constraint single_sign_on_tenant_id_key unique (tenant_id);
alter table single_sign_on add constraint single_sign_on_tenant_id_sso_break_glass_fkey foreign key (tenant_id, sso_break_glass) references users(tenant_id, id);
create trigger single_sign_on_written after insert or update of sso_issuer, sso_client_id, sso_secret_set_at, sso_domains, sso_trusts_addresses, sso_admits_domains, sso_groups_claim, sso_admin_group, sso_scopes, sso_on, sso_only, sso_break_glass on single_sign_on for each row execute function keep_row_history('workspace', 'sso_issuer,sso_client_id,sso_secret_set_at,sso_domains,sso_trusts_addresses,sso_admits_domains,sso_groups_claim,sso_admin_group,sso_scopes,sso_on,sso_only', 'sso_break_glass', '{"sso_on": false, "sso_only": false, "sso_trusts_addresses": false, "sso_admits_domains": false, "sso_domains": "", "sso_groups_claim": "groups", "sso_scopes": ""}');
alter table single_sign_on enable row level security;
create policy tenant on single_sign_on as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table single_sign_on_links (
  tenant_id bigint not null,
  id bigint default nextval('single_sign_on_links_id_seq'::regclass) not null,
  user_id bigint not null,
  issuer text not null,
  subject text not null,
  created_at timestamp with time zone default now() not null,
  last_used_at timestamp with time zone default now() not null
);
alter table single_sign_on_links add constraint single_sign_on_links_pkey primary key (tenant_id, id);
alter table single_sign_on_links add constraint single_sign_on_links_tenant_id_fkey foreign key (tenant_id) references tenants(id);
alter table single_sign_on_links add constraint single_sign_on_links_tenant_id_issuer_subject_key unique (tenant_id, issuer, subject);
alter table single_sign_on_links add constraint single_sign_on_links_tenant_id_user_id_fkey foreign key (tenant_id, user_id) references users(tenant_id, id);
alter table single_sign_on_links add constraint single_sign_on_links_tenant_id_user_id_issuer_key unique (tenant_id, user_id, issuer);
alter table single_sign_on_links enable row level security;
create policy tenant on single_sign_on_links as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table single_sign_on_logouts (
  tenant_id bigint not null,
  id bigint default nextval('single_sign_on_logouts_id_seq'::regclass) not null,
  message_hash bytea not null,
  expires_at timestamp with time zone not null
);
alter table single_sign_on_logouts add constraint single_sign_on_logouts_pkey primary key (tenant_id, id);
alter table single_sign_on_logouts add constraint single_sign_on_logouts_tenant_id_fkey foreign key (tenant_id) references tenants(id);
alter table single_sign_on_logouts add constraint single_sign_on_logouts_tenant_id_message_hash_key unique (tenant_id, message_hash);
alter table single_sign_on_logouts enable row level security;
create policy tenant on single_sign_on_logouts as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table subscriptions (
  tenant_id bigint not null,
  id bigint default nextval('subscriptions_id_seq'::regclass) not null,
  company_id bigint not null,
  number text,
  title text,
  status text,
  amount numeric,
  currency text,
  starts_on date,
  ends_on date,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  changed_by text
);
alter table subscriptions add constraint subscriptions_check check (((number is not null) or (title is not null)));
alter table subscriptions add constraint subscriptions_pkey primary key (tenant_id, id);
alter table subscriptions add constraint subscriptions_tenant_id_company_id_fkey foreign key (tenant_id, company_id) references companies(tenant_id, id);
alter table subscriptions add constraint subscriptions_tenant_id_fkey foreign key (tenant_id) references tenants(id);
create index subscriptions_of_company on subscriptions (tenant_id, company_id);
alter table subscriptions enable row level security;
create policy tenant on subscriptions as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table tenants (
  id bigint default nextval('tenants_id_seq'::regclass) not null,
  slug text not null,
  name text not null,
  country text default 'Romania'::text not null,
  suspended_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  session_epoch integer default 0 not null,
  time_zone text default 'Europe/Bucharest'::text not null,
  orders_lost_at timestamp with time zone,
  deleting_at timestamp with time zone,
  orders_lost_slugs text[] default '{}'::text[] not null
);
alter table tenants add constraint tenants_pkey primary key (id);
alter table tenants add constraint tenants_slug_check check ((((slug ~ '^[a-z0-9](-?[a-z0-9])*$'::text) and (length(slug) <= 63) and (id > 0)) or ((slug = ''::text) and (id = 0))));
alter table tenants add constraint tenants_slug_key unique (slug);

create table tickets (
  tenant_id bigint not null,
  id bigint default nextval('tickets_id_seq'::regclass) not null,
  company_id bigint not null,
  number text,
  title text,
  status text,
  amount numeric,
  currency text,
  starts_on date,
  ends_on date,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  changed_by text
);
alter table tickets add constraint tickets_check check (((number is not null) or (title is not null)));
alter table tickets add constraint tickets_pkey primary key (tenant_id, id);
alter table tickets add constraint tickets_tenant_id_company_id_fkey foreign key (tenant_id, company_id) references companies(tenant_id, id);
alter table tickets add constraint tickets_tenant_id_fkey foreign key (tenant_id) references tenants(id);
create index tickets_of_company on tickets (tenant_id, company_id);
alter table tickets enable row level security;
create policy tenant on tickets as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table users (
  tenant_id bigint not null,
  id bigint default nextval('users_id_seq'::regclass) not null,
  email text not null,
  name text not null,
  role text default 'member'::text not null,
  password_hash text,
  deactivated_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  session_epoch integer default 0 not null,
  language text,
  theme text default 'system'::text not null,
  totp_secret text,
  totp_confirmed_at timestamp with time zone,
  totp_last_step bigint,
  second_factor_reset_at timestamp with time zone,
  second_factor_reset_by text,
  changed_by text,
  updated_at timestamp with time zone default now() not null,
  first_steps_hidden_at timestamp with time zone,
  digest_since timestamp with time zone,
  digest_on date,
  export_refused_at timestamp with time zone
);
alter table users add constraint users_language_check check ((language = any (array['en'::text, 'ro'::text])));
alter table users add constraint users_pkey primary key (tenant_id, id);
alter table users add constraint users_role_check check ((((role = any (array['admin'::text, 'member'::text])) and (tenant_id > 0)) or ((role = 'operator'::text) and (tenant_id = 0))));
alter table users add constraint users_tenant_id_fkey foreign key (tenant_id) references tenants(id);
alter table users add constraint users_theme_check check ((theme = any (array['light'::text, 'dark'::text, 'system'::text])));
create unique index users_email on users (tenant_id, lower(email));
create index users_left on users (tenant_id, id) where (deactivated_at is not null);
create index users_with_digest on users (tenant_id, id) where (digest_since is not null);
create trigger workspace_created after insert on users referencing new table as written for each statement execute function keep_workspace_history('user', 'name,email,role', 'deactivated_at,totp_confirmed_at,export_refused_at');
create trigger workspace_updated after update on users referencing old table as overwritten new table as written for each statement execute function keep_workspace_history('user', 'name,email,role', 'deactivated_at,totp_confirmed_at,export_refused_at');
alter table users enable row level security;
create policy tenant on users as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table value_entries (
  tenant_id bigint not null,
  record_id bigint not null,
  entry text not null collate "C"
);
alter table value_entries add constraint value_entries_pkey primary key (tenant_id, entry, record_id);
alter table value_entries enable row level security;
create policy tenant on value_entries as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table webhook_deliveries (
  tenant_id bigint not null,
  id bigint default nextval('webhook_deliveries_id_seq'::regclass) not null,
  webhook_id bigint not null,
  round integer not null,
  change_id bigint,
  test_id text,
  type text not null,
  resource text not null,
  state text default 'waiting'::text not null,
  attempts integer default 0 not null,
  last_status integer,
  last_error text,
  last_ms integer,
  next_at timestamp with time zone,
  delivered_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  last_answer text
);
alter table webhook_deliveries add constraint webhook_deliveries_pkey primary key (tenant_id, id);
alter table webhook_deliveries add constraint webhook_deliveries_state_check check ((state = any (array['waiting'::text, 'delivered'::text, 'given_up'::text])));
alter table webhook_deliveries add constraint webhook_deliveries_tenant_id_webhook_id_fkey foreign key (tenant_id, webhook_id) references webhooks(tenant_id, id);
create index webhook_deliveries_by_age on webhook_deliveries (tenant_id, created_at);
create index webhook_deliveries_due on webhook_deliveries (tenant_id, webhook_id, next_at, id) where (next_at is not null);
create index webhook_deliveries_of_webhook on webhook_deliveries (tenant_id, webhook_id, id);
create index webhook_deliveries_waiting on webhook_deliveries (tenant_id, webhook_id, round, resource, id) where (state = 'waiting'::text);
alter table webhook_deliveries enable row level security;
create policy tenant on webhook_deliveries as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table webhooks (
  tenant_id bigint not null,
  id bigint default nextval('webhooks_id_seq'::regclass) not null,
  url text not null,
  types text not null,
  active boolean not null,
  description text,
  secret text not null,
  previous_secret text,
  previous_until timestamp with time zone,
  "position" bigint not null,
  round integer default 0 not null,
  failing_since timestamp with time zone,
  switched_off text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  deleted_at timestamp with time zone,
  changed_by text,
  body text default 'change'::text not null,
  children boolean default false not null
);
alter table webhooks add constraint webhooks_pkey primary key (tenant_id, id);
alter table webhooks add constraint webhooks_switched_off_check check ((switched_off = any (array['gone'::text, 'failing'::text])));
alter table webhooks add constraint webhooks_tenant_id_fkey foreign key (tenant_id) references tenants(id);
create index webhooks_active on webhooks (tenant_id, id) where active;
create index webhooks_deleted on webhooks (tenant_id, id) where (deleted_at is not null);
create index webhooks_in_need on webhooks (tenant_id, id) where ((failing_since is not null) or (switched_off is not null));
create trigger webhook_written after insert or update of url, types, active, description, body, children, previous_until, deleted_at on webhooks for each row execute function keep_row_history('webhook', 'url,types,active,description,body,children,previous_until', 'deleted_at', '{}');
alter table webhooks enable row level security;
create policy tenant on webhooks as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table workspace_details (
  tenant_id bigint not null,
  id bigint default nextval('workspace_details_id_seq'::regclass) not null,
  vat_rates text default '21 11 0'::text not null,
  begins_with_vat boolean default false not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  changed_by text,
  payment_days integer default 30 not null,
  tax_id text,
  registration_number text,
  address text,
  phone text,
  email text,
  iban text,
  bank text,
  logo text,
  logo_at timestamp with time zone,
  reminder_texts jsonb,
  reminder_texts_at timestamp with time zone,
  mail_language text,
  warehouse_contact text
);
alter table workspace_details add constraint workspace_details_pkey primary key (tenant_id, id);
alter table workspace_details add constraint workspace_details_tenant_id_fkey foreign key (tenant_id) references tenants(id);
alter table workspace_details add constraint workspace_details_tenant_id_key unique (tenant_id);
create trigger workspace_details_written after insert or update of vat_rates, begins_with_vat, payment_days, tax_id, registration_number, address, phone, email, iban, bank, logo_at, reminder_texts_at, mail_language, warehouse_contact on workspace_details for each row execute function keep_row_history('workspace', 'vat_rates,begins_with_vat,payment_days,tax_id,registration_number,address,phone,email,iban,bank,logo_at,reminder_texts_at,mail_language,warehouse_contact', '', '{"vat_rates": "21 11 0", "begins_with_vat": false, "payment_days": 30}');
alter table workspace_details enable row level security;
create policy tenant on workspace_details as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create table workspace_warehouses (
  tenant_id bigint not null,
  id bigint default nextval('workspace_warehouses_id_seq'::regclass) not null,
  wms_subdomain text,
  wms_api_key text,
  wms_send_automatically boolean default false not null,
  wms_key_set_at timestamp with time zone,
  wms_key_set_by text,
  wms_key_refused_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  changed_by text
);
alter table workspace_warehouses add constraint workspace_warehouses_check check (((wms_subdomain is null) = (wms_api_key is null)));
alter table workspace_warehouses add constraint workspace_warehouses_pkey primary key (tenant_id, id);
alter table workspace_warehouses add constraint workspace_warehouses_tenant_id_fkey foreign key (tenant_id) references tenants(id);
alter table workspace_warehouses add constraint workspace_warehouses_tenant_id_key unique (tenant_id);
create trigger connection_written after insert or update of wms_subdomain, wms_key_set_at, wms_send_automatically on workspace_warehouses for each row execute function keep_row_history('workspace', 'wms_subdomain,wms_key_set_at,wms_send_automatically', '', '{"wms_send_automatically": false}');
alter table workspace_warehouses enable row level security;
create policy tenant on workspace_warehouses as permissive for all to liaison_app
  using ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)))
  with check ((tenant_id = nullif((nullif(current_setting('app.tenant_id'::text, true), ''::text))::bigint, 0)));

create view company_counts with (security_invoker=true) as
 with newest as (
         select distinct on (company_count_sums.tenant_id) company_count_sums.tenant_id,
            company_count_sums.generation,
            company_count_sums.oldest,
            company_count_sums.closing,
            company_count_sums.closing_xid,
            company_count_sums.total,
            company_count_sums.totals,
            company_count_sums.blocks,
            company_count_sums.statuses,
            company_count_sums.counts
           from company_count_sums
          order by company_count_sums.tenant_id, company_count_sums.generation desc
        ), counted as (
         select newest.tenant_id,
            summed.block,
            summed.status,
            summed.n
           from newest,
            lateral unnest(newest.blocks, newest.statuses, newest.counts) summed(block, status, n)
        union all
         select c.tenant_id,
            c.block,
            c.status,
            c.n
           from company_count_changes c
        )
 select counted.tenant_id,
    counted.block,
    counted.status,
    counted.n
   from counted
union all
 select counted.tenant_id,
    '-1'::integer as block,
    counted.status,
    counted.n
   from counted;

function activity_words(tenant bigint, note text) returns tsvector language plpgsql immutable parallel safe;
function add_to_paid(tenant bigint, invoice bigint, added numeric, author text) returns void language plpgsql;
function addresses_behind(company bigint, behind_default boolean, behind_id bigint, most bigint) returns table(id bigint) language plpgsql stable
  set search_path=pg_catalog, public, pg_temp
  set plan_cache_mode=force_custom_plan
  set enable_sort=off
  set enable_bitmapscan=off
  set enable_seqscan=off;
function addresses_created() returns trigger language plpgsql;
function addresses_updated() returns trigger language plpgsql;
function append_company_count(tenant bigint, changed_block bigint, changed_status text, difference bigint) returns void language plpgsql;
function append_value_counts(tenant bigint, before jsonb, after jsonb) returns void language plpgsql;
function claim_answers(tenant bigint, entries json) returns void language plpgsql;
function claim_external_ids(tenant bigint, resource_type text, resource bigint, external jsonb, all_or_none boolean) returns jsonb language plpgsql;
function claim_jobs(claimer text, wanted integer, wanted_each integer, lease interval, kinds text[], limits integer[], kept bigint[]) returns table(tenant_id bigint, id bigint, kind text, subject bigint, attempt bigint, tries integer, has_died boolean) language plpgsql security definer
  set search_path=pg_catalog, public, pg_temp;
function companies_after_insert() returns trigger language plpgsql;
function companies_after_update() returns trigger language plpgsql;
function companies_before_update() returns trigger language plpgsql;
function companies_created() returns trigger language plpgsql;
function companies_updated() returns trigger language plpgsql;
function companies_with_keys(of_ids bigint[], numbers text[], phones text[], name_keys text[], domains text[], most bigint) returns table(of_id bigint, id bigint, name text, tax_id text, phone text, email text, city text) language plpgsql stable security definer
  set search_path=pg_catalog, public, pg_temp
  set plan_cache_mode=force_generic_plan
  set enable_sort=off
  set enable_bitmapscan=off
  set enable_seqscan=off;
function company_ids_by_name(names text[]) returns table(ordinal bigint, id bigint) language plpgsql stable security definer
  set search_path=pg_catalog, public, pg_temp
  set plan_cache_mode=force_custom_plan
  set enable_sort=off
  set enable_bitmapscan=off
  set enable_seqscan=off;
function company_ids_by_tax_id(tax_ids text[]) returns table(ordinal bigint, id bigint) language plpgsql stable security definer
  set search_path=pg_catalog, public, pg_temp
  set plan_cache_mode=force_custom_plan
  set enable_sort=off
  set enable_seqscan=off;
function company_ids_by_tax_number(tax_ids text[]) returns table(ordinal bigint, id bigint, tax_id text) language plpgsql stable security definer
  set search_path=pg_catalog, public, pg_temp
  set plan_cache_mode=force_generic_plan
  set enable_sort=off
  set enable_bitmapscan=off
  set enable_seqscan=off;
function contact_ids_by_email(address text) returns table(id bigint) language plpgsql stable security definer
  set search_path=pg_catalog, public, pg_temp
  set plan_cache_mode=force_custom_plan
  set enable_sort=off
  set enable_bitmapscan=off
  set enable_seqscan=off;
function contacts_behind(company bigint, behind_primary boolean, behind_name text, behind_id bigint, most bigint) returns table(id bigint) language plpgsql stable security definer
  set search_path=pg_catalog, public, pg_temp
  set plan_cache_mode=force_custom_plan
  set enable_sort=off
  set enable_bitmapscan=off
  set enable_seqscan=off;
function contacts_created() returns trigger language plpgsql;
function contacts_updated() returns trigger language plpgsql;
function count_common_value() returns trigger language plpgsql;
function count_companies() returns trigger language plpgsql;
function count_sign_in(subjects bytea[], free integer[], moment timestamp with time zone) returns table(waiting bytea, waits_until timestamp with time zone) language plpgsql security definer
  set search_path=pg_catalog, public, pg_temp;
function custom_fields_created() returns trigger language plpgsql;
function custom_fields_updated() returns trigger language plpgsql;
function enqueue_mails() returns trigger language plpgsql;
function enqueue_wms_jobs(tenant bigint, company bigint, queued bigint[], poll_at timestamp with time zone) returns void language plpgsql;
procedure expect_nulls() language plpgsql;
function find_activities(typed text, most integer) returns table(id bigint) language plpgsql stable security definer
  set search_path=pg_catalog, public, pg_temp
  set plan_cache_mode=force_custom_plan
  set enable_bitmapscan=off
  set enable_seqscan=off;
function find_activities_by_words(tenant bigint, query tsquery, most integer) returns bigint[] language plpgsql stable
  set search_path=pg_catalog, public, pg_temp
  set plan_cache_mode=force_custom_plan
  set enable_seqscan=off
  set enable_indexscan=off
  set enable_indexonlyscan=off;
function find_companies(typed text, most integer) returns table(id bigint) language plpgsql stable security definer
  set search_path=pg_catalog, public, pg_temp
  set plan_cache_mode=force_custom_plan
  set enable_bitmapscan=off
  set enable_seqscan=off;
function find_companies_by_trigram(tenant bigint, patterns text[], most integer) returns bigint[] language plpgsql stable
  set search_path=pg_catalog, public, pg_temp
  set enable_seqscan=off
  set enable_indexscan=off
  set enable_indexonlyscan=off;
function find_companies_with_a_typo(tenant bigint, words text[], most integer, is_large boolean) returns bigint[] language plpgsql stable
  set search_path=pg_catalog, public, pg_temp
  set plan_cache_mode=force_custom_plan
  set enable_bitmapscan=off
  set enable_seqscan=off;
function find_contacts(typed text, most integer) returns table(id bigint, is_exact boolean) language plpgsql stable security definer
  set search_path=pg_catalog, public, pg_temp
  set plan_cache_mode=force_custom_plan
  set enable_bitmapscan=off
  set enable_seqscan=off;
function find_further_phones(tenant bigint, prefix text, most bigint) returns table(place text, id bigint) language plpgsql stable
  set search_path=pg_catalog, public, pg_temp
  set plan_cache_mode=force_custom_plan
  set enable_seqscan=off
  set enable_indexscan=off
  set enable_indexonlyscan=off;
function find_invoices(ending text, most bigint) returns table(id bigint) language plpgsql stable security definer
  set search_path=pg_catalog, public, pg_temp
  set plan_cache_mode=force_custom_plan
  set enable_sort=off
  set enable_seqscan=off;
function find_phones(prefixes text[], most bigint) returns table(place text, id bigint) language plpgsql stable security definer
  set search_path=pg_catalog, public, pg_temp
  set plan_cache_mode=force_custom_plan
  set enable_sort=off
  set enable_seqscan=off;
function finish_jobs(tenant bigint, entries json, is_strict boolean) returns setof boolean language plpgsql;
function fold(value text) returns text language plpgsql immutable parallel safe;
function fold_company_counts() returns trigger language plpgsql;
function fold_lane_news(moment timestamp with time zone, failures_to_close integer) returns void language plpgsql;
function forget_sign_ins(moment timestamp with time zone, keep bigint) returns void language plpgsql security definer
  set search_path=pg_catalog, public, pg_temp;
function forgive_sign_in(cleared bytea[], lowered bytea[]) returns void language plpgsql security definer
  set search_path=pg_catalog, public, pg_temp;
function hide_external_ids() returns trigger language plpgsql;
function history_json(resource_column text, column_type oid) returns text language sql immutable;
function history_of_external_ids(before jsonb, after jsonb) returns text language plpgsql immutable;
function history_of_metadata(before jsonb, after jsonb) returns text language plpgsql immutable;
function insert_custom_values(tenant bigint, record_noun text, record bigint, metadata jsonb) returns void language plpgsql;
function invitation_of_token(hash bytea) returns table(tenant_id bigint, id bigint) language plpgsql stable security definer
  set search_path=pg_catalog, public, pg_temp;
function invoices_after_delete() returns trigger language plpgsql;
function invoices_after_insert() returns trigger language plpgsql;
function invoices_after_update() returns trigger language plpgsql;
function invoices_before_insert() returns trigger language plpgsql;
function invoices_before_update() returns trigger language plpgsql;
function invoices_created() returns trigger language plpgsql;
function invoices_updated() returns trigger language plpgsql;
function is_rare_tax_id(tax_id text) returns boolean language plpgsql immutable parallel safe;
function is_settled(total numeric, paid numeric) returns boolean language sql immutable parallel safe;
function keep_external_ids() returns trigger language plpgsql;
procedure keep_history(in resource regclass, in resource_type text) language plpgsql;
function keep_row_history() returns trigger language plpgsql;
function keep_workspace_history() returns trigger language plpgsql;
function lanes_to_serve(claimer text, wanted integer, wanted_each integer, kinds text[], limits integer[], moment timestamp with time zone, failures_to_close integer) returns table(tenant_id bigint, name text, ready_at timestamp with time zone, ready_id bigint, is_failing boolean, running integer, held integer, lanes_left bigint) language plpgsql;
function matching_company_ids(search text, only_status text, only_assigned_to bigint, most bigint) returns bigint[] language plpgsql stable security definer
  set search_path=pg_catalog, public, pg_temp
  set enable_seqscan=off
  set enable_indexscan=off
  set enable_indexonlyscan=off;
function merge_company_search() returns void language sql security definer
  set search_path=pg_catalog, public, pg_temp;
function merge_external_ids(before jsonb, sent jsonb) returns jsonb language sql immutable parallel safe;
function moment_after(change timestamp with time zone) returns timestamp with time zone language plpgsql immutable parallel safe;
function move_company_count(tenant bigint, changed_block bigint, left_status text, new_status text) returns void language plpgsql;
function note_children(tenant bigint, company bigint, action text, company_at timestamp with time zone, author text) returns void language plpgsql;
function notify_lanes() returns trigger language plpgsql;
function number_changes() returns trigger language plpgsql
  set enable_sort=off;
function one_typo_patterns(word text) returns text[] language sql immutable parallel safe;
function one_typo_patterns_among(ids bigint[], texts text[], words text[], most integer) returns bigint[] language plpgsql immutable
  set search_path=pg_catalog, public, pg_temp;
function order_needs_at(wms_shown text, since timestamp with time zone, wms_moved_at timestamp with time zone, created_at timestamp with time zone, wms_open_since timestamp with time zone, wms_synced_at timestamp with time zone, wms_settled_at timestamp with time zone) returns timestamp with time zone language sql immutable;
function order_shown(status text, wms_state text, wms_order_id bigint, wms_instance text, wms_gone_at timestamp with time zone, wms_status text, wms_is_final boolean) returns text language sql immutable;
function passkey_of_credential(credential text, handle text) returns table(tenant_id bigint, id bigint) language plpgsql stable security definer
  set search_path=pg_catalog, public, pg_temp;
function payment_days_of(bigint, bigint) returns integer language plpgsql stable parallel safe;
function payments_after_write() returns trigger language plpgsql;
function payments_created() returns trigger language plpgsql;
function payments_created_together() returns trigger language plpgsql;
function payments_to_take_back(tenant bigint, invoice bigint, total numeric, paid numeric) returns table(id bigint, amount numeric) language plpgsql;
function payments_updated() returns trigger language plpgsql;
function phone_endings(tenant bigint, stored text) returns text[] language sql immutable parallel safe
  set search_path=pg_catalog, pg_temp;
function pick_jobs(tenant bigint, lane_name text, ready_at timestamp with time zone, ready_id bigint, moment timestamp with time zone, kinds text[], limits integer[], most integer, out picked bigint[], out next_at timestamp with time zone, out next_id bigint) returns record language plpgsql;
procedure plan_alike_for_tenants(in tenant_table regclass) language plpgsql;
function planned_calls_created() returns trigger language plpgsql;
function planned_calls_updated() returns trigger language plpgsql;
procedure protect_tenant_table(in tenant_table regclass) language plpgsql;
function release_external_ids(tenant bigint, resource_type text, resource bigint, external jsonb) returns void language plpgsql;
function renew_leases(claimer text, renewed bigint[], moment timestamp with time zone, lease interval) returns void language plpgsql;
function search_companies(search text, only_status text, only_assigned_to bigint, by_name boolean, descending boolean, page_size bigint, page_offset bigint) returns table(id bigint, total bigint) language plpgsql stable security definer
  set search_path=pg_catalog, public, pg_temp;
function search_companies_by_trigram(tenant bigint, pattern text, only_status text, only_assigned_to bigint, by_name boolean, descending boolean, page_size bigint, page_offset bigint) returns table(id bigint, total bigint) language plpgsql stable
  set search_path=pg_catalog, public, pg_temp
  set plan_cache_mode=force_generic_plan
  set enable_seqscan=off
  set enable_indexscan=off
  set enable_indexonlyscan=off;
function search_companies_by_walk(tenant bigint, pattern text, only_status text, only_assigned_to bigint, by_name boolean, descending boolean, page_size bigint, page_offset bigint) returns table(id bigint, total bigint) language plpgsql stable
  set search_path=pg_catalog, public, pg_temp
  set enable_bitmapscan=off
  set enable_seqscan=off;
function search_contacts(typed text, most integer) returns table(id bigint) language plpgsql stable security definer
  set search_path=pg_catalog, public, pg_temp
  set plan_cache_mode=force_custom_plan
  set enable_bitmapscan=off
  set enable_seqscan=off;
function search_pattern(value text) returns text language sql immutable parallel safe;
function sends_automatically(is_never boolean, subdomain text, key text, does_own boolean, workspace_key text, does_workspace boolean) returns boolean language sql immutable;
function session_of_token(hash bytea) returns table(tenant_id bigint, id bigint) language plpgsql stable security definer
  set search_path=pg_catalog, public, pg_temp;
function tax_number(tax_id text) returns text language plpgsql immutable parallel safe;
function today_of(tenant bigint) returns date language sql stable parallel safe;
function user_ids_by_email(address text) returns table(id bigint) language plpgsql stable security definer
  set search_path=pg_catalog, public, pg_temp
  set plan_cache_mode=force_custom_plan
  set enable_sort=off
  set enable_seqscan=off;
function value_entry(noun text, key text, value text) returns text language sql immutable parallel safe;
function warehouse_of_company(tenant bigint, company bigint, out subdomain text, out sends_automatically boolean) returns record language plpgsql stable;
function wms_jobs_of_created() returns trigger language plpgsql;
function workspace_differences(before jsonb, after jsonb, told text[], whether text[]) returns text language sql immutable;
function write_custom_values(tenant bigint, record_noun text, record bigint, before jsonb, after jsonb) returns void language plpgsql;
function write_external_ids(tenant bigint, resource_type text, resource bigint, before jsonb, after jsonb) returns void language plpgsql;
function write_former_ids(tenant bigint, company bigint, before jsonb, after jsonb) returns void language plpgsql;
function written_values(stored text, before jsonb, sent text) returns text language plpgsql immutable parallel safe;

grant execute on function claim_jobs(text,integer,integer,interval,text[],integer[],bigint[]) to liaison_app;
grant execute on function companies_with_keys(bigint[],text[],text[],text[],text[],bigint) to liaison_app;
grant execute on function company_ids_by_name(text[]) to liaison_app;
grant execute on function company_ids_by_tax_id(text[]) to liaison_app;
grant execute on function company_ids_by_tax_number(text[]) to liaison_app;
grant execute on function contact_ids_by_email(text) to liaison_app;
grant execute on function contacts_behind(bigint,boolean,text,bigint,bigint) to liaison_app;
grant execute on function count_sign_in(bytea[],integer[],timestamp with time zone) to liaison_app;
grant execute on function find_activities(text,integer) to liaison_app;
grant execute on function find_companies(text,integer) to liaison_app;
grant execute on function find_contacts(text,integer) to liaison_app;
grant execute on function find_invoices(text,bigint) to liaison_app;
grant execute on function find_phones(text[],bigint) to liaison_app;
grant execute on function forget_sign_ins(timestamp with time zone,bigint) to liaison_app;
grant execute on function forgive_sign_in(bytea[],bytea[]) to liaison_app;
grant execute on function invitation_of_token(bytea) to liaison_app;
grant execute on function matching_company_ids(text,text,bigint,bigint) to liaison_app;
grant execute on function merge_company_search() to liaison_app;
grant execute on function passkey_of_credential(text,text) to liaison_app;
grant execute on function search_companies(text,text,bigint,boolean,boolean,bigint,bigint) to liaison_app;
grant execute on function search_contacts(text,integer) to liaison_app;
grant execute on function session_of_token(bytea) to liaison_app;
grant execute on function user_ids_by_email(text) to liaison_app;
grant usage on sequence activities_id_seq to liaison_app;
grant usage on sequence addresses_id_seq to liaison_app;
grant usage on sequence alike_pairs_id_seq to liaison_app;
grant usage on sequence api_keys_id_seq to liaison_app;
grant usage on sequence changed_sales_id_seq to liaison_app;
grant usage on sequence changes_id_seq to liaison_app;
grant usage on sequence companies_id_seq to liaison_app;
grant usage on sequence company_count_changes_id_seq to liaison_app;
grant usage on sequence company_value_changes_id_seq to liaison_app;
grant usage on sequence company_value_sums_id_seq to liaison_app;
grant usage on sequence contacts_id_seq to liaison_app;
grant usage on sequence custom_fields_id_seq to liaison_app;
grant usage on sequence deals_id_seq to liaison_app;
grant usage on sequence import_changes_id_seq to liaison_app;
grant usage on sequence import_chunks_id_seq to liaison_app;
grant usage on sequence import_rejections_id_seq to liaison_app;
grant usage on sequence import_rows_id_seq to liaison_app;
grant usage on sequence imports_id_seq to liaison_app;
grant usage on sequence invitations_id_seq to liaison_app;
grant usage on sequence invoices_id_seq to liaison_app;
grant usage on sequence jobs_id_seq to liaison_app;
grant usage on sequence kept_answers_id_seq to liaison_app;
grant usage on sequence lane_news_id_seq to liaison_app;
grant usage on sequence list_views_id_seq to liaison_app;
grant usage on sequence mails_id_seq to liaison_app;
grant usage on sequence merges_id_seq to liaison_app;
grant usage on sequence migrations_id_seq to liaison_app;
grant usage on sequence offers_id_seq to liaison_app;
grant usage on sequence passkey_challenges_id_seq to liaison_app;
grant usage on sequence passkeys_id_seq to liaison_app;
grant usage on sequence payments_id_seq to liaison_app;
grant usage on sequence pending_requests_id_seq to liaison_app;
grant usage on sequence planned_calls_id_seq to liaison_app;
grant usage on sequence promises_id_seq to liaison_app;
grant usage on sequence recovery_codes_id_seq to liaison_app;
grant usage on sequence reminded_id_seq to liaison_app;
grant usage on sequence reminders_id_seq to liaison_app;
grant usage on sequence sessions_id_seq to liaison_app;
grant usage on sequence single_sign_on_id_seq to liaison_app;
grant usage on sequence single_sign_on_links_id_seq to liaison_app;
grant usage on sequence single_sign_on_logouts_id_seq to liaison_app;
grant usage on sequence subscriptions_id_seq to liaison_app;
grant usage on sequence tenants_id_seq to liaison_app;
grant usage on sequence tickets_id_seq to liaison_app;
grant usage on sequence users_id_seq to liaison_app;
grant usage on sequence webhook_deliveries_id_seq to liaison_app;
grant usage on sequence webhooks_id_seq to liaison_app;
grant usage on sequence workspace_details_id_seq to liaison_app;
grant usage on sequence workspace_warehouses_id_seq to liaison_app;
grant delete, insert, select, update on table activities to liaison_app;
grant delete, insert, select, update on table addresses to liaison_app;
grant delete, insert, select, update on table alike_pairs to liaison_app;
grant delete, insert, select, update on table alike_progress to liaison_app;
grant delete, insert, select, update on table api_keys to liaison_app;
grant delete, insert, select, update on table changed_sales to liaison_app;
grant insert, select, update on table changes to liaison_app;
grant delete, insert, select, update on table companies to liaison_app;
grant delete, insert, select, update on table company_count_changes to liaison_app;
grant delete, insert, select, update on table company_count_sums to liaison_app;
grant select on table company_counts to liaison_app;
grant delete, insert, select, update on table company_keys to liaison_app;
grant delete, insert, select, update on table company_sales to liaison_app;
grant delete, insert, select, update on table company_value_changes to liaison_app;
grant delete, insert, select, update on table company_value_sums to liaison_app;
grant delete, insert, select, update on table contacts to liaison_app;
grant delete, insert, select, update on table custom_fields to liaison_app;
grant delete, insert, select, update on table deals to liaison_app;
grant delete, insert, select, update on table external_ids to liaison_app;
grant delete, insert, select, update on table feed to liaison_app;
grant delete, insert, select, update on table feed_ticks to liaison_app;
grant delete, insert, select, update on table import_changes to liaison_app;
grant delete, insert, select, update on table import_chunks to liaison_app;
grant delete, insert, select, update on table import_mappings to liaison_app;
grant delete, insert, select, update on table import_rejections to liaison_app;
grant delete, insert, select, update on table import_rows to liaison_app;
grant delete, insert, select, update on table imports to liaison_app;
grant delete, insert, select, update on table invitations to liaison_app;
grant delete, insert, select, update on table invoices to liaison_app;
grant delete, insert, select, update on table jobs to liaison_app;
grant delete, insert, select, update on table kept_answers to liaison_app;
grant delete, insert, select, update on table key_requests to liaison_app;
grant delete, insert, select, update on table key_uses to liaison_app;
grant delete, insert, select, update on table lane_news to liaison_app;
grant delete, insert, select, update on table lanes to liaison_app;
grant delete, insert, select, update on table last_opened to liaison_app;
grant delete, insert, select, update on table list_columns to liaison_app;
grant delete, insert, select, update on table list_views to liaison_app;
grant delete, insert, select, update on table mails to liaison_app;
grant delete, insert, select, update on table merges to liaison_app;
grant delete, insert, select, update on table month_sales to liaison_app;
grant delete, insert, select, update on table not_alike to liaison_app;
grant delete, insert, select, update on table offers to liaison_app;
grant delete, insert, select, update on table passkey_challenges to liaison_app;
grant delete, insert, select, update on table passkeys to liaison_app;
grant delete, insert, select, update on table payments to liaison_app;
grant delete, insert, select, update on table pending_requests to liaison_app;
grant delete, insert, select, update on table planned_calls to liaison_app;
grant delete, insert, select, update on table promises to liaison_app;
grant delete, insert, select, update on table recovery_codes to liaison_app;
grant delete, insert, select, update on table reminded to liaison_app;
grant delete, insert, select, update on table reminders to liaison_app;
grant delete, insert, select, update on table sales_progress to liaison_app;
grant delete, insert, select, update on table sessions to liaison_app;
grant delete, insert, select, update on table single_sign_on to liaison_app;
grant delete, insert, select, update on table single_sign_on_links to liaison_app;
grant delete, insert, select, update on table single_sign_on_logouts to liaison_app;
grant delete, insert, select, update on table subscriptions to liaison_app;
grant select on table tenants to liaison_app;
grant delete, insert, select, update on table tickets to liaison_app;
grant delete, insert, select, update on table users to liaison_app;
grant delete, insert, select, update on table value_entries to liaison_app;
grant delete, insert, select, update on table webhook_deliveries to liaison_app;
grant delete, insert, select, update on table webhooks to liaison_app;
grant delete, insert, select, update on table workspace_details to liaison_app;
grant delete, insert, select, update on table workspace_warehouses to liaison_app;
