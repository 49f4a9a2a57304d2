-- The language of mails to customers, and the person to ask at the workspace's warehouse.

alter table workspace_details add column mail_language text, add column warehouse_contact text;
create or replace trigger workspace_details_written
  after insert or update of vat_rates, begins_with_vat, payment_days, tax_id, registration_number, address, phone, email, iban,
    bank, logo_at, reminder_texts_at, mail_language, warehouse_contact on workspace_details
  for each row execute function keep_row_history(
    'workspace',
    'vat_rates,begins_with_vat,payment_days,tax_id,registration_number,address,phone,email,iban,bank,logo_at,reminder_texts_at,mail_language,warehouse_contact',
    '', '{"vat_rates": "21 11 0", "begins_with_vat": false, "payment_days": 30}');
