import { createHash } from "node:crypto";
import type { Database, Run } from "../../platform/postgres/database.ts";
import { callsOf, quickQuery, runAll, sharedQuery, stepQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Call, type Selected } from "../../platform/postgres/statement.ts";
import { asTenantId, type TenantId } from "../../platform/postgres/tenant-id.ts";
import { mayUsePassword } from "../users/sign-in-queries.ts";
import type { Challenge } from "./challenge.ts";
import { MOST_PASSKEYS, type Checked, type NewCredential } from "./passkey.ts";

const listed = selectList({
  id: column.text("id"),
  name: column.text("name"),
  credentialId: column.text("credential_id"),
  userHandle: column.text("user_handle"),
  transports: column.text("transports"),
  verifies: column.flag("verifies"),
  createdAt: column.text("created_at"),
  lastUsedAt: "last_used_at",
});

/** A passkey in its owner's list. Timestamps are PostgreSQL's text. */
export type ListedPasskey = Selected<typeof listed>;

/** The passkeys of a user, the oldest first. */
export const listPasskeys = quickQuery<[user: string]>(
  "list_passkeys",
  `select ${listed.sql} from passkeys where tenant_id = $1 and user_id = $2 order by id limit ${MOST_PASSKEYS}`,
).all(listed.read);

const lockOwner = stepQuery<[id: string]>(
  "hold_user_of_passkeys",
  "select id from users where tenant_id = $1 and id = $2 for update",
).nothing();

/** Changes of one user's passkeys follow each other. @param alongside committed with a change that was made */
async function changing(
  tenant: TenantId,
  database: Database,
  user: string,
  alongside: readonly Call[],
  change: (run: Run) => Promise<boolean>,
): Promise<boolean> {
  return await database.transaction(tenant, async (run) => {
    await lockOwner(run, user);
    if (!(await change(run))) return false;
    await runAll(run, alongside);
    return true;
  });
}

const insert = stepQuery<NewCredential & { user: string; name: string; handle: string }>(
  "insert_passkey",
  `insert into passkeys (tenant_id, user_id, name, credential_id, public_key, user_handle, counter, transports, verifies)
  select $1, :user::bigint, :name, :id, :publicKey, :handle, :counter::bigint, :transports, :verifies::boolean
  where (select count(*) from passkeys where tenant_id = $1 and user_id = :user::bigint) < ${MOST_PASSKEYS}
  on conflict (tenant_id, credential_id) do nothing returning id`,
).exists();

/** A new passkey: the person's name for it, the owner's handle, and the credential. */
export type NewPasskey = { name: string; handle: string; credential: NewCredential };

/** False if the challenge was answered, the passkey is known, or there are too many. */
export async function insertPasskey(
  tenant: TenantId,
  database: Database,
  user: string,
  { name, handle, credential }: NewPasskey,
  challenge: Challenge,
  alongside: readonly Call[],
): Promise<boolean> {
  return await changing(tenant, database, user, alongside, async (run) => {
    return (await isFirstAnswer(run, challenge)) && (await insert(run, { ...credential, user, name, handle }));
  });
}

const remove = stepQuery<[user: string, id: string]>(
  "delete_passkey",
  // A passkey without verification is no way to sign in, so it is never the last one.
  `delete from passkeys p where p.tenant_id = $1 and p.user_id = $2 and p.id = $3 and (not p.verifies
    or exists (select from users u where u.tenant_id = $1 and u.id = $2 and u.password_hash is not null)
    or exists (select from passkeys o where o.tenant_id = $1 and o.user_id = $2 and o.id <> $3 and o.verifies)
    or exists (select from single_sign_on s where s.tenant_id = $1 and s.sso_on)) returning p.id`,
).exists();

/** False if it is the last way to sign in, or no passkey of the user. */
export async function deletePasskey(
  tenant: TenantId,
  database: Database,
  user: string,
  id: string,
  alongside: readonly Call[],
): Promise<boolean> {
  return await changing(tenant, database, user, alongside, async (run) => await remove(run, user, id));
}

const noteUse = callsOf<{ userId: string; id: string; counter: number; isVerified: boolean }>(
  "using_passkey",
  `update passkeys set counter = :counter, last_used_at = now(), verifies = verifies or :isVerified
  where tenant_id = $1 and user_id = :userId and id = :id and (counter < :counter or (counter = 0 and :counter = 0)) returning id`,
);

/** The call that notes the use of a passkey; it returns a row unless the counter went back. */
export function usingPasskey({ id, userId }: StoredPasskey, { counter, isVerified }: Checked): Call {
  return noteUse({ userId, id, counter, isVerified });
}

