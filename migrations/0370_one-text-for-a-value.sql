-- The values of custom fields are found by one text instead of four columns: the index of each is read and written for
-- each value of a record. 0122 creates this table in a new database; it had custom_values before.
-- Load functions: value_entry, insert_custom_values, write_custom_values, append_value_counts, count_common_value

do $$
begin
  if to_regclass('public.value_entries') is null then
    create table value_entries (
      tenant_id bigint not null,
      record_id bigint not null,
      entry text collate "C" not null,
      primary key (tenant_id, entry, record_id)
    );
    call protect_tenant_table('value_entries');
  end if;
end $$;
