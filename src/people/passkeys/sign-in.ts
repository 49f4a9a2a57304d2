import type { Deps } from "../../kit/deps.ts";
import type { Session } from "../../kit/web/session.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import { storableWithin, trim } from "../../platform/text.ts";
import { aliveAt, beginning } from "../sessions/begin-session.ts";
import { guarded, type Refused } from "../sessions/guarded.ts";
import { browserIdIn, browserIn, rememberedIn, workspaceIn } from "../sessions/known-browser.ts";
import { newSignInMail } from "../sessions/new-sign-in-mail.ts";
import { accountOfUser } from "../sessions/own-account.ts";
import { insertSession, replaceAwaiting, type BeginningIn } from "../sessions/session-queries.ts";
import type { NamedAccount } from "../sessions/sign-in-by-password.ts";
import {
  accountOf,
  countedFor,
  countedForPasskey,
  questionOf,
  strangersTurn,
  type AttemptOrigin,
} from "../sessions/subjects.ts";
import { findWorkspace } from "../tenants/tenant-queries.ts";
import { typedSlug } from "../tenants/tenant.ts";
import { knownTurn } from "../users/password-turns.ts";
import { findByEmail } from "../users/sign-in-queries.ts";
import { EMAIL_MAX } from "../users/user.ts";
import { newChallenge, unsealChallenge, type Challenge } from "./challenge.ts";
import { checkAssertion, parseAnswer, type PasskeyAnswer } from "./check-answer.ts";
import { requestOptions, type PasskeyRequest } from "./options.ts";
import {
  findPasskey,
  listPasskeys,
  notePasskeyUse,
  tenantOfPasskey,
  usingPasskey,
  type ListedPasskey,
} from "./passkey-queries.ts";
import { siteOf, type NoSite, type Site } from "./passkey.ts";

/**
 * Asks a browser for a passkey: for the second step of a session that awaits its code, otherwise to sign in.
 * @param named an account whose passkey its authenticator does not list
 */
export async function askForPasskey(
  deps: Deps,
  {
    origin,
    session,
    browser,
    named,
  }: Pick<PasskeyAttempt, "origin" | "session" | "browser"> & { named: NamedAccount | null },
): Promise<PasskeyRequest | NoSite> {
  const site = siteOf(deps.config, origin);
  if (typeof site === "string") return site;
  if (session?.awaitsCode === true) {
    const passkeys = await listPasskeys(session.tenant, deps.database, session.user.id);
    const { value, sealed } = newChallenge(deps.keyring, { for: "code", session: session.id });
    return { options: requestOptions(site, value, { passkeys, isSecond: true }), sealed };
  }
  const { tenant, passkeys } = await passkeysOfNamed(deps, named, browser);
  const { value, sealed } = newChallenge(deps.keyring, { for: "sign-in", tenant });
  return { options: requestOptions(site, value, { passkeys, isSecond: false }), sealed };
}

/**
 * The passkeys of a named account, for a browser that has signed in to it before. Any other browser learns nothing,
 * neither from the answer nor from its time.
 */
async function passkeysOfNamed(
  { database, keyring }: Deps,
  named: NamedAccount | null,
  browser: string | null,
): Promise<{ tenant: TenantId | null; passkeys: ListedPasskey[] }> {
  const slug = typedSlug(named?.workspace ?? "");
  const email = storableWithin(trim(named?.email ?? ""), EMAIL_MAX);
  const isKnown = named !== null && email !== null && browserIn(keyring, browser, accountOf(slug, email)) !== null;
  const tenant = isKnown ? await findWorkspace(database, slug) : null;
  const user = tenant === null || email === null ? null : await findByEmail(tenant.id, database, email);
  if (tenant === null || user === null) return { tenant: null, passkeys: [] };
  return { tenant: tenant.id, passkeys: await listPasskeys(tenant.id, database, user.id) };
}

/** A browser's answer, with the cookie of its challenge. */
export type PasskeyAttempt = AttemptOrigin & {
  answer: string;
  cookie: string | null;
  userAgent: string;
  origin: string;
  session: Session | null;
};

/** `not-begun`: this browser was not asked, or too long ago. `unverified`: the authenticator asked for no PIN. */
export type PasskeySignedIn =
  | { outcome: "signed-in"; token: string; browser: string; workspace: string }
  | { outcome: "not-begun" }
  | { outcome: "unverified" }
  | Refused;

