-- Calls to come, several for a company. companies.callback_date is the day of the next one: a write of it writes that
-- call (companies_before_update), and a writer of calls writes it.

create table planned_calls (
  tenant_id bigint not null references tenants (id), id bigserial not null,
  company_id bigint not null,
  -- The person to call; null: anybody.
  contact_id bigint,
  -- The invoice that the call is about, which an undo of its import may remove.
  invoice_id bigint,
  due_on date not null,
  about text,
  -- The user who should call; null: the company's owner.
  assigned_to bigint,
  -- The author of the plan, in the format of changed_by.
  planned_by text,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  -- Since when it is not to come any more: made, or not needed.
  deleted_at timestamptz,
  changed_by text,
  primary key (tenant_id, id)
);
comment on column planned_calls.planned_by is 'history: hidden';
create index calls_ever_of_company on planned_calls (tenant_id, company_id);
create index calls_to_come on planned_calls (tenant_id, due_on, id) where deleted_at is null;
create index calls_of_company on planned_calls (tenant_id, company_id, due_on, id) where deleted_at is null;
create index calls_with_contact on planned_calls (tenant_id, contact_id, id) where contact_id is not null;
create index calls_about_invoice on planned_calls (tenant_id, invoice_id, due_on, id) where deleted_at is null and invoice_id is not null;
call protect_tenant_table('planned_calls');
alter table planned_calls add foreign key (tenant_id, company_id) references companies (tenant_id, id) on delete cascade;
alter table planned_calls add foreign key (tenant_id, contact_id) references contacts (tenant_id, id);
grant usage on all sequences in schema public to liaison_app;

-- One function for each moment: the external ids and the next call.
-- Load functions: hide_external_ids, companies_after_insert, companies_before_update
drop trigger external_created on companies;
drop trigger external_hidden on companies;
create trigger after_insert after insert on companies for each row
  when ((new.external is not null and new.deleted_at is null) or new.callback_date is not null)
  execute function companies_after_insert();
create trigger before_update before update of deleted_at, callback_date on companies for each row
  when ((new.deleted_at is null) <> (old.deleted_at is null) or new.callback_date is distinct from old.callback_date)
  execute function companies_before_update();

-- An erasure also empties the changes of calls.
drop policy emptied on changes;
create policy emptied on changes for update to liaison_app
  using (tenant_id = nullif(nullif(current_setting('app.tenant_id', true), '')::bigint, 0) and type in ('contact', 'planned_call'))
  with check (tenant_id = nullif(nullif(current_setting('app.tenant_id', true), '')::bigint, 0) and type in ('contact', 'planned_call')
    and changed = '{}');
