import type { Session } from "../../kit/web/session.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { quickQuery, runAll, stepQuery, writeQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Selected } from "../../platform/postgres/statement.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { endingLinksOf } from "../users/password-link-queries.ts";
import { endingOtherSessions } from "../users/second-factor-queries.ts";
import type { Alive } from "./session-queries.ts";

const listed = selectList({
  id: column.text("s.id"),
  address: column.text("s.address"),
  userAgent: column.text("s.user_agent"),
  createdAt: column.text("s.created_at"),
  lastSeenAt: column.text("s.last_seen_at"),
  signedInBy: column.textOrNull<"passkey" | "single-sign-on">("s.signed_in_by"),
});

/** One of a user's sessions, as listed for the user. Timestamps are PostgreSQL's text. */
export type ListedSession = Selected<typeof listed> & { isCurrent: boolean };

const MOST_SESSIONS_LISTED = 100;

const listLive = quickQuery<[user: string, createdAfter: number, seenAfter: number]>(
  "list_own_sessions",
  `select ${listed.sql} from sessions s
  join users u on u.tenant_id = s.tenant_id and u.id = s.user_id
  join tenants t on t.id = s.tenant_id
  where s.tenant_id = $1 and s.user_id = $2 and not s.awaits_code
    and s.created_at > to_timestamp($3::double precision / 1000)
    and s.last_seen_at > to_timestamp($4::double precision / 1000)
    and u.session_epoch = s.user_epoch and t.session_epoch = s.tenant_epoch
  order by s.last_seen_at desc, s.id desc limit ${MOST_SESSIONS_LISTED}`,
).all(listed.read);

/** The live sessions of a user, the latest used first. */
export async function listOwnSessions(
  tenant: TenantId,
  database: Database,
  { user, current }: { user: string; current: string },
  { createdAfter, seenAfter }: Alive,
): Promise<ListedSession[]> {
  const sessions = await listLive(tenant, database, user, createdAfter, seenAfter);
  return sessions.map((session) => Object.assign(session, { isCurrent: session.id === current }));
}

/** Returns false if the user has no such session. */
export const deleteOwnSession = writeQuery<[user: string, id: string]>(
  "delete_own_session",
  "delete from sessions where tenant_id = $1 and user_id = $2 and id = $3 returning id",
).exists();

export async function deleteOtherSessions(
  tenant: TenantId,
  database: Database,
  user: string,
  kept: string,
): Promise<void> {
  await database.write(tenant, [endingOtherSessions(user, kept)]);
}

const setPassword = stepQuery<[user: string, before: string, after: string]>(
  "replace_password",
  `update users set password_hash = $4, session_epoch = session_epoch + 1
  where tenant_id = $1 and id = $2 and password_hash = $3 returning session_epoch`,
).value();

const keepSession = stepQuery<[id: string, epoch: number]>(
  "keep_session",
  "update sessions set user_epoch = $3 where tenant_id = $1 and id = $2 and user_epoch = $3 - 1",
).nothing();

/**
 * Replaces a user's password, and ends the user's other sessions and links for another one. Returns false if the
 * password was changed meanwhile.
 */
export async function replacePassword(
  tenant: TenantId,
  database: Database,
  { id, user }: Session,
  before: string,
  after: string,
): Promise<boolean> {
  return await database.transaction(tenant, async (run) => {
    await runAll(run, endingLinksOf({ user: user.id, by: `user:${user.id}`, unless: null }));
    const epoch = await setPassword(run, user.id, before, after);
    if (epoch === null) return false;
    await keepSession(run, id, Number(epoch));
    return true;
  });
}
