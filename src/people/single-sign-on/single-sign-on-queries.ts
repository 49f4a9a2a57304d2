import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { quickQuery, slowQuery, writeQuery } from "../../platform/postgres/query.ts";
import { column, oneValue, selectList, type Selected, type Statement } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";

const columns = selectList({
  issuer: column.text("s.sso_issuer"),
  clientId: column.text("s.sso_client_id"),
  /** Encrypted. */
  secret: column.text("s.sso_client_secret"),
  secretSetAt: column.text("s.sso_secret_set_at"),
  /** With blanks between them. */
  domains: column.text("s.sso_domains"),
  trustsAddresses: column.flag("s.sso_trusts_addresses"),
  admitsDomains: column.flag("s.sso_admits_domains"),
  groupsClaim: column.text("s.sso_groups_claim"),
  adminGroup: "s.sso_admin_group",
  /** Requested beside the usual ones, with blanks between them. */
  scopes: column.text("s.sso_scopes"),
  /** When somebody last signed in without all groups, so that the role stayed. */
  groupsUnknownAt: "s.sso_groups_unknown_at",
  isOn: column.flag("s.sso_on"),
  isOnly: column.flag("s.sso_only"),
  breakGlass: "s.sso_break_glass",
  /** Also null if the admin has no second factor any more. */
  breakGlassName: `(select u.name from users u where u.tenant_id = $1 and u.id = s.sso_break_glass and u.totp_confirmed_at is not null)`,
  triedAt: "s.sso_tried_at",
});

/** The single sign-on of a workspace as it is stored. Timestamps are PostgreSQL's text. */
export type StoredSingleSignOn = Selected<typeof columns>;

export const findSingleSignOn = quickQuery(
  "find_single_sign_on",
  `select ${columns.sql} from single_sign_on s where s.tenant_id = $1`,
).first(columns.read);

/** The settings that an admin writes. `secret` is encrypted; null keeps the stored one. */
export type SettingsToSave = Pick<
  StoredSingleSignOn,
  "issuer" | "clientId" | "domains" | "trustsAddresses" | "admitsDomains" | "groupsClaim" | "adminGroup" | "scopes"
> & { secret: string | null; by: string };

const insertStatement: Statement = {
  name: "insert_single_sign_on",
  text: `insert into single_sign_on (tenant_id, sso_issuer, sso_client_id, sso_domains, sso_trusts_addresses, sso_admits_domains,
    sso_groups_claim, sso_admin_group, changed_by, sso_client_secret, sso_scopes)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  on conflict (tenant_id) do nothing returning id`,
};

const updateStatement: Statement = {
  name: "update_single_sign_on",
  // A cluster accepts no now() inside coalesce (decision 21).
  // Another provider, client or secret has not been tried. Only a provider that is off can be replaced.
  text: `update single_sign_on s set sso_issuer = $2, sso_client_id = $3, sso_domains = $4, sso_trusts_addresses = $5,
    sso_admits_domains = $6, sso_groups_claim = $7, sso_admin_group = $8, changed_by = $9, sso_scopes = $11, sso_groups_unknown_at = null,
    sso_client_secret = coalesce($10, sso_client_secret),
    sso_secret_set_at = coalesce(to_timestamp($12::double precision / 1000), sso_secret_set_at),
    sso_tried_at = case when $10::text is null and sso_issuer = $2 and sso_client_id = $3 then sso_tried_at end,
    updated_at = moment_after(s.updated_at)
  where s.tenant_id = $1 and (not s.sso_on or s.sso_issuer = $2 and s.sso_client_id = $3) returning id`,
};

/** False if the provider was replaced while it is on, or the first settings have no secret. */
export async function saveSettings(tenant: TenantId, database: Database, settings: SettingsToSave): Promise<boolean> {
  const { issuer, clientId, domains, trustsAddresses, admitsDomains, groupsClaim, adminGroup } = settings;
  const { by, secret, scopes } = settings;
  const ofPeople = [domains, trustsAddresses, admitsDomains, groupsClaim, adminGroup];
  const parameters = [issuer, clientId, ...ofPeople, by, secret, scopes];
  return await database.transaction(tenant, async (run) => {
    if (secret !== null && (await run(insertStatement, parameters)).length === 1) return true;
    const secretSetAt = secret === null ? null : now();
    return (await run(updateStatement, [...parameters, secretSetAt])).length === 1;
  });
}

const triedStatement: Statement = {
  name: "note_trial",
  // Only the secret that was tried.
  text: `update single_sign_on set sso_tried_at = now() where tenant_id = $1 and sso_issuer = $2 and sso_client_id = $3
    and sso_client_secret = $4`,
};

