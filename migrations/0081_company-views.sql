-- Up Migration

-- Filters of the list of companies that somebody keeps under a name, for oneself or for everybody of the workspace: a query string,
-- written in one way, so that the list knows which of them it shows.
create table company_views (
  tenant_id bigint not null references tenants (id),
  id bigserial not null,
  user_id bigint not null,
  is_for_all boolean not null default false,
  name text not null,
  filters text not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id)
);
call protect_tenant_table('company_views');
grant usage on all sequences in schema public to liaison_app;
alter table company_views add foreign key (tenant_id, user_id) references users (tenant_id, id);

-- One name is one view, of everybody's and of each one's own.
create unique index company_views_own on company_views (tenant_id, user_id, name) where not is_for_all;
create unique index company_views_for_all on company_views (tenant_id, name) where is_for_all;
