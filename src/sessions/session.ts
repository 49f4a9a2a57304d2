import type { Deps } from "../deps.ts";
import type { Database } from "../platform/postgres/database.ts";
import { trim } from "../platform/text.ts";
import { findTenant } from "../tenants/tenant-queries.ts";
import { isSlug } from "../tenants/tenant.ts";
import { knownTurn } from "../users/password-turns.ts";
import { findByEmail, replacePasswordHash } from "../users/sign-in-queries.ts";
import type { Session } from "../web/session.ts";
import { aliveAt } from "./begin-session.ts";
import { liveSession } from "./live-session.ts";
import { deleteSession, findLiveSession, insertSession, placeOfToken, touchSession } from "./session-queries.ts";
import { signInByPassword, type SignedIn, type SignIn } from "./sign-in-by-password.ts";
import { accountOf } from "./subjects.ts";

/** The session of a cookie's token. Null: unknown, ended or expired, its user deactivated, or its tenant suspended. */
export async function findSession(database: Database, token: string): Promise<Session | null> {
  return await liveSession(token, {
    placeOf: async (hash) => await placeOfToken(database, hash),
    find: async ({ tenant, id }, hash, alive) => await findLiveSession(tenant, database, id, hash, alive),
    touch: async ({ tenant, id }, time) => await touchSession(tenant, database, id, time),
  });
}

/** Checks a user's password, and starts a session if it is right. */
export async function signIn(deps: Deps, attempt: SignIn & { workspace: string }): Promise<SignedIn> {
  const { database } = deps;
  const [slug, email] = [trim(attempt.workspace), trim(attempt.email)];
  return await signInByPassword(deps, attempt, {
    strangers: "users",
    account: accountOf(slug, email),
    known: knownTurn(slug),
    async find() {
      const tenant = isSlug(slug) ? await findTenant(database, slug) : null;
      const user = tenant === null ? null : await findByEmail(tenant.id, database, email);
      return tenant === null || user === null ? null : { ...user, tenant };
    },
    async replaceHash({ tenant, id, passwordHash }, hash) {
      await replacePasswordHash(tenant.id, database, id, passwordHash, hash);
    },
    async begin({ tenant, id: userId, sessionEpoch: userEpoch, isDeactivated, hasSecondFactor }, _hash, from) {
      const { suspendedAt, sessionEpoch: tenantEpoch } = tenant;
      if (isDeactivated || suspendedAt !== null) return null;
      const owner = { userId, tenantEpoch, userEpoch, awaitsCode: hasSecondFactor };
      await insertSession(tenant.id, database, owner, from, aliveAt(from.time));
      return owner;
    },
  });
}

/** Signs out: the token is invalid from now on. */
export async function endSession(database: Database, { tenant, id }: Session): Promise<void> {
  await deleteSession(tenant, database, id);
}
