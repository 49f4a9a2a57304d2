-- Up Migration

-- Calls, e-mails and meetings with contacts. What was said stays said: requests add to it, and nobody edits it.
create table activities (
  tenant_id bigint not null references tenants (id),
  id bigserial not null,
  company_id bigint not null,
  contact_id bigint not null,
  kind text not null check (kind in ('call', 'email', 'meeting')),
  note text,
  -- As the contact's last_contacted_at was set to.
  at timestamptz not null,
  changed_by text not null,
  primary key (tenant_id, id)
);
call protect_tenant_table('activities');
revoke update, delete on activities from liaison_app;
alter table activities add foreign key (tenant_id, contact_id) references contacts (tenant_id, id);
create index activities_of_contact on activities (tenant_id, contact_id, at, id);
create index activities_of_company on activities (tenant_id, company_id, at, id);
grant usage on all sequences in schema public to liaison_app;

-- All that happened to a tenant's resources, and to a company and what belongs to it, by its time (docs/web.md 12).
create index changes_in_time on changes (tenant_id, at, id);
create index changes_of_company_in_time on changes (tenant_id, company_id, at, id);
