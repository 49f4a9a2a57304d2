-- Up Migration

-- How a company's invoices are sent belongs to its connection, and is no change of the company.
call keep_history('companies', 'company', encrypted => '{phone}', hidden =>
  '{wms_api_key,wms_key_set_at,wms_key_set_by,wms_send_automatically}');
