import type { Deps } from "../../kit/deps.ts";
import { trim } from "../../platform/text.ts";
import { findWorkspace } from "../tenants/tenant-queries.ts";
import { typedSlug } from "../tenants/tenant.ts";
import { knownTurn } from "../users/password-turns.ts";
import { findByEmail, replacePasswordHash } from "../users/sign-in-queries.ts";
import { aliveAt, beginning } from "./begin-session.ts";
import { guarded, type Refused } from "./guarded.ts";
import { browserIn, rememberedIn } from "./known-browser.ts";
import { newSignInMail } from "./new-sign-in-mail.ts";
import { insertSession } from "./session-queries.ts";
import { accountOf, countedFor, strangersTurn, type AttemptOrigin } from "./subjects.ts";

/** The account that an attempt names, which need not exist. Operators name the workspace with an empty slug. */
export type NamedAccount = { workspace: string; email: string };

/**
 * An attempt to sign in. `isExpected`: whether no mail needs to notify the user; by default, that of a browser which
 * has been in the account.
 */
export type SignIn = AttemptOrigin & NamedAccount & { password: string; userAgent: string; isExpected?: boolean };

/**
 * `token` is for the session's cookie. `browser` is for the cookie, valid for a year, of a browser that has signed in.
 */
export type SignedIn =
  | { outcome: "signed-in"; token: string; browser: string }
  | { outcome: "needs-code"; token: string }
  | Refused;

/** Checks a password, and starts a session if it is right. The check takes as long for an unknown account. */
export async function signIn(deps: Deps, attempt: SignIn): Promise<SignedIn> {
  const { database, passwords } = deps;
  const { password } = attempt;
  return await signInChecked(deps, attempt, async (person, tenant) => {
    const before = person?.passwordHash ?? null;
    if (!(await passwords.verify(password, before))) return false;
    if (person !== null && tenant !== null && before !== null && passwords.isOutdated(before)) {
      await replacePasswordHash(tenant.id, database, person.id, before, await passwords.hash(password));
    }
    return true;
  });
}

/** Starts a session of a user who needs no password, with the same throttles. A second factor is still asked for. */
export async function signInWithout(deps: Deps, attempt: Omit<SignIn, "password">): Promise<SignedIn> {
  return await signInChecked(deps, attempt, async () => true);
}

type Person = Awaited<ReturnType<typeof findByEmail>>;
type Workspace = Awaited<ReturnType<typeof findWorkspace>>;

/** @param isRight also for an account that does not exist */
async function signInChecked(
  deps: Deps,
  { workspace, email, network, browser, userAgent, isExpected }: Omit<SignIn, "password">,
  isRight: (person: Person, tenant: Workspace) => Promise<boolean>,
): Promise<SignedIn> {
  const { database, keyring } = deps;
  const slug = typedSlug(workspace);
  const account = accountOf(slug, trim(email));
  const browserId = browserIn(keyring, browser, account);
  const turn = browserId === null ? strangersTurn(network, slug) : knownTurn(slug);
  return await guarded(deps, turn, countedFor(account, network, browserId), async () => {
    const tenant = await findWorkspace(database, slug);
    const person = tenant === null ? null : await findByEmail(tenant.id, database, trim(email));
    if (!(await isRight(person, tenant)) || tenant === null || person === null) return null;
    const { id: userId, sessionEpoch: userEpoch, isDeactivated, mayUsePassword, hasSecondFactor } = person;
    if (isDeactivated || !mayUsePassword || tenant.suspendedAt !== null) return null;
    const { token, from } = beginning({ network, userAgent });
    const owner = { userId, tenantEpoch: tenant.sessionEpoch, userEpoch, awaitsCode: hasSecondFactor };
    // A second factor is asked for first.
    const mails = hasSecondFactor
      ? []
      : newSignInMail(deps, tenant.id, userId, { ...from, isKnown: isExpected ?? browserId !== null });
    await insertSession(tenant.id, database, owner, from, aliveAt(from.time), mails);
    if (hasSecondFactor) return { outcome: "needs-code", token };
    return { outcome: "signed-in", token, browser: rememberedIn(keyring, browser, account, slug) };
  });
}
