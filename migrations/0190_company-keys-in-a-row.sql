-- The keys of a company are one row, and a digest in it says what they were made of: a write that changes none of it is
-- not compared again. Fiscal ids and phones have indexes of the companies themselves.

drop table company_keys;
create table company_keys (
  tenant_id bigint not null,
  company_id bigint not null,
  name_key text collate "C",
  domain text collate "C",
  compared bigint not null,
  primary key (tenant_id, company_id)
);
create index company_keys_by_name on company_keys (tenant_id, name_key, company_id) where name_key is not null;
create index company_keys_by_domain on company_keys (tenant_id, domain, company_id) where domain is not null;
call protect_tenant_table('company_keys');

-- All companies are walked through again.
update alike_progress set walked_id = 0, is_walked = false;

-- Load functions: is_rare_tax_id, companies_with_keys
revoke all on function companies_with_keys from public;
grant execute on function companies_with_keys to liaison_app;
