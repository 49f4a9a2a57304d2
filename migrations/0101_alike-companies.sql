-- Companies that look the same. A job computes all of this from the companies and their history: writes cost nothing.

-- The keys by which a company may look like others: fiscal id, phone, domain of e-mail, name (src/customers/alike/).
create table company_keys (
  tenant_id bigint not null references tenants (id),
  company_id bigint not null,
  key text collate "C" not null,
  primary key (tenant_id, key, company_id)
);
create index company_keys_of_company on company_keys (tenant_id, company_id);
call protect_tenant_table('company_keys');

-- Two companies that look the same. The first has the smaller id.
create table alike_pairs (
  tenant_id bigint not null references tenants (id), id bigserial not null,
  one_id bigint not null,
  other_id bigint not null,
  evidence text[] not null,
  -- 0: sure, 1: probable.
  place smallint not null,
  primary key (tenant_id, id),
  unique (tenant_id, one_id, other_id)
);
create index alike_pairs_in_order on alike_pairs (tenant_id, place, id);
create index alike_pairs_of_other on alike_pairs (tenant_id, other_id);
call protect_tenant_table('alike_pairs');

-- Pairs of which a person said that they are two companies.
create table not_alike (
  tenant_id bigint not null references tenants (id),
  one_id bigint not null,
  other_id bigint not null,
  said_by text not null,
  said_at timestamptz not null default now(),
  primary key (tenant_id, one_id, other_id)
);
create index not_alike_in_time on not_alike (tenant_id, said_at desc, one_id);
call protect_tenant_table('not_alike');

-- The progress of the job: first through all companies by id, then through their changes.
create table alike_progress (
  tenant_id bigint not null references tenants (id),
  id bigint not null default 0,
  walked_id bigint not null default 0,
  is_walked boolean not null default false,
  seen_at timestamptz not null default now(),
  seen_id bigint not null default 0,
  caught_up_at timestamptz,
  primary key (tenant_id, id)
);
call protect_tenant_table('alike_progress');
grant usage on all sequences in schema public to liaison_app;