const insertChallenge = stepQuery<[hash: Buffer, until: number]>(
  "is_first_answer",
  `insert into passkey_challenges (tenant_id, challenge_hash, expires_at)
  values ($1, $2, to_timestamp($3::double precision / 1000)) on conflict do nothing returning id`,
).exists();

async function isFirstAnswer(run: Run, { value, until }: Challenge): Promise<boolean> {
  const hash = createHash("sha256").update(value).digest();
  return await insertChallenge(run, hash, until);
}

const standing = selectList({
  hasPassword: column.flag("u.password_hash is not null"),
  /** False if single sign-on is the only way, except for the break-glass admin. */
  mayUse: column.flag(mayUsePassword("u")),
  hasSecondFactor: column.flag("u.totp_confirmed_at is not null"),
  isFresh: column.flag("s.created_at > to_timestamp($4::double precision / 1000)"),
});

/** The facts that the addition of a passkey depends on. `freshSince`: milliseconds since the epoch. */
export const standingForPasskeys = quickQuery<[userId: string, sessionId: string, freshSince: number]>(
  "standing_for_passkeys",
  `select ${standing.sql} from users u
  join sessions s on s.tenant_id = u.tenant_id and s.id = $3 and s.user_id = u.id where u.tenant_id = $1 and u.id = $2`,
).first(standing.read);

const stored = selectList({
  id: column.text("p.id"),
  credentialId: column.text("p.credential_id"),
  publicKey: column.text("p.public_key"),
  counter: column.number("p.counter"),
  userId: column.text("p.user_id"),
  email: column.text("u.email"),
  userEpoch: column.number("u.session_epoch"),
  isShutOut: column.flag("u.deactivated_at is not null or t.suspended_at is not null"),
  mayUse: column.flag(mayUsePassword("u")),
  slug: column.text("t.slug"),
  tenantEpoch: column.number("t.session_epoch"),
});

/** A passkey with its user, as a sign-in needs it. */
export type StoredPasskey = Selected<typeof stored>;

export const findPasskey = quickQuery<[credentialId: string]>(
  "find_passkey",
  `select ${stored.sql} from passkeys p join users u on u.tenant_id = p.tenant_id and u.id = p.user_id
  join tenants t on t.id = p.tenant_id where p.tenant_id = $1 and p.credential_id = $2`,
).first(stored.read);

/** The tenant of a passkey by what its authenticator returns. Only this query runs without a tenant. */
export const tenantOfPasskey = sharedQuery<[credentialId: string, handle: string]>(
  "tenant_of_passkey",
  "select tenant_id from passkey_of_credential($1, $2)",
).first(([tenant]) => asTenantId(String(tenant)));

const forgetChallenges = stepQuery<[time: number]>(
  "forget_passkey_challenges",
  "delete from passkey_challenges where tenant_id = $1 and expires_at < to_timestamp($2::double precision / 1000)",
).nothing();

/** A right answer of a passkey to a challenge. */
export type AnsweredChallenge = { challenge: Challenge; checked: Checked };

/**
 * Notes the answer of a passkey, and forgets the challenges that have expired. False if the challenge was answered
 * before, or the counter went back.
 */
export async function notePasskeyUse(
  tenant: TenantId,
  database: Database,
  passkey: StoredPasskey,
  { challenge, checked }: AnsweredChallenge,
  time: number,
): Promise<boolean> {
  return await database.transaction(tenant, async (run) => {
    await forgetChallenges(run, time);
    if (!(await isFirstAnswer(run, challenge))) return false;
    return (await run(usingPasskey(passkey, checked))).length === 1;
  });
}

const noteChange = callsOf<[user: string, changed: string, by: string]>(
  "noting_passkey",
  `insert into changes (tenant_id, at, type, resource_id, action, changed, changed_by)
  values ($1, clock_timestamp(), 'user', $2, 'updated', $3, $4)`,
);

/** A change of a user's passkeys: the name of one that is added (`to`) or removed (`from`). */
export type PasskeyChange = { from: string | null; to: string | null };

/** The call that writes a change into the history. @param by in the format of changes.changed_by */
export function notingPasskey(user: string, { from, to }: PasskeyChange, by: string): Call {
  return noteChange(user, JSON.stringify({ passkey: { from, to } }), by);
}

/** The call that ends the sessions of a user whose device is lost. */
export const endingSessions = callsOf<[user: string]>(
  "ending_sessions",
  "update users set session_epoch = session_epoch + 1 where tenant_id = $1 and id = $2",
);
