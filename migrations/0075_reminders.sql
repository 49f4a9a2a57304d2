-- Reminders of overdue invoices, and the invoices that each lists; the days that companies promised to pay by.

create table reminders (
  tenant_id bigint not null references tenants (id), id bigserial not null,
  company_id bigint not null,
  -- The recipient; null: the company's own address. An erased contact leaves its id.
  contact_id bigint,
  -- The mail that sends it; null: a person has printed or copied it.
  mail_id bigint,
  -- The tone: first, second, third.
  level smallint not null check (level between 1 and 3),
  -- 'leaving': the mail server may have it. An attempt that dies there makes it 'unsure', and it is never sent again.
  state text not null default 'waiting'
    check (state in ('waiting', 'leaving', 'sent', 'unsure', 'dropped', 'failed')),
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  changed_by text not null,
  primary key (tenant_id, id)
);
create index reminders_of_company on reminders (tenant_id, company_id, id);
create index reminders_of_mail on reminders (tenant_id, mail_id) where mail_id is not null;
call protect_tenant_table('reminders');

create table reminded (
  tenant_id bigint not null references tenants (id), id bigserial not null,
  reminder_id bigint not null,
  invoice_id bigint not null,
  -- Why the letter left without it.
  left_out text check (left_out in ('paid', 'cancelled', 'corrected', 'not_due')),
  primary key (tenant_id, id)
);
create unique index reminded_once on reminded (tenant_id, reminder_id, invoice_id);
create index reminded_of_invoice on reminded (tenant_id, invoice_id, reminder_id);
call protect_tenant_table('reminded');
alter table reminded add foreign key (tenant_id, reminder_id) references reminders (tenant_id, id) on delete cascade;
alter table reminded add foreign key (tenant_id, invoice_id) references invoices (tenant_id, id) on delete cascade;

-- The newest promise of a company.
create table promises (
  tenant_id bigint not null references tenants (id), id bigserial not null,
  company_id bigint not null,
  until date not null,
  note text,
  created_at timestamptz not null default now(),
  changed_by text not null,
  primary key (tenant_id, id),
  unique (tenant_id, company_id)
);
create index promises_by_day on promises (tenant_id, until, company_id);
call protect_tenant_table('promises');
grant usage on all sequences in schema public to liaison_app;

-- The workspace's texts of reminders, by language and level; null: those of the program.
alter table workspace_details add column reminder_texts jsonb;

-- Who gets reminders and statements. Pages and files have it, the API's contact does not.
alter table contacts add column is_accounting boolean not null default false;
comment on column contacts.is_accounting is 'history: hidden';
call keep_history('contacts', 'contact');
