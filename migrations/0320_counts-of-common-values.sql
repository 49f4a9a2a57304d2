-- Exact counts of the values of custom fields that many companies have (docs/decisions/0020-appended-counts.md).

-- The values whose counts are kept.
create table company_value_sums (
  tenant_id bigint not null references tenants (id), id bigserial not null,
  key text collate "C" not null, value text collate "C" not null,
  -- Null until the companies are counted.
  n bigint,
  -- A transaction that began to write after this row was there. When all before it are over, every writer sees the row.
  closing_xid xid8,
  -- The last day on which a list asked for the count.
  asked_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, key, value)
);
call protect_tenant_table('company_value_sums');

-- The changes since.
create table company_value_changes (
  -- No reference to tenants: the counted company has one.
  tenant_id bigint not null, sum_id bigint not null, id bigserial not null,
  n bigint not null,
  primary key (tenant_id, sum_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
call protect_tenant_table('company_value_changes');
grant usage on all sequences in schema public to liaison_app;

-- Load functions: value_entry, append_value_counts, count_common_value, insert_custom_values, write_custom_values
create trigger count before insert on company_value_sums
  for each row when (new.n is null) execute function count_common_value();
