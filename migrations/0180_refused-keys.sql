-- Up Migration

-- When the warehouse of a company last refused its key; null since a call worked, or another key was saved.
alter table companies add column wms_key_refused_at timestamptz;
call keep_history('companies', 'company', encrypted => '{phone}', hidden =>
  '{wms_api_key,wms_key_set_at,wms_key_set_by,wms_key_refused_at,wms_send_automatically,wms_former_checked_at,last_contacted_at}');
