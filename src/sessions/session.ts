import type { Deps } from "../deps.ts";
import type { Database } from "../platform/postgres/database.ts";
import { trim } from "../platform/text.ts";
import { findTenant, type Tenant } from "../tenants/tenant-queries.ts";
import { isSlug } from "../tenants/tenant.ts";
import { knownTurn } from "../users/password-turns.ts";
import { findByEmail, replacePasswordHash, type SigningIn } from "../users/sign-in-queries.ts";
import type { Session } from "../web/session.ts";
import { aliveAt } from "./begin-session.ts";
import { liveSession } from "./live-session.ts";
import { newSignInMail } from "./new-sign-in-mail.ts";
import { deleteSession, findLiveSession, insertSession, placeOfToken, touchSession } from "./session-queries.ts";
import {
  signInByPassword,
  signInChecked,
  type PasswordDoor,
  type SignedIn,
  type SignIn,
} from "./sign-in-by-password.ts";
import { accountOf } from "./subjects.ts";

type UserAtDoor = SigningIn & { tenant: Tenant };

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
  return await signInByPassword(deps, attempt, doorOf(deps, attempt));
}

/** Starts a session of a user who needs no password, with the same throttles. A second factor is still asked for. */
export async function signInWithout(
  deps: Deps,
  from: Omit<SignIn, "email" | "password">,
  named: { workspace: string; email: string },
): Promise<SignedIn> {
  const door = doorOf(deps, named);
  return await signInChecked(deps, from, door, async () => await door.find());
}

/** The door of users, for the named one. */
function doorOf(deps: Deps, named: { workspace: string; email: string }): PasswordDoor<UserAtDoor> {
  const { database } = deps;
  const [slug, email] = [trim(named.workspace), trim(named.email)];
  return {
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
    async begin(person, _hash, from) {
      const { tenant, id: userId, sessionEpoch: userEpoch, isDeactivated, mayUsePassword, hasSecondFactor } = person;
      const { suspendedAt, sessionEpoch: tenantEpoch } = tenant;
      if (isDeactivated || !mayUsePassword || suspendedAt !== null) return null;
      const owner = { userId, tenantEpoch, userEpoch, awaitsCode: hasSecondFactor };
      // A second factor is asked for first.
      const mails = owner.awaitsCode ? [] : newSignInMail(deps, tenant.id, userId, from);
      await insertSession(tenant.id, database, owner, from, aliveAt(from.time), mails);
      return owner;
    },
  };
}

/** Signs out: the token is invalid from now on. */
export async function endSession(database: Database, { tenant, id }: Session): Promise<void> {
  await deleteSession(tenant, database, id);
}
