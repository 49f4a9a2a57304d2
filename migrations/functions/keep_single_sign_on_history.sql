-- The history of the workspace's single sign-on, as a change of the workspace. For each row, because the table has one.
-- Encrypting a secret again is no change.
create or replace function keep_single_sign_on_history() returns trigger language plpgsql as $$
declare
  -- Outside of the statement: Citus translates such a case wrongly for its nodes.
  before constant jsonb := case when tg_op = 'INSERT' then '{"sso_on": false, "sso_only": false, "sso_trusts_addresses": false,
    "sso_admits_domains": false, "sso_domains": "", "sso_groups_claim": "groups"}' else to_jsonb(old) end;
  changed constant text := public.workspace_differences(before, to_jsonb(new), '{sso_issuer,sso_client_id,sso_secret_set_at,sso_domains,sso_trusts_addresses,sso_admits_domains,sso_groups_claim,sso_admin_group,sso_on,sso_only}', '{sso_break_glass}');
begin
  if changed <> '{}' then
    insert into public.changes (tenant_id, at, type, resource_id, action, changed, changed_by)
    values (new.tenant_id, clock_timestamp(), 'workspace', new.tenant_id, 'updated', changed, coalesce(new.changed_by, 'command'));
  end if;
  return null;
end
$$;
