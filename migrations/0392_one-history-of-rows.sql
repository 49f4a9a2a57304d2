-- Up Migration

-- One function records the changes of a webhook, of the workspace's connection and of its single sign-on. A database
-- that has the migrations 0002, 0230 and 0330 already has triggers with a function for each.
-- Load functions: keep_row_history
create or replace trigger webhook_written
  after insert or update of url, types, active, description, body, children, previous_until, deleted_at on webhooks
  for each row execute function keep_row_history(
    'webhook', 'url,types,active,description,body,children,previous_until', 'deleted_at', '{}');

drop trigger if exists connection_created on workspace_warehouses;
drop trigger if exists connection_updated on workspace_warehouses;
create trigger connection_written
  after insert or update of wms_subdomain, wms_key_set_at, wms_send_automatically on workspace_warehouses
  for each row execute function keep_row_history(
    'workspace', 'wms_subdomain,wms_key_set_at,wms_send_automatically', '', '{"wms_send_automatically": false}');

drop trigger if exists single_sign_on_created on single_sign_on;
drop trigger if exists single_sign_on_updated on single_sign_on;
create trigger single_sign_on_written
  after insert or update of sso_issuer, sso_client_id, sso_secret_set_at, sso_domains, sso_trusts_addresses,
    sso_admits_domains, sso_groups_claim, sso_admin_group, sso_on, sso_only, sso_break_glass on single_sign_on
  for each row execute function keep_row_history(
    'workspace', 'sso_issuer,sso_client_id,sso_secret_set_at,sso_domains,sso_trusts_addresses,sso_admits_domains,sso_groups_claim,sso_admin_group,sso_on,sso_only',
    'sso_break_glass', '{"sso_on": false, "sso_only": false, "sso_trusts_addresses": false, "sso_admits_domains": false, "sso_domains": "", "sso_groups_claim": "groups"}');

drop function if exists keep_webhook_history, keep_workspace_connection_history, keep_single_sign_on_history;
