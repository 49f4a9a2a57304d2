-- Up Migration

-- Contacts of all companies are looked up by their e-mail address (docs/contract.md 5.9).
-- Load functions: fold, contact_ids_by_email
revoke all on function contact_ids_by_email from public;
grant execute on function contact_ids_by_email to liaison_app;
