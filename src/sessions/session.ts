import type { Deps } from "../deps.ts";
import { now } from "../platform/clock.ts";
import type { Database } from "../platform/postgres/database.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";
import { isStorable, trim } from "../platform/text.ts";
import { hashToken, isToken } from "../platform/token.ts";
import { findTenant } from "../tenants/tenant-queries.ts";
import { isSlug } from "../tenants/tenant.ts";
import { isOutdated, hashPassword, verifyPassword } from "../users/password-hash.ts";
import { findByEmail, replacePasswordHash, type SigningIn } from "../users/sign-in-queries.ts";
import type { Session } from "../web/session.ts";
import { aliveAt, beginSession } from "./begin-session.ts";
import { guarded, type Refused } from "./guarded.ts";
import { browserIn, rememberedIn } from "./known-browser.ts";
import { deleteSession, findLiveSession, placeOfToken, touchSession } from "./session-queries.ts";
import { accountOf, countedFor, knownTurn, strangersTurn, type Attempt } from "./subjects.ts";

const SEEN_EVERY_MS = 60_000;

/** The session of a cookie's token. Null: unknown, ended, expired, its user deactivated or its tenant suspended. */
export async function findSession(database: Database, token: string): Promise<Session | null> {
  if (!isToken(token)) return null;
  const hash = hashToken(token);
  const place = await placeOfToken(database, hash);
  if (place === null) return null;
  const time = now();
  const found = await findLiveSession(place.tenant, database, place.id, hash, aliveAt(time));
  if (found === null) return null;
  if (found.lastSeenAt <= time - SEEN_EVERY_MS) await touchSession(place.tenant, database, place.id, time);
  return found.session;
}

/** Somebody at the sign-in page. */
export type SignIn = Attempt & { workspace: string; email: string; password: string; userAgent: string };

/**
 * `token` is for the cookie of the session; `browser` for the one, of a year, that tells that this browser has signed in
 * before.
 */
export type SignedIn =
  | { outcome: "signed-in"; token: string; browser: string }
  | { outcome: "needs-code"; token: string }
  | Refused;

/** Checks a password, and begins a session where it is right. */
export async function signIn(deps: Deps, attempt: SignIn): Promise<SignedIn> {
  const { database, keyring } = deps;
  const { email, password, network, browser, userAgent } = attempt;
  const [slug, address] = [trim(attempt.workspace), trim(email)];
  const account = accountOf(slug, address);
  const known = browserIn(keyring, browser, account);
  return await guarded(
    deps,
    known === null ? strangersTurn("users", network) : knownTurn(slug),
    countedFor(account, network, known),
    async () => {
      const tenant = isSlug(slug) ? await findTenant(database, slug) : null;
      const user = tenant === null || !isStorable(address) ? null : await findByEmail(tenant.id, database, address);
      if (!(await isPassword(database, tenant?.id ?? null, user, password))) return null;
      if (tenant === null || user === null || user.isDeactivated || tenant.suspendedAt !== null) return null;
      const token = await beginSession(tenant.id, database, {
        userId: user.id,
        tenantEpoch: tenant.sessionEpoch,
        userEpoch: user.sessionEpoch,
        awaitsCode: user.hasSecondFactor,
        address: network,
        userAgent,
      });
      return user.hasSecondFactor
        ? { outcome: "needs-code", token }
        : { outcome: "signed-in", token, browser: rememberedIn(keyring, browser, account) };
    },
  );
}

/** Costs the same where there is no user. Another hash takes the place of one that was made with other parameters. */
async function isPassword(
  database: Database,
  tenant: TenantId | null,
  user: SigningIn | null,
  password: string,
): Promise<boolean> {
  const isRight = await verifyPassword(password, user?.passwordHash ?? null);
  if (isRight && tenant !== null && user !== null && isOutdated(user.passwordHash)) {
    await replacePasswordHash(tenant, database, user.id, user.passwordHash, await hashPassword(password));
  }
  return isRight;
}

/** Signs out: the token is nobody's from here on. */
export async function endSession(database: Database, { tenant, id }: Session): Promise<void> {
  await deleteSession(tenant, database, id);
}
