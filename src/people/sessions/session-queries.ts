import type { Session } from "../../kit/web/session.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { hasCode } from "../../platform/postgres/failures.ts";
import { callsOf, quickQuery, runAll, sharedQuery, stepQuery, writeQuery } from "../../platform/postgres/query.ts";
import { column, selectList, type Call } from "../../platform/postgres/statement.ts";
import { asTenantId, type TenantId } from "../../platform/postgres/tenant-id.ts";
import { mayUsePassword } from "../users/sign-in-queries.ts";

/** The tenant and id of the session with a token's hash, live or not. Only this query runs without a tenant. */
export const locateSession = sharedQuery<[hash: Buffer]>(
  "place_of_token",
  "select tenant_id, id from session_of_token($1)",
).first(([tenant, id]) => ({ tenant: asTenantId(String(tenant)), id: String(id) }));

const session = selectList({
  awaitsCode: column.flag("s.awaits_code"),
  lastSeenAt: column.number("floor(extract(epoch from s.last_seen_at) * 1000)"),
  user: column.text("u.id"),
  name: column.text("u.name"),
  email: column.text("u.email"),
  role: column.text<Session["user"]["role"]>("u.role"),
  mayExport: column.flag("(u.export_refused_at is null or u.role = 'admin')"),
  language: column.textOrNull<"en" | "ro">("u.language"),
  theme: column.text<Session["user"]["theme"]>("u.theme"),
  slug: column.text("t.slug"),
  workspace: column.text("t.name"),
  country: column.text("t.country"),
  timeZone: column.text("t.time_zone"),
});

/** A session is live if it began and was last seen after these moments, in milliseconds since the epoch. */
export type Alive = { createdAfter: number; seenAfter: number; awaitingSince: number };

const findLive = quickQuery<Alive & { id: string; hash: Buffer }>(
  "find_live_session",
  `select ${session.sql} from sessions s
  join users u on u.tenant_id = s.tenant_id and u.id = s.user_id
  join tenants t on t.id = s.tenant_id
  where s.tenant_id = $1 and s.id = :id and s.token_hash = :hash
    and s.created_at > to_timestamp(:createdAfter::double precision / 1000)
    and s.last_seen_at > to_timestamp(:seenAfter::double precision / 1000)
    and (not s.awaits_code or s.created_at > to_timestamp(:awaitingSince::double precision / 1000))
    and u.deactivated_at is null and u.session_epoch = s.user_epoch
    and t.suspended_at is null and t.session_epoch = s.tenant_epoch`,
).first(session.read);

export async function findLiveSession(
  tenant: TenantId,
  database: Database,
  id: string,
  hash: Buffer,
  alive: Alive,
): Promise<{ session: Session; lastSeenAt: number } | null> {
  const found = await findLive(tenant, database, { ...alive, id, hash });
  if (found === null) return null;
  const { lastSeenAt, awaitsCode, slug, workspace: name, country, timeZone, user, ...person } = found;
  const workspace = { slug, name, country, timeZone };
  return { lastSeenAt, session: { id, tenant, workspace, user: { id: user, ...person }, awaitsCode } };
}

/** `time`: milliseconds since the epoch. */
export const touchSession = writeQuery<[id: string, time: number]>(
  "touch_session",
  "update sessions set last_seen_at = to_timestamp($3::double precision / 1000) where tenant_id = $1 and id = $2",
).nothing();

/** The user of a session, and the epochs that the session is valid for. */
export type Ownership = {
  userId: string;
  /** The epochs of tenant and user at the time of the password check. */
  tenantEpoch: number;
  userEpoch: number;
  awaitsCode: boolean;
  /** Undefined: by a password. A provider has a name for its own session. */
  by?: { way: "passkey" } | { way: "single-sign-on"; session: string | null };
};

/** The origin of a new session, and the hash of its token. `time`: milliseconds since the epoch. */
export type Beginning = { hash: Buffer; address: string; userAgent: string; time: number };

/** `isKnown`: whether the browser has signed in to the account before. */
export type BeginningIn = Beginning & { isKnown: boolean };

type Opened = Omit<Ownership, "by"> & Beginning & { way: string | null; session: string | null };

const insertingSession = callsOf<Opened>(
  "insert_session",
  `insert into sessions
    (tenant_id, user_id, token_hash, tenant_epoch, user_epoch, awaits_code, address, user_agent, created_at, last_seen_at,
      signed_in_by, provider_session)
  values ($1, :userId, :hash, :tenantEpoch, :userEpoch, :awaitsCode, :address, :userAgent,
    to_timestamp(:time::double precision / 1000), to_timestamp(:time::double precision / 1000), :way, :session)`,
);

const deletingDead = callsOf<[createdAfter: number, seenAfter: number]>(
  "delete_dead_sessions",
  `delete from sessions where tenant_id = $1
    and (created_at <= to_timestamp($2::double precision / 1000) or last_seen_at <= to_timestamp($3::double precision / 1000))`,
);

const FOREIGN_KEY_VIOLATION = "23503";

/**
 * Adds a session, and removes the tenant's expired ones. A user who was deleted during the sign-in gets none, so the
 * cookie opens nothing.
 * @param alongside committed with it
 */
export async function insertSession(
  tenant: TenantId,
  database: Database,
  { by, ...owner }: Ownership,
  from: Beginning,
  { createdAfter, seenAfter }: Alive,
  alongside: readonly Call[] = [],
): Promise<void> {
  const session = by?.way === "single-sign-on" ? by.session : null;
  try {
    await database.write(tenant, [
      insertingSession({ ...owner, ...from, way: by?.way ?? null, session }),
      deletingDead(createdAfter, seenAfter),
      ...alongside,
    ]);
  } catch (error) {
    if (!hasCode(error, FOREIGN_KEY_VIOLATION)) throw error;
  }
}

const awaiting = selectList({
  userId: column.text("user_id"),
  tenantEpoch: column.number("tenant_epoch"),
  userEpoch: column.number("user_epoch"),
});

const lockAwaiting = stepQuery<[id: string]>(
  "hold_awaiting_session",
  // Single sign-on may have become the only way between the check of the password and the start of the session.
  `select ${awaiting.sql} from sessions s where s.tenant_id = $1 and s.id = $2 and s.awaits_code
    and exists (select from users u where u.tenant_id = $1 and u.id = s.user_id and ${mayUsePassword("u")}) for update`,
).first(awaiting.read);

/**
 * Replaces a session that awaits its code, and uses the code up. Returns false, without any change, if the session or
 * the code is no longer valid.
 * @param using returns a row if it used the code up
 * @param alongside committed with the session
 */
export async function replaceAwaiting(
  tenant: TenantId,
  database: Database,
  id: string,
  using: Call,
  from: Beginning,
  alongside: readonly Call[] = [],
): Promise<boolean> {
  return await database.transaction(tenant, async (run) => {
    const owner = await lockAwaiting(run, id);
    if (owner === null || (await run(using)).length === 0) return false;
    const opened = insertingSession({ ...owner, ...from, awaitsCode: false, way: null, session: null });
    await runAll(run, [deletingSession(id), opened, ...alongside]);
    return true;
  });
}

const deletingSession = callsOf<[id: string]>(
  "delete_session",
  "delete from sessions where tenant_id = $1 and id = $2",
);

export async function deleteSession(tenant: TenantId, database: Database, id: string): Promise<void> {
  await database.write(tenant, [deletingSession(id)]);
}
