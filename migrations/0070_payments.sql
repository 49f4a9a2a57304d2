-- Payments of invoices. Their triggers come with 0072, after the invoices that exist have theirs (0071).

create table payments (
  tenant_id bigint not null references tenants (id), id bigserial not null,
  -- Of its invoice, which it follows to another company.
  company_id bigint not null,
  invoice_id bigint not null,
  -- Negative: a refund.
  amount numeric not null check (amount <> 0),
  paid_on date not null,
  means text not null default 'other' check (means in ('bank', 'cash', 'card', 'set_off', 'other')),
  reference text,
  external jsonb,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  changed_by text,
  primary key (tenant_id, id)
);
create index payments_of_invoice on payments (tenant_id, invoice_id, id);
create index payments_of_company on payments (tenant_id, company_id, paid_on, id) where deleted_at is null;
-- The payments after a day, which an ageing as of that day takes back.
create index payments_by_day on payments (tenant_id, paid_on, id) where deleted_at is null;
call protect_tenant_table('payments');
alter table payments add foreign key (tenant_id, invoice_id) references invoices (tenant_id, id) on delete cascade;
grant usage on all sequences in schema public to liaison_app;

-- The sum of the invoice's payments, which the database derives. Payments have a history of their own.
alter table invoices add column paid numeric not null default 0;
comment on column invoices.paid is 'history: hidden';
