import { createHash } from "node:crypto";
import type { Session } from "../../kit/web/session.ts";
import type { Database, Run } from "../../platform/postgres/database.ts";
import { quickQuery, runAll } from "../../platform/postgres/query.ts";
import {
  column,
  oneValue,
  selectList,
  type Call,
  type Selected,
  type Statement,
} from "../../platform/postgres/statement.ts";
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

const holdStatement: Statement = {
  name: "hold_user_of_passkeys",
  text: "select id from users where tenant_id = $1 and id = $2 for update",
};

/** Changes of one user's passkeys follow each other. @param alongside committed with a change that was made */
async function changing(
  tenant: TenantId,
  database: Database,
  user: string,
  alongside: readonly Call[],
  change: (run: Run) => Promise<boolean>,
): Promise<boolean> {
  return await database.transaction(tenant, async (run) => {
    await run(holdStatement, [user]);
    if (!(await change(run))) return false;
    await runAll(run, alongside);
    return true;
  });
}

const insertStatement: Statement = {
  name: "insert_passkey",
  text: `insert into passkeys (tenant_id, user_id, name, credential_id, public_key, user_handle, counter, transports, verifies)
  select $1, $2::bigint, $3, $4, $5, $6, $7::bigint, $8, $9::boolean
  where (select count(*) from passkeys where tenant_id = $1 and user_id = $2::bigint) < ${MOST_PASSKEYS}
  on conflict (tenant_id, credential_id) do nothing returning id`,
};

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
  const { id, publicKey, counter, transports, verifies } = credential;
  return await changing(tenant, database, user, alongside, async (run) => {
    if (!(await isFirstAnswer(run, challenge))) return false;
    const parameters = [user, name, id, publicKey, handle, counter, transports, verifies];
    return (await run(insertStatement, parameters)).length === 1;
  });
}

const deleteStatement: Statement = {
  // A passkey without verification is no way to sign in, so it is never the last one.
  name: "delete_passkey",
  text: `delete from passkeys p where p.tenant_id = $1 and p.user_id = $2 and p.id = $3 and (not p.verifies
    or exists (select from users u where u.tenant_id = $1 and u.id = $2 and u.password_hash is not null)
    or exists (select from passkeys o where o.tenant_id = $1 and o.user_id = $2 and o.id <> $3 and o.verifies)
    or exists (select from single_sign_on s where s.tenant_id = $1 and s.sso_on)) returning p.id`,
};

/** False if it is the last way to sign in, or no passkey of the user. */
export async function deletePasskey(
  tenant: TenantId,
  database: Database,
  user: string,
  id: string,
  alongside: readonly Call[],
): Promise<boolean> {
  const change = async (run: Run) => (await run(deleteStatement, [user, id])).length === 1;
  return await changing(tenant, database, user, alongside, change);
}

const useStatement: Statement = {
  name: "using_passkey",
  text: `update passkeys set counter = $4, last_used_at = now(), verifies = verifies or $5
  where tenant_id = $1 and user_id = $2 and id = $3 and (counter < $4 or (counter = 0 and $4 = 0)) returning id`,
};

/** The call that notes the use of a passkey; it returns a row unless the counter went back. */
export function usingPasskey({ id, userId }: StoredPasskey, { counter, isVerified }: Checked): Call {
  return { statement: useStatement, parameters: [userId, id, counter, isVerified] };
}

const answerStatement: Statement = {
  name: "is_first_answer",
  text: `insert into passkey_challenges (tenant_id, challenge_hash, expires_at)
  values ($1, $2, to_timestamp($3::double precision / 1000)) on conflict do nothing returning id`,
};

async function isFirstAnswer(run: Run, { value, until }: Challenge): Promise<boolean> {
  const hash = createHash("sha256").update(value).digest();
  return (await run(answerStatement, [hash, until])).length === 1;
}

const standing = selectList({
  hasPassword: column.flag("u.password_hash is not null"),
  /** False if single sign-on is the only way, except for the break-glass admin. */
  mayUse: column.flag(mayUsePassword("u")),
  hasSecondFactor: column.flag("u.totp_confirmed_at is not null"),
  isFresh: column.flag("s.created_at > to_timestamp($4::double precision / 1000)"),
});

const standingStatement: Statement = {
  name: "standing_for_passkeys",
  text: `select ${standing.sql} from users u
  join sessions s on s.tenant_id = u.tenant_id and s.id = $3 and s.user_id = u.id where u.tenant_id = $1 and u.id = $2`,
};

/** The facts that the addition of a passkey depends on. */
export type PasskeyStanding = Selected<typeof standing>;

/** @param freshSince milliseconds since the epoch */
export async function standingForPasskeys(
  tenant: TenantId,
  database: Database,
  { id, user }: Pick<Session, "id" | "user">,
  freshSince: number,
): Promise<PasskeyStanding | null> {
  return standing.first(await database.quick.read(tenant, standingStatement, [user.id, id, freshSince]));
}

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

const findStatement: Statement = {
  name: "find_passkey",
  text: `select ${stored.sql} from passkeys p join users u on u.tenant_id = p.tenant_id and u.id = p.user_id
  join tenants t on t.id = p.tenant_id where p.tenant_id = $1 and p.credential_id = $2`,
};

export async function findPasskey(
  tenant: TenantId,
  database: Database,
  credentialId: string,
): Promise<StoredPasskey | null> {
  return stored.first(await database.quick.read(tenant, findStatement, [credentialId]));
}

const placeStatement: Statement = {
  name: "tenant_of_passkey",
  text: "select tenant_id from passkey_of_credential($1, $2)",
};

/** The tenant of a passkey by what its authenticator returns. Only this query runs without a tenant. */
export async function tenantOfPasskey(
  database: Database,
  credentialId: string,
  handle: string,
): Promise<TenantId | null> {
  const tenant = oneValue(await database.readShared(placeStatement, [credentialId, handle]));
  return tenant === null ? null : asTenantId(tenant);
}

const forgetStatement: Statement = {
  name: "forget_passkey_challenges",
  text: "delete from passkey_challenges where tenant_id = $1 and expires_at < to_timestamp($2::double precision / 1000)",
};

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
    await run(forgetStatement, [time]);
    if (!(await isFirstAnswer(run, challenge))) return false;
    const { statement, parameters } = usingPasskey(passkey, checked);
    return (await run(statement, parameters)).length === 1;
  });
}

const noteStatement: Statement = {
  name: "noting_passkey",
  text: `insert into changes (tenant_id, at, type, resource_id, action, changed, changed_by)
  values ($1, clock_timestamp(), 'user', $2, 'updated', $3, $4)`,
};

/** A change of a user's passkeys: the name of one that is added (`to`) or removed (`from`). */
export type PasskeyChange = { from: string | null; to: string | null };

/** The call that writes a change into the history. @param by in the format of changes.changed_by */
export function notingPasskey(user: string, { from, to }: PasskeyChange, by: string): Call {
  return { statement: noteStatement, parameters: [user, JSON.stringify({ passkey: { from, to } }), by] };
}

const endSessionsStatement: Statement = {
  name: "ending_sessions",
  text: "update users set session_epoch = session_epoch + 1 where tenant_id = $1 and id = $2",
};

/** The call that ends the sessions of a user whose device is lost. */
export function endingSessions(user: string): Call {
  return { statement: endSessionsStatement, parameters: [user] };
}
