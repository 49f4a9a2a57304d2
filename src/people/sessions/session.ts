import type { Session } from "../../kit/web/session.ts";
import { now } from "../../platform/clock.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { hashToken, isToken } from "../../platform/token.ts";
import { aliveAt } from "./begin-session.ts";
import { deleteSession, findLiveSession, locateSession, touchSession } from "./session-queries.ts";

const SEEN_EVERY_MS = 60_000;

/**
 * The session of a cookie's token. Null: unknown, ended or expired, its user deactivated, or its tenant suspended. Its
 * last use is updated at most once a minute.
 */
export async function findSession(database: Database, token: string): Promise<Session | null> {
  if (!isToken(token)) return null;
  const hash = hashToken(token);
  const place = await locateSession(database, hash);
  if (place === null) return null;
  const { tenant, id } = place;
  const time = now();
  const found = await findLiveSession(tenant, database, id, hash, aliveAt(time));
  if (found === null) return null;
  if (found.lastSeenAt <= time - SEEN_EVERY_MS) await touchSession(tenant, database, id, time);
  return found.session;
}

/** Signs out: the token is invalid from now on. */
export async function endSession(database: Database, { tenant, id }: Session): Promise<void> {
  await deleteSession(tenant, database, id);
}
