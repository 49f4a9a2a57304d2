-- What the workspace says about itself and about its sales: its own data, its VAT rates, its payment terms. Without a
-- row everything has its default.

create table workspace_details (
  tenant_id bigint not null references tenants (id), id bigserial not null,
  -- In percent, with blanks between them; the first is the one that new lines may begin with.
  vat_rates text not null default '21 11 0',
  begins_with_vat boolean not null default false,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  changed_by text,
  primary key (tenant_id, id),
  unique (tenant_id)
);
call protect_tenant_table('workspace_details');
create trigger workspace_details_written
  after insert or update of vat_rates, begins_with_vat on workspace_details
  for each row execute function keep_row_history(
    'workspace', 'vat_rates,begins_with_vat', '', '{"vat_rates": "21 11 0", "begins_with_vat": false}');
grant usage on all sequences in schema public to liaison_app;
