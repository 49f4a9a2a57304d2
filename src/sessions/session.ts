import type { Deps } from "../deps.ts";
import { now } from "../platform/clock.ts";
import type { Database } from "../platform/postgres/database.ts";
import { isStorable, trim } from "../platform/text.ts";
import { findTenant } from "../tenants/tenant-queries.ts";
import { isSlug } from "../tenants/tenant.ts";
import { isOutdated, hashPassword, verifyPassword } from "../users/password-hash.ts";
import { inPasswordTurn } from "../users/password-turns.ts";
import { findByEmail, replacePasswordHash } from "../users/user-queries.ts";
import {
  deleteSession,
  findLiveSession,
  insertSession,
  placeOfToken,
  touchSession,
  type Session,
} from "./session-queries.ts";
import { generateToken, hashToken, isToken } from "./session-token.ts";

export type { Session } from "./session-queries.ts";

const MINUTE_MS = 60_000;
const IDLE_MS = 12 * 60 * MINUTE_MS;
const LONGEST_MS = 14 * 24 * 60 * MINUTE_MS;
/** The time for the second factor's code. */
const CODE_MS = 15 * MINUTE_MS;
const SEEN_EVERY_MS = MINUTE_MS;
const USER_AGENT_MAX = 300;

/** The session of a cookie's token. Null: unknown, ended, expired, its user deactivated or its tenant suspended. */
export async function findSession(database: Database, token: string): Promise<Session | null> {
  if (!isToken(token)) return null;
  const hash = hashToken(token);
  const place = await placeOfToken(database, hash);
  if (place === null) return null;
  const time = now();
  const found = await findLiveSession(place.tenant, database, place.id, hash, {
    createdAfter: time - LONGEST_MS,
    seenAfter: time - IDLE_MS,
    awaitingSince: time - CODE_MS,
  });
  if (found === null) return null;
  if (found.lastSeenAt <= time - SEEN_EVERY_MS) await touchSession(place.tenant, database, place.id, time);
  return found.session;
}

/** Somebody at the sign-in page. */
export type SignIn = {
  workspace: string;
  email: string;
  password: string;
  /** The caller's address. */
  network: string;
  /** The cookie of a browser that signed in before, as a sign-in returned it. */
  browser: string | null;
  userAgent: string;
};

/** `token` is for the cookie of the session. */
export type SignedIn =
  | { outcome: "signed-in"; token: string }
  | { outcome: "needs-code"; token: string }
  | { outcome: "wrong" }
  | { outcome: "throttled"; retryAfter: number }
  | { outcome: "busy" };

/** Checks a password, and begins a session where it is right. */
export async function signIn(deps: Deps, attempt: SignIn): Promise<SignedIn> {
  const done = await inPasswordTurn(attempt.network, async () => await attemptSignIn(deps, attempt));
  return done ?? { outcome: "busy" };
}

async function attemptSignIn({ database }: Deps, attempt: SignIn): Promise<SignedIn> {
  const { workspace, email, password, network, userAgent } = attempt;
  const [slug, address] = [trim(workspace), trim(email)];
  const tenant = isSlug(slug) ? await findTenant(database, slug) : null;
  const user = tenant === null || !isStorable(address) ? null : await findByEmail(tenant.id, database, address);
  const isRight = await verifyPassword(password, user?.passwordHash ?? null);
  if (!isRight || tenant === null || user === null || user.isDeactivated || tenant.suspendedAt !== null) {
    return { outcome: "wrong" };
  }
  if (isOutdated(user.passwordHash)) {
    await replacePasswordHash(tenant.id, database, user.id, user.passwordHash, await hashPassword(password));
  }
  const token = generateToken();
  await insertSession(tenant.id, database, {
    userId: user.id,
    hash: hashToken(token),
    tenantEpoch: tenant.sessionEpoch,
    userEpoch: user.sessionEpoch,
    awaitsCode: user.hasSecondFactor,
    address: network,
    userAgent: userAgent.slice(0, USER_AGENT_MAX),
    time: now(),
  });
  return { outcome: user.hasSecondFactor ? "needs-code" : "signed-in", token };
}

/** Signs out: the token is nobody's from here on. */
export async function endSession(database: Database, { tenant, id }: Session): Promise<void> {
  await deleteSession(tenant, database, id);
}
