-- Up Migration

-- Notes too, and whatever is said with nobody in particular. Whoever wrote one mends it, and takes it back.
alter table activities drop constraint activities_kind_check;
alter table activities add constraint activities_kind_check check (kind in ('note', 'call', 'email', 'meeting'));
alter table activities alter column contact_id drop not null;
grant update, delete on activities to liaison_app;

-- When somebody of the company was last called, written to or met. It is no change of the company that anybody else's form is in the
-- way of, and the activity itself tells of it.
alter table companies add column last_contacted_at timestamptz;
call keep_history('companies', 'company', encrypted => '{phone}', hidden =>
  '{wms_api_key,wms_key_set_at,wms_key_set_by,wms_send_automatically,last_contacted_at}');
update companies c set last_contacted_at = k.at
from (select tenant_id, company_id, max(last_contacted_at) as at from contacts group by tenant_id, company_id) k
where k.tenant_id = c.tenant_id and k.company_id = c.id and k.at is not null;