export async function noteTrial(
  tenant: TenantId,
  database: Database,
  { issuer, clientId, secret }: Pick<StoredSingleSignOn, "issuer" | "clientId" | "secret">,
): Promise<void> {
  await database.write(tenant, [{ statement: triedStatement, parameters: [issuer, clientId, secret] }]);
}

/** Notes that groups were missing in a sign-in; once an hour, because everybody's sign-ins may lack them. */
export const noteUnknownGroups = writeQuery(
  "note_unknown_groups",
  `update single_sign_on set sso_groups_unknown_at = now()
  where tenant_id = $1 and (sso_groups_unknown_at is null or sso_groups_unknown_at < now() - interval '1 hour')
  returning id`,
).exists();

/** False if nobody has tried the settings. */
export const switchSingleSignOnOn = writeQuery<[by: string]>(
  "switch_single_sign_on_on",
  `update single_sign_on set sso_on = true, changed_by = $2, updated_at = moment_after(updated_at)
  where tenant_id = $1 and sso_tried_at is not null returning id`,
).exists();

/** Switches it off, and allows passwords again. False if it was off. */
export const switchSingleSignOnOff = writeQuery<[by: string]>(
  "switch_single_sign_on_off",
  `update single_sign_on set sso_on = false, sso_only = false, sso_break_glass = null, changed_by = $2,
    updated_at = moment_after(updated_at)
  where tenant_id = $1 and sso_on returning id`,
).exists();

/** False if passwords were allowed. */
export const allowPasswords = writeQuery<[by: string]>(
  "allow_passwords",
  `update single_sign_on set sso_only = false, sso_break_glass = null, changed_by = $2,
    updated_at = moment_after(updated_at)
  where tenant_id = $1 and sso_only returning id`,
).exists();

/** An admin who can sign in by a password and a second factor. */
const mayBreakGlass = `u.role = 'admin' and u.deactivated_at is null and u.totp_confirmed_at is not null
  and u.password_hash is not null`;

const lockBreakGlassStatement: Statement = {
  name: "lock_break_glass",
  text: `select u.id from users u where u.tenant_id = $1 and u.id = $2 and ${mayBreakGlass} for no key update`,
};

const refusePasswordsStatement: Statement = {
  name: "refuse_passwords",
  text: `update single_sign_on set sso_only = true, sso_break_glass = $2, changed_by = $3,
    updated_at = moment_after(updated_at)
  where tenant_id = $1 and sso_on and not sso_only returning id`,
};

const endHalfwayStatement: Statement = {
  name: "end_sessions_halfway",
  text: "delete from sessions where tenant_id = $1 and awaits_code and user_id <> $2",
};

/**
 * From now on, passwords open only the account of the break-glass admin. Sessions that wait for a code end. False if
 * the admin is none, or has no second factor, or if single sign-on is off or the only way already.
 */
export async function refusePasswords(
  tenant: TenantId,
  database: Database,
  breakGlass: string,
  by: string,
): Promise<boolean> {
  return await database.transaction(tenant, async (run) => {
    if ((await run(lockBreakGlassStatement, [breakGlass])).length === 0) return false;
    if ((await run(refusePasswordsStatement, [breakGlass, by])).length === 0) return false;
    await run(endHalfwayStatement, [breakGlass]);
    return true;
  });
}

const CHOICES_MAX = 1_000;

const breakGlassStatement: Statement = {
  name: "break_glass_choices",
  text: `select u.id, u.name from users u where u.tenant_id = $1 and ${mayBreakGlass} order by u.name, u.id limit ${CHOICES_MAX}`,
};

const neverStatement: Statement = {
  name: "never_by_single_sign_on",
  text: `select count(*) from users u where u.tenant_id = $1 and u.deactivated_at is null and not exists (
    select from single_sign_on_links l where l.tenant_id = $1 and l.user_id = u.id)`,
};

/** The active people who have no password. */
export const countWithoutPassword = slowQuery(
  "count_without_password",
  "select count(*) from users u where u.tenant_id = $1 and u.deactivated_at is null and u.password_hash is null",
).number();

/** The admins who can keep a password, and the number of active users who never used single sign-on. */
export async function stakesOfOnly(
  tenant: TenantId,
  database: Database,
): Promise<{ choices: { id: string; name: string }[]; never: number }> {
  const [choices, never] = await Promise.all([
    database.quick.read(tenant, breakGlassStatement, []),
    database.slow.read(tenant, neverStatement, []),
  ]);
  return {
    choices: choices.map(([id, name]) => ({ id: String(id), name: String(name) })),
    never: Number(oneValue(never)),
  };
}
