-- Sums of sales, which a job makes from the invoices; only changes of older invoices are noted beside the writes.

-- What a company bought in a currency ('': none) until the end of each month in which it bought. A month is
-- year * 12 + month - 1.
create table company_sales (
  tenant_id bigint not null references tenants (id),
  company_id bigint not null,
  currency text not null,
  months integer[] not null,
  sold numeric[] not null,
  invoices integer[] not null,
  primary key (tenant_id, company_id, currency)
);
call protect_tenant_table('company_sales');

-- The sums of company_sales by month.
create table month_sales (
  tenant_id bigint not null references tenants (id),
  month integer not null,
  currency text not null,
  sold numeric not null,
  invoices bigint not null,
  primary key (tenant_id, month, currency)
);
call protect_tenant_table('month_sales');

-- The companies whose older sales changed, in the order of the changes, until the job sums them up again.
create table changed_sales (
  tenant_id bigint not null references tenants (id), id bigserial not null,
  company_id bigint not null,
  primary key (tenant_id, id)
);
call protect_tenant_table('changed_sales');

-- The progress of the job: through all companies by id for the months until `target`. `until`: the last month that is
-- summed up of every company.
create table sales_progress (
  tenant_id bigint not null references tenants (id),
  id bigint not null default 0,
  until integer,
  target integer not null,
  walked_id bigint not null default 0,
  is_cleared boolean not null default false,
  primary key (tenant_id, id)
);
call protect_tenant_table('sales_progress');
grant usage on all sequences in schema public to liaison_app;

-- Load functions: invoices_after_insert, invoices_after_update, invoices_after_delete
-- Three days: the sums leave out the last seven, so that no transaction writes an invoice without a note while its
-- month is summed up. The second argument enables the step.
create or replace trigger after_insert after insert on invoices for each row
  when (new.external is not null or new.metadata is not null or new.paid <> 0
    or (new.issued_on < current_date - 3 and new.status in ('issued', 'paid')))
  execute function invoices_after_insert('with metadata', 'with sales');
create or replace trigger after_update after update on invoices for each row
  when (new.external is distinct from old.external or new.metadata is distinct from old.metadata or new.paid <> old.paid
    or new.company_id <> old.company_id or (new.status = 'draft' and old.status <> 'draft')
    or (least(old.issued_on, new.issued_on) < current_date - 3
      and (old.issued_on is distinct from new.issued_on or old.total is distinct from new.total
        or old.currency is distinct from new.currency
        or (old.status in ('issued', 'paid')) <> (new.status in ('issued', 'paid')))))
  execute function invoices_after_update('with metadata', 'with sales');
drop trigger external_removed on invoices;
create trigger after_delete after delete on invoices for each row
  when (old.external is not null or old.metadata is not null or old.issued_on < current_date - 3)
  execute function invoices_after_delete();
