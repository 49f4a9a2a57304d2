-- The person to ask at a company's own warehouse.

alter table companies add column wms_contact text;
comment on column companies.wms_contact is 'history: hidden';
call keep_history('companies', 'company');
