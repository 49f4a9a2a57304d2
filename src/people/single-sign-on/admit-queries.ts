import type { Role } from "../../kit/web/session.ts";
import type { Database, Run } from "../../platform/postgres/database.ts";
import { callsOf, stepQuery, writeQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Selected } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { acceptInvitationOfAddress, findInvitationOfAddress, lockInviter } from "../users/invitation-queries.ts";
import { insertingUser } from "../users/user-queries.ts";

/** The author of changes of users by single sign-on, in the format of changes.changed_by. */
export const BY_PROVIDER = "single-sign-on";

const columns = selectList({
  id: column.text("u.id"),
  email: column.text("u.email"),
  name: column.text("u.name"),
  role: column.text<Role>("u.role"),
  isDeactivated: column.flag("u.deactivated_at is not null"),
  sessionEpoch: column.number("u.session_epoch"),
});

/** The user of a single sign-on. */
export type MatchedUser = Selected<typeof columns>;

/** The account at the provider. */
export type ProviderAccount = { issuer: string; subject: string };

const findingLinked = callsOf<ProviderAccount>(
  "find_user_by_link",
  `select ${columns.sql} from single_sign_on_links l join users u on u.tenant_id = $1 and u.id = l.user_id
  where l.tenant_id = $1 and l.issuer = :issuer and l.subject = :subject`,
);

const findByAddress = stepQuery<[email: string]>(
  "find_user_to_link",
  `select ${columns.sql} from user_ids_by_email($2) as found (user_id)
  join users u on u.tenant_id = $1 and u.id = found.user_id`,
).first(columns.read);

const link = stepQuery<[userId: string, issuer: string, subject: string]>(
  "link_user",
  `insert into single_sign_on_links (tenant_id, user_id, issuer, subject) values ($1, $2, $3, $4)
  on conflict do nothing returning id`,
).exists();

const noteLink = stepQuery<[userId: string, changed: string, by: string]>(
  "note_link",
  `insert into changes (tenant_id, at, type, resource_id, action, changed, changed_by)
  values ($1, clock_timestamp(), 'user', $2, 'updated', $3, $4)`,
).nothing();

/** The user of an account that is linked; null if none is. */
export async function findLinked(
  tenant: TenantId,
  database: Database,
  account: ProviderAccount,
): Promise<MatchedUser | null> {
  const [rows] = await database.quick.readAll(tenant, [findingLinked(account)]);
  return columns.first(rows);
}

/** A person with a verified address. `joins`: whether a stranger becomes a member. */
export type Applicant = ProviderAccount & { email: string; name: string; joins: boolean };

/**
 * Links the account with the user of its address. Where there is no user, an open invitation of the address, or else
 * `joins`, creates one. Null: the person is not admitted. `other-account`: the user has another account there.
 */
export async function linkOrCreate(
  tenant: TenantId,
  database: Database,
  { issuer, subject, email, name, joins }: Applicant,
  time: number,
): Promise<MatchedUser | "other-account" | null> {
  return await database.transaction(tenant, async (run) => {
    let matched = await findByAddress(run, email);
    matched ??= await create(run, { email, name, joins }, time);
    if (matched === null) return null;
    if (matched.isDeactivated) return matched;
    if (!(await link(run, matched.id, issuer, subject))) {
      // Either an account of the user is linked, or another request has just linked this one.
      const linked = columns.first(await run(findingLinked({ issuer, subject })));
      return linked?.id === matched.id ? linked : "other-account";
    }
    await noteLink(run, matched.id, linkChange(true), `user:${matched.id}`);
    return matched;
  });
}

async function create(run: Run, { email, name, joins }: Pick<Applicant, "email" | "name" | "joins">, time: number) {
  const invited = await acceptInvitation(run, email, time);
  const role = invited ?? (joins ? "member" : null);
  if (role === null) return null;
  await run(insertingUser({ email, name, role, passwordHash: null, by: BY_PROVIDER }));
  // Also the one that another request has just created.
  return await findByAddress(run, email);
}

/** Accepts the open invitation of an address, if its maker still may invite. Returns its role, or null. */
async function acceptInvitation(run: Run, email: string, time: number): Promise<string | null> {
  const open = await findInvitationOfAddress(run, { email, time });
  if (open === null) return null;
  const { maker } = open;
  if (maker !== null && !(await lockInviter(run, maker))) return null;
  return await acceptInvitationOfAddress(run, { email, time, by: BY_PROVIDER, maker });
}

/** A change of a user, in the format of changes.changed. */
function linkChange(becomes: boolean): string {
  return JSON.stringify({ sso_linked: { from: !becomes, to: becomes } });
}

/** Notes the use of a linked account. */
export const noteUseOfLink = writeQuery<ProviderAccount>(
  "note_use",
  "update single_sign_on_links set last_used_at = now() where tenant_id = $1 and issuer = :issuer and subject = :subject",
).nothing();

const unlink = stepQuery<[user: string]>(
  "unlink_user",
  "delete from single_sign_on_links where tenant_id = $1 and user_id = $2 returning id",
).exists();

/** Forgets a user's accounts at providers, so that another one is linked. False if there is none. */
export async function unlinkUser(tenant: TenantId, database: Database, user: string, by: string): Promise<boolean> {
  return await database.transaction(tenant, async (run) => {
    if (!(await unlink(run, user))) return false;
    await noteLink(run, user, linkChange(false), by);
    return true;
  });
}
