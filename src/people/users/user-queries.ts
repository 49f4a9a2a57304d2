import type { Role } from "../../kit/web/session.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { callsOf, quickQuery, slowQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Row, type Selected } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";

/** The active users of the tenant among the ids, with their names. */
export const activeUsersAmong = quickQuery<[ids: number[]]>(
  "active_users_among",
  "select id, name from users where tenant_id = $1 and id = any($2) and deactivated_at is null",
).of((rows) => new Map(rows.map(([id, name]) => [Number(id), String(name)])));

/** The most users that a select offers. */
const CHOICES_MAX = 1_000;

/** The active users by their names, to choose one of. */
export const usersToChoose = quickQuery(
  "users_to_choose",
  `select id, name from users where tenant_id = $1 and deactivated_at is null order by name, id limit ${CHOICES_MAX}`,
).of(asChoices);

/** The active users with what other people call them: their names and e-mail addresses. */
export const usersByWords = slowQuery(
  "users_by_words",
  "select id, name, email from users where tenant_id = $1 and deactivated_at is null order by id limit 10000",
).of((rows) => rows.map(([id, name, email]) => ({ id: String(id), name: String(name), email: String(email) })));

/** The names of the first active admins of a tenant, two at most. */
export const adminNames = quickQuery(
  "admin_names",
  "select name from users where tenant_id = $1 and role = 'admin' and deactivated_at is null order by id limit 2",
).all(([name]) => String(name));

export type UserEver = { id: string; name: string; hasLeft: boolean };

/** All users by name, inactive ones last: filters by author need them too. */
export const usersEver = quickQuery(
  "users_ever",
  `select id, name, deactivated_at is not null from users where tenant_id = $1 order by deactivated_at is not null, name, id limit ${CHOICES_MAX}`,
).all(([id, name, hasLeft]): UserEver => ({ id: String(id), name: String(name), hasLeft: hasLeft === "t" }));

function asChoices(rows: Row[]): { id: string; name: string }[] {
  return rows.map(([id, name]) => ({ id: String(id), name: String(name) }));
}

export type NewUser = { email: string; name: string; role: Role | "operator"; passwordHash: string };

/** The author of users who were invited, in the format of changes.changed_by. */
export const BY_INVITATION = "invitation";

const created = selectList({
  id: column.number("id"),
  email: column.text("email"),
  name: column.text("name"),
  role: column.text("role"),
});
export type User = Selected<typeof created>;

export const insertingUser = callsOf<
  {
    [Value in "email" | "role" | "by"]: string;
  } & { [Value in "name" | "passwordHash"]: string | null }
>(
  "insert_user",
  `insert into users (tenant_id, email, name, role, password_hash, changed_by) values ($1, :email, :name, :role, :passwordHash, :by)
  on conflict (tenant_id, lower(email)) do nothing returning ${created.sql}`,
);

/** Creates a user by a command. Null if the tenant has a user of that e-mail address. */
export async function insertUser(tenant: TenantId, database: Database, user: NewUser): Promise<User | null> {
  const [rows] = await database.write(tenant, [insertingUser({ ...user, by: "command" })]);
  return created.first(rows);
}
