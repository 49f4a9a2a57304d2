-- Up Migration

-- Scopes that a workspace requests beside the usual ones, with blanks between them; and when somebody last signed in
-- without all groups.
alter table single_sign_on add column sso_scopes text not null default '';
alter table single_sign_on add column sso_groups_unknown_at timestamptz;
create or replace trigger single_sign_on_written
  after insert or update of sso_issuer, sso_client_id, sso_secret_set_at, sso_domains, sso_trusts_addresses,
    sso_admits_domains, sso_groups_claim, sso_admin_group, sso_scopes, sso_on, sso_only, sso_break_glass
    on single_sign_on
  for each row execute function keep_row_history(
    'workspace', 'sso_issuer,sso_client_id,sso_secret_set_at,sso_domains,sso_trusts_addresses,sso_admits_domains,sso_groups_claim,sso_admin_group,sso_scopes,sso_on,sso_only',
    'sso_break_glass', '{"sso_on": false, "sso_only": false, "sso_trusts_addresses": false, "sso_admits_domains": false, "sso_domains": "", "sso_groups_claim": "groups", "sso_scopes": ""}');
