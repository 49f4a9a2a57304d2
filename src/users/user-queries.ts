import type { Database } from "../platform/postgres/database.ts";
import { selectList, type Statement } from "../platform/postgres/statement.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";

const activeStatement: Statement = {
  name: "active_users",
  text: "select id, name from users where tenant_id = $1 and id = any($2) and deactivated_at is null",
};

/** Those of the ids that are active users of the tenant, with their names. */
export async function activeUsersAmong(
  tenant: TenantId,
  database: Database,
  ids: number[],
): Promise<ReadonlyMap<number, string>> {
  const rows = await database.quick.read(tenant, activeStatement, [ids]);
  return new Map(rows.map(([id, name]) => [Number(id), String(name)]));
}

/** More people than anybody would look through in a list. */
const CHOICES_MAX = 1_000;

const choicesStatement: Statement = {
  name: "users_to_choose",
  text: `select id, name from users where tenant_id = $1 and deactivated_at is null order by name, id limit ${CHOICES_MAX}`,
};

/** The active users by their names, to choose one of. */
export async function usersToChoose(tenant: TenantId, database: Database): Promise<{ id: string; name: string }[]> {
  const rows = await database.quick.read(tenant, choicesStatement);
  return rows.map(([id, name]) => ({ id: String(id), name: String(name) }));
}

export type User = { id: number; email: string; name: string; role: string };
export type NewUser = { email: string; name: string; role: "admin" | "member"; passwordHash: string };

const created = selectList({ id: "id", email: "email", name: "name", role: "role" });

const insertStatement: Statement = {
  name: "insert_user",
  text: `insert into users (tenant_id, email, name, role, password_hash) values ($1, $2, $3, $4, $5)
  on conflict (tenant_id, lower(email)) do nothing returning ${created.sql}`,
};

/** Null where the tenant has a user of that e-mail address. */
export async function insertUser(
  tenant: TenantId,
  database: Database,
  { email, name, role, passwordHash }: NewUser,
): Promise<User | null> {
  const parameters = [email, name, role, passwordHash];
  const [rows] = await database.write(tenant, [{ statement: insertStatement, parameters }]);
  const [row] = rows ?? [];
  if (row === undefined) return null;
  const user = created.read(row);
  return { id: Number(user.id), email: String(user.email), name: String(user.name), role: String(user.role) };
}

/** A user as a sign-in asks for one. */
export type SigningIn = {
  id: string;
  passwordHash: string;
  isDeactivated: boolean;
  hasSecondFactor: boolean;
  sessionEpoch: number;
};

const signingIn = selectList({
  id: "id",
  passwordHash: "password_hash",
  isDeactivated: "deactivated_at is not null",
  hasSecondFactor: "totp_confirmed_at is not null",
  sessionEpoch: "session_epoch",
});

const byEmailStatement: Statement = {
  name: "find_user_by_email",
  text: `select ${signingIn.sql} from users where tenant_id = $1 and lower(email) = lower($2)`,
};

/** The user of an e-mail address, in whatever case it is written. */
export async function findByEmail(tenant: TenantId, database: Database, email: string): Promise<SigningIn | null> {
  const [found] = await database.quick.read(tenant, byEmailStatement, [email]);
  if (found === undefined) return null;
  const row = signingIn.read(found);
  return {
    id: String(row.id),
    passwordHash: String(row.passwordHash),
    isDeactivated: row.isDeactivated === "t",
    hasSecondFactor: row.hasSecondFactor === "t",
    sessionEpoch: Number(row.sessionEpoch),
  };
}

const rehashStatement: Statement = {
  name: "replace_password_hash",
  text: "update users set password_hash = $4 where tenant_id = $1 and id = $2 and password_hash = $3",
};

/** Replaces the hash of the same password, unless the password was changed in the meantime. */
export async function replacePasswordHash(
  tenant: TenantId,
  database: Database,
  id: string,
  before: string,
  after: string,
): Promise<void> {
  await database.write(tenant, [{ statement: rehashStatement, parameters: [id, before, after] }]);
}
