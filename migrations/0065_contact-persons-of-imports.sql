-- An import of companies also writes the contacts of their contact persons. Both are numbered by themselves, so one
-- import may have a company and a contact of one number: 0066 has the index that decides.
alter table import_rows add column is_person boolean not null default false;
alter table import_rows drop constraint import_rows_tenant_id_import_id_resource_id_key;
