import type { Session } from "../../kit/web/session.ts";
import { now } from "../../platform/clock.ts";
import { isId } from "../../platform/ids.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { aliveAt } from "./begin-session.ts";
import { deleteOtherSessions, deleteOwnSession, listOwnSessions, type ListedSession } from "./own-session-queries.ts";

/** The user's own sessions, the latest used first. */
export async function listSessions(database: Database, { id, tenant, user }: Session): Promise<ListedSession[]> {
  return await listOwnSessions(tenant, database, { user: user.id, current: id }, aliveAt(now()));
}

/** Ends one of the user's own sessions; returns false for an unknown id. */
export async function revokeSession(database: Database, { tenant, user }: Session, id: string): Promise<boolean> {
  return isId(id) && (await deleteOwnSession(tenant, database, user.id, id));
}

/** Ends all of the user's own sessions except the current one. */
export async function endOtherSessions(database: Database, { id, tenant, user }: Session): Promise<void> {
  await deleteOtherSessions(tenant, database, user.id, id);
}
