-- Load functions: keep_history

-- The company that this one was merged into. Its history calls it `into`.
alter table companies add column merged_into bigint;
-- The fiscal ids and external ids by which the company is found, although it shows others: those of merged companies.
alter table companies add column former_ids jsonb;
comment on column companies.former_ids is 'history: hidden';
call keep_history('companies', 'company');

-- Merges that happened, each with what an undo needs.
create table merges (
  tenant_id bigint not null references tenants (id), id bigserial not null,
  type text not null check (type in ('company', 'contact')),
  kept_id bigint not null,
  from_id bigint not null,
  -- The ids of the moved rows, by table.
  moved jsonb not null default '{}',
  -- The changed columns of the kept one, before and after. Encrypted; null once the merge cannot be undone any more.
  before text,
  merged_at timestamptz not null default now(),
  merged_by text not null,
  undone_at timestamptz,
  undone_by text,
  primary key (tenant_id, id)
);
create index merges_of_kept on merges (tenant_id, type, kept_id, id);
create index merges_of_merged on merges (tenant_id, type, from_id, id);
create index merges_with_values on merges (tenant_id, merged_at) where before is not null;
call protect_tenant_table('merges');
grant usage on all sequences in schema public to liaison_app;
