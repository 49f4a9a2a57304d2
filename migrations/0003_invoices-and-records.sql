-- Up Migration

create table invoices (
  tenant_id bigint not null references tenants (id),
  id bigserial not null,
  company_id bigint not null,
  number text not null,
  issued_on date,
  due_on date,
  total numeric,
  currency text,
  status text not null default 'issued' check (status in ('draft', 'issued', 'paid', 'cancelled')),
  -- The warehouse order that the invoice became. (wms_instance, wms_order_id) is the stable identifier across systems.
  wms_instance text,
  wms_order_id bigint,
  wms_order_number text,
  wms_status text,
  wms_synced_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, number),
  foreign key (tenant_id, company_id) references companies (tenant_id, id)
);
create index invoices_of_company on invoices (tenant_id, company_id);
create index invoices_wms_orders on invoices (tenant_id, company_id, wms_synced_at desc nulls last, id)
  where wms_order_id is not null;

create table invoice_lines (
  tenant_id bigint not null references tenants (id),
  id bigserial not null,
  invoice_id bigint not null,
  position integer not null,
  sku text,
  description text not null,
  quantity numeric not null,
  unit_price numeric not null,
  primary key (tenant_id, id),
  unique (tenant_id, invoice_id, position),
  foreign key (tenant_id, invoice_id) references invoices (tenant_id, id)
);

-- Four kinds of record that hold a company back from deletion, of one shape.
create table offers (
  tenant_id bigint not null references tenants (id),
  id bigserial not null,
  company_id bigint not null,
  number text,
  title text,
  status text,
  amount numeric,
  currency text,
  starts_on date,
  ends_on date,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  check (number is not null or title is not null),
  foreign key (tenant_id, company_id) references companies (tenant_id, id)
);
create index offers_of_company on offers (tenant_id, company_id);

create table deals (
  tenant_id bigint not null references tenants (id),
  id bigserial not null,
  company_id bigint not null,
  number text,
  title text,
  status text,
  amount numeric,
  currency text,
  starts_on date,
  ends_on date,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  check (number is not null or title is not null),
  foreign key (tenant_id, company_id) references companies (tenant_id, id)
);
create index deals_of_company on deals (tenant_id, company_id);

create table tickets (
  tenant_id bigint not null references tenants (id),
  id bigserial not null,
  company_id bigint not null,
  number text,
  title text,
  status text,
  amount numeric,
  currency text,
  starts_on date,
  ends_on date,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  check (number is not null or title is not null),
  foreign key (tenant_id, company_id) references companies (tenant_id, id)
);
create index tickets_of_company on tickets (tenant_id, company_id);

create table subscriptions (
  tenant_id bigint not null references tenants (id),
  id bigserial not null,
  company_id bigint not null,
  number text,
  title text,
  status text,
  amount numeric,
  currency text,
  starts_on date,
  ends_on date,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  check (number is not null or title is not null),
  foreign key (tenant_id, company_id) references companies (tenant_id, id)
);
create index subscriptions_of_company on subscriptions (tenant_id, company_id);

call protect_tenant_table('invoices');
call protect_tenant_table('invoice_lines');
call protect_tenant_table('offers');
call protect_tenant_table('deals');
call protect_tenant_table('tickets');
call protect_tenant_table('subscriptions');
grant usage on all sequences in schema public to liaison_app;