/** Signs in by a browser's answer. Requests without a valid challenge are refused before any query. */
export async function signInByPasskey(deps: Deps, attempt: PasskeyAttempt): Promise<PasskeySignedIn> {
  const challenge = unsealChallenge(deps.keyring, attempt.cookie);
  const site = siteOf(deps.config, attempt.origin);
  const answer = parseAnswer(attempt.answer);
  if (challenge === null || typeof site === "string") return { outcome: "not-begun" };
  if (answer === null) return { outcome: "wrong" };
  const { session } = attempt;
  const { purpose } = challenge;
  const parsed = { site, challenge, answer };
  if (purpose.for === "sign-in") return await enter(deps, attempt, parsed, purpose.tenant);
  const isOwn = purpose.for === "code" && session?.awaitsCode === true && session.id === purpose.session;
  return isOwn ? await goOn(deps, session, attempt, parsed) : { outcome: "not-begun" };
}

type ParsedAttempt = { site: Site; challenge: Challenge; answer: PasskeyAnswer };

/** A passkey that verified its owner is both factors. @param named the tenant of a named account */
async function enter(
  deps: Deps,
  attempt: PasskeyAttempt,
  { site, challenge, answer }: ParsedAttempt,
  named: TenantId | null,
): Promise<PasskeySignedIn> {
  const { database, keyring } = deps;
  const { network, browser } = attempt;
  const browserId = browserIdIn(keyring, browser);
  const workspace = workspaceIn(keyring, browser);
  const turn = workspace === null ? strangersTurn(network) : knownTurn(workspace);
  return await guarded<PasskeySignedIn>(deps, turn, countedForPasskey(network, browserId), async () => {
    const { credentialId, userHandle } = answer;
    const ofHandle = userHandle === null ? null : await tenantOfPasskey(database, credentialId, userHandle);
    const tenant = ofHandle ?? named;
    const passkey = tenant === null ? null : await findPasskey(tenant, database, credentialId);
    if (tenant === null || passkey === null || passkey.isShutOut || !passkey.mayUse) return null;
    const checked = await checkAssertion(answer, passkey, site, challenge.value);
    if (checked === null) return null;
    if (!checked.isVerified) return { outcome: "unverified" };
    const { slug, email, userId, userEpoch, tenantEpoch } = passkey;
    return await begin(deps, attempt, accountOf(slug, email), slug, async (from) => {
      if (!(await notePasskeyUse(tenant, database, passkey, { challenge, checked }, from.time))) return false;
      // With the epochs that were read with the passkey, a session that begins too late is not valid (decision 29).
      const owner = { userId, tenantEpoch, userEpoch, awaitsCode: false, by: { way: "passkey" } } as const;
      await insertSession(tenant, database, owner, from, aliveAt(from.time), newSignInMail(deps, tenant, userId, from));
      return true;
    });
  });
}

/** After a password, a passkey replaces the code. It counts as a code does. */
async function goOn(
  deps: Deps,
  session: Session,
  attempt: PasskeyAttempt,
  { site, challenge, answer }: ParsedAttempt,
): Promise<PasskeySignedIn> {
  const { database, keyring } = deps;
  const { network, browser } = attempt;
  const { id, tenant, user, workspace } = session;
  const { account, turn } = accountOfUser(database, session);
  const counted = countedFor(questionOf(account, "code"), network, browserIn(keyring, browser, account));
  return await guarded<PasskeySignedIn>(deps, turn, counted, async () => {
    const passkey = await findPasskey(tenant, database, answer.credentialId);
    if (passkey === null || passkey.userId !== user.id || !passkey.mayUse) return null;
    const checked = await checkAssertion(answer, passkey, site, challenge.value);
    if (checked === null) return null;
    // The challenge ends with the session that it is for.
    return await begin(deps, attempt, account, workspace.slug, async (from) => {
      const mails = newSignInMail(deps, tenant, user.id, from);
      return await replaceAwaiting(tenant, database, id, usingPasskey(passkey, checked), from, mails);
    });
  });
}

/** Begins a full session. Null: the answer does not count (any more). */
async function begin(
  { keyring }: Deps,
  { network, browser, userAgent }: PasskeyAttempt,
  account: string,
  workspace: string,
  insert: (from: BeginningIn) => Promise<boolean>,
): Promise<PasskeySignedIn | null> {
  const { token, from } = beginning({ network, userAgent });
  const isKnown = browserIn(keyring, browser, account) !== null;
  if (!(await insert({ ...from, isKnown }))) return null;
  return { outcome: "signed-in", token, browser: rememberedIn(keyring, browser, account, workspace), workspace };
}
