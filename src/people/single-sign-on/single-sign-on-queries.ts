import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { quickQuery, slowQuery, stepQuery, writeQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Selected } from "../../platform/postgres/statement.ts";
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

const insert = stepQuery<SettingsToSave>(
  "insert_single_sign_on",
  `insert into single_sign_on (tenant_id, sso_issuer, sso_client_id, sso_domains, sso_trusts_addresses, sso_admits_domains,
    sso_groups_claim, sso_admin_group, changed_by, sso_client_secret, sso_scopes)
  values ($1, :issuer, :clientId, :domains, :trustsAddresses, :admitsDomains, :groupsClaim, :adminGroup, :by, :secret, :scopes)
  on conflict (tenant_id) do nothing returning id`,
).exists();

const update = stepQuery<SettingsToSave & { secretSetAt: number | null }>(
  "update_single_sign_on",
  // A cluster accepts no now() inside coalesce (decision 21).
  // Another provider, client or secret has not been tried. Only a provider that is off can be replaced.
  `update single_sign_on s set sso_issuer = :issuer, sso_client_id = :clientId, sso_domains = :domains, sso_trusts_addresses = :trustsAddresses,
    sso_admits_domains = :admitsDomains, sso_groups_claim = :groupsClaim, sso_admin_group = :adminGroup, changed_by = :by, sso_scopes = :scopes, sso_groups_unknown_at = null,
    sso_client_secret = coalesce(:secret, sso_client_secret),
    sso_secret_set_at = coalesce(to_timestamp(:secretSetAt::double precision / 1000), sso_secret_set_at),
    sso_tried_at = case when :secret::text is null and sso_issuer = :issuer and sso_client_id = :clientId then sso_tried_at end,
    updated_at = moment_after(s.updated_at)
  where s.tenant_id = $1 and (not s.sso_on or s.sso_issuer = :issuer and s.sso_client_id = :clientId) returning id`,
).exists();

/** False if the provider was replaced while it is on, or the first settings have no secret. */
export async function saveSettings(tenant: TenantId, database: Database, settings: SettingsToSave): Promise<boolean> {
  return await database.transaction(tenant, async (run) => {
    if (settings.secret !== null && (await insert(run, settings))) return true;
    return await update(run, { ...settings, secretSetAt: settings.secret === null ? null : now() });
  });
}

/** Notes a successful trial of the settings; only of the secret that was tried. */
export const noteTrial = writeQuery<Pick<StoredSingleSignOn, "issuer" | "clientId" | "secret">>(
  "note_trial",
  `update single_sign_on set sso_tried_at = now() where tenant_id = $1 and sso_issuer = :issuer and sso_client_id = :clientId
    and sso_client_secret = :secret`,
).nothing();

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

const lockBreakGlass = stepQuery<[id: string]>(
  "lock_break_glass",
  `select u.id from users u where u.tenant_id = $1 and u.id = $2 and ${mayBreakGlass} for no key update`,
).exists();

const setOnly = stepQuery<[breakGlass: string, by: string]>(
  "refuse_passwords",
  `update single_sign_on set sso_only = true, sso_break_glass = $2, changed_by = $3,
    updated_at = moment_after(updated_at)
  where tenant_id = $1 and sso_on and not sso_only returning id`,
).exists();

const endHalfwaySessions = stepQuery<[except: string]>(
  "end_sessions_halfway",
  "delete from sessions where tenant_id = $1 and awaits_code and user_id <> $2",
).nothing();

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
    if (!(await lockBreakGlass(run, breakGlass))) return false;
    if (!(await setOnly(run, breakGlass, by))) return false;
    await endHalfwaySessions(run, breakGlass);
    return true;
  });
}

const CHOICES_MAX = 1_000;

const breakGlassChoices = quickQuery(
  "break_glass_choices",
  `select u.id, u.name from users u where u.tenant_id = $1 and ${mayBreakGlass} order by u.name, u.id limit ${CHOICES_MAX}`,
).all(([id, name]) => ({ id: String(id), name: String(name) }));

const countUnlinked = slowQuery(
  "never_by_single_sign_on",
  `select count(*) from users u where u.tenant_id = $1 and u.deactivated_at is null and not exists (
    select from single_sign_on_links l where l.tenant_id = $1 and l.user_id = u.id)`,
).number();

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
  const [choices, never] = await Promise.all([breakGlassChoices(tenant, database), countUnlinked(tenant, database)]);
  return { choices, never };
}
