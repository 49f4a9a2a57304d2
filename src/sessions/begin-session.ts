import { now } from "../platform/clock.ts";
import type { Database } from "../platform/postgres/database.ts";
import type { Call } from "../platform/postgres/statement.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";
import { generateToken, hashToken } from "../platform/token.ts";
import { SESSION_IDLE_MS } from "../web/session.ts";
import { insertSession, replaceAwaiting, type Alive, type NewSession } from "./session-queries.ts";

const MINUTE_MS = 60_000;
const LONGEST_MS = 14 * 24 * 60 * MINUTE_MS;
/** The time for the second factor's code. */
const CODE_MS = 15 * MINUTE_MS;
const USER_AGENT_MAX = 300;

/** The ages of a session that lives at a moment, in milliseconds since the epoch. */
export function aliveAt(time: number): Alive {
  return { createdAfter: time - LONGEST_MS, seenAfter: time - SESSION_IDLE_MS, awaitingSince: time - CODE_MS };
}

/** A new session's token. */
export async function beginSession(tenant: TenantId, database: Database, session: NewSession): Promise<string> {
  const token = generateToken();
  const time = now();
  await insertSession(tenant, database, storable(session), hashToken(token), time, aliveAt(time));
  return token;
}

/** The token of the session that follows one that awaited its code; null where that, or the code, was used already. */
export async function continueSession(
  tenant: TenantId,
  database: Database,
  id: string,
  using: Call,
  from: { address: string; userAgent: string },
): Promise<string | null> {
  const token = generateToken();
  const isReplaced = await replaceAwaiting(tenant, database, id, using, storable(from), hashToken(token), now());
  return isReplaced ? token : null;
}

/** A browser may call itself anything. */
export function storable<T extends { userAgent: string }>(session: T): T {
  return {
    ...session,
    userAgent: session.userAgent.toWellFormed().replaceAll("\0", "").slice(0, USER_AGENT_MAX).toWellFormed(),
  };
}
