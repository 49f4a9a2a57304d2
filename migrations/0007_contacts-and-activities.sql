-- Contacts, addresses and activities of companies, and the records that hold a company back from deletion.

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
  external jsonb,
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
-- A deleted company finds the external ids that are hidden with it.
create index contacts_with_external_ids on contacts (tenant_id, company_id) where external is not null;
call protect_tenant_table('contacts');
comment on column contacts.phone is 'history: encrypted';
comment on column contacts.mobile is 'history: encrypted';
call keep_history('contacts', 'contact');
create trigger external_created after insert on contacts for each row
  when (new.external is not null and new.deleted_at is null) execute function keep_external_ids('contact', 'of company');
create trigger external_updated after update of external on contacts for each row
  when (new.external is distinct from old.external and new.deleted_at is null and old.deleted_at is null)
  execute function keep_external_ids('contact', 'of company');
create trigger external_removed after delete on contacts for each row
  when (old.external is not null) execute function keep_external_ids('contact');
create trigger external_hidden before update of deleted_at on contacts for each row
  when ((new.deleted_at is null) <> (old.deleted_at is null) and new.external is not null)
  execute function hide_external_ids('contact');

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
  external jsonb,
  primary key (tenant_id, id), foreign key (tenant_id, company_id) references companies (tenant_id, id)
);
create index addresses_of_company on addresses (tenant_id, company_id, is_default desc, id);
create index addresses_by_phone on addresses (tenant_id, (split_part(phone, '=', 2) collate "C"))
  where deleted_at is null and phone is not null;
create index addresses_with_external_ids on addresses (tenant_id, company_id) where external is not null;
call protect_tenant_table('addresses');
comment on column addresses.phone is 'history: encrypted';
call keep_history('addresses', 'address');
create trigger external_created after insert on addresses for each row
  when (new.external is not null and new.deleted_at is null) execute function keep_external_ids('address', 'of company');
create trigger external_updated after update of external on addresses for each row
  when (new.external is distinct from old.external and new.deleted_at is null and old.deleted_at is null)
  execute function keep_external_ids('address', 'of company');
create trigger external_removed after delete on addresses for each row
  when (old.external is not null) execute function keep_external_ids('address');
create trigger external_hidden before update of deleted_at on addresses for each row
  when ((new.deleted_at is null) <> (old.deleted_at is null) and new.external is not null)
  execute function hide_external_ids('address');

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
  -- The next call that the activity arranged, and the moment of the company's change that this was: the two are shown
  -- as one.
  callback_date date, told_at timestamptz,
  primary key (tenant_id, id), foreign key (tenant_id, contact_id) references contacts (tenant_id, id)
);
create index activities_of_contact on activities (tenant_id, contact_id, at, id);
create index activities_of_company on activities (tenant_id, company_id, at, id);
-- All of a tenant's activities in the order of time, and those that a company's change is shown with.
create index activities_by_time on activities (tenant_id, at, id);
create index activities_that_tell on activities (tenant_id, company_id, told_at);
-- Notes by their words (docs/decisions/0052-finding-anything.md). The tenant is there for the planner: the index
-- answers the whole condition, so no index of the tenant alone is read beside it. Without a list of pending entries,
-- because a search would read all of it.
-- Load functions: activity_words
create index activities_by_words on activities
  using gin (activity_words(tenant_id, note), tenant_id) with (fastupdate = off) where note is not null;
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

-- Look-ups, pages and searches.
-- Load functions: contact_ids_by_email, contacts_behind, addresses_behind, find_phones, find_contacts, search_contacts
-- Load functions: find_activities_by_words, find_activities
revoke all on function contact_ids_by_email, contacts_behind, find_phones, find_contacts, search_contacts,
  find_activities_by_words, find_activities from public;
grant execute on function contact_ids_by_email, contacts_behind, find_phones, find_contacts, search_contacts,
  find_activities to liaison_app;
grant usage on all sequences in schema public to liaison_app;
