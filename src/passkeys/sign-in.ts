import type { Deps } from "../deps.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";
import { beginning } from "../sessions/begin-session.ts";
import { guarded, type Refused } from "../sessions/guarded.ts";
import { browserIdIn, browserIn, rememberedIn } from "../sessions/known-browser.ts";
import type { Account } from "../sessions/own-account.ts";
import type { BeginningIn } from "../sessions/sign-in-by-password.ts";
import { countedFor, countedForPasskey, questionOf, workspaceOf, type AttemptOrigin } from "../sessions/subjects.ts";
import type { InTurn } from "../users/password-turns.ts";
import { newChallenge, unsealChallenge, type Challenge, type AccountKind } from "./challenge.ts";
import { checkAssertion, parseAnswer, type PasskeyAnswer } from "./check-answer.ts";
import { requestOptions, type Asked } from "./options.ts";
import type { AnsweredChallenge, ListedPasskey } from "./passkey-store.ts";
import { siteOf, type NoSite, type Site } from "./passkey.ts";

/** An account that a person names, for a passkey that its authenticator does not list. Operators have no workspace. */
export type NamedAccount = { workspace: string; email: string };

/** A passkey that may open its account. */
export type UsablePasskey = {
  credentialId: string;
  publicKey: string;
  counter: number;
  /** Notes the answer and begins a full session, both or neither; false where it does not count (any more). */
  begin: (answered: AnsweredChallenge, from: BeginningIn) => Promise<boolean>;
};

/** The door of one kind of accounts: users or operators. */
export type PasskeyDoor<S extends { id: string; awaitsCode: boolean }> = {
  door: AccountKind;
  /** The turn of an attempt that names no account. */
  turnOf: (deps: Deps, attempt: AttemptOrigin) => InTurn;
  /** The account's digest (subjects.ts), and its passkeys; null for an account that there cannot be. */
  named: (deps: Deps, named: NamedAccount) => NamedPasskeys | null;
  /** With the account's digest, and the turn of a browser that has signed in to it before. Null: it opens nothing. */
  find: (
    deps: Deps,
    answer: PasskeyAnswer,
    tenant: TenantId | null,
  ) => Promise<(UsablePasskey & Pick<Account, "account" | "turn">) | null>;
  /** The account of a session that awaits its code. */
  awaiting: (deps: Deps, session: S) => AwaitingPasskey;
};

/** `find` is for a browser that has signed in to the account before. */
export type NamedPasskeys = {
  account: string;
  find: () => Promise<{ tenant: TenantId | null; passkeys: ListedPasskey[] } | null>;
};

export type AwaitingPasskey = Pick<Account, "account" | "turn"> & {
  list: () => Promise<ListedPasskey[]>;
  find: (answer: PasskeyAnswer) => Promise<UsablePasskey | null>;
};

/** Asks a browser for a passkey: for the second step of a session that awaits its code, otherwise to sign in. */
export async function askForPasskey<S extends { id: string; awaitsCode: boolean }>(
  deps: Deps,
  door: PasskeyDoor<S>,
  {
    origin,
    session,
    browser,
    named,
  }: Pick<PasskeyAttempt<S>, "origin" | "session" | "browser"> & { named: NamedAccount | null },
): Promise<Asked | NoSite> {
  const site = siteOf(deps.config, origin);
  if (typeof site === "string") return site;
  if (session?.awaitsCode === true) {
    const passkeys = await door.awaiting(deps, session).list();
    const { value, sealed } = newChallenge(deps.keyring, door.door, { for: "code", session: session.id });
    return { options: requestOptions(site, value, { passkeys, isSecond: true }), sealed };
  }
  const { tenant, passkeys } = await passkeysOfNamed(deps, door, named, browser);
  const { value, sealed } = newChallenge(deps.keyring, door.door, { for: "sign-in", tenant });
  return { options: requestOptions(site, value, { passkeys, isSecond: false }), sealed };
}

/**
 * The passkeys of a named account, for a browser that has signed in to it before. Any other browser learns nothing,
 * neither from the answer nor from its time.
 */
async function passkeysOfNamed<S extends { id: string; awaitsCode: boolean }>(
  deps: Deps,
  door: PasskeyDoor<S>,
  named: NamedAccount | null,
  browser: string | null,
): Promise<{ tenant: TenantId | null; passkeys: ListedPasskey[] }> {
  const nobody = { tenant: null, passkeys: [] };
  const found = named === null ? null : door.named(deps, named);
  if (found === null || browserIn(deps.keyring, browser, found.account) === null) return nobody;
  return (await found.find()) ?? nobody;
}

/** A browser's answer, with the cookie of its challenge. */
export type PasskeyAttempt<S> = AttemptOrigin & {
  answer: string;
  cookie: string | null;
  userAgent: string;
  origin: string;
  session: S | null;
};

/** `not-begun`: this browser was not asked, or too long ago. `unverified`: the authenticator asked for no PIN. */
export type PasskeySignedIn =
  | { outcome: "signed-in"; token: string; browser: string }
  | { outcome: "not-begun" }
  | { outcome: "unverified" }
  | Refused;

/** Signs in by a browser's answer. What anybody can send without a challenge of ours costs no query. */
export async function signInByPasskey<S extends { id: string; awaitsCode: boolean }>(
  deps: Deps,
  door: PasskeyDoor<S>,
  attempt: PasskeyAttempt<S>,
): Promise<PasskeySignedIn> {
  const challenge = unsealChallenge(deps.keyring, door.door, attempt.cookie);
  const site = siteOf(deps.config, attempt.origin);
  const answer = parseAnswer(attempt.answer);
  if (challenge === null || typeof site === "string") return { outcome: "not-begun" };
  if (answer === null) return { outcome: "wrong" };
  const { session } = attempt;
  const { purpose } = challenge;
  const given = { site, challenge, answer };
  if (purpose.for === "sign-in") return await enter(deps, door, attempt, { ...given, tenant: purpose.tenant });
  const isOwn = purpose.for === "code" && session?.awaitsCode === true && session.id === purpose.session;
  return isOwn ? await goOn(deps, door.awaiting(deps, session), attempt, given) : { outcome: "not-begun" };
}

type Given = { site: Site; challenge: Challenge; answer: PasskeyAnswer };

/** A passkey that verified its owner is both factors. */
async function enter<S extends { id: string; awaitsCode: boolean }>(
  deps: Deps,
  door: PasskeyDoor<S>,
  attempt: PasskeyAttempt<S>,
  { tenant, ...given }: Given & { tenant: TenantId | null },
): Promise<PasskeySignedIn> {
  const { network, browser } = attempt;
  const counted = countedForPasskey(network, browserIdIn(deps.keyring, browser));
  return await guarded<PasskeySignedIn>(deps, door.turnOf(deps, attempt), counted, async () => {
    const passkey = await door.find(deps, given.answer, tenant);
    return passkey === null ? null : await begin(deps, { ...attempt, ...passkey, isSecond: false }, given, passkey);
  });
}

/** After a password, a passkey stands for the code. It counts as a code does. */
async function goOn<S>(
  deps: Deps,
  { account, turn, find }: AwaitingPasskey,
  attempt: PasskeyAttempt<S>,
  given: Given,
): Promise<PasskeySignedIn> {
  const { network, browser } = attempt;
  const counted = countedFor(questionOf(account, "code"), network, browserIn(deps.keyring, browser, account));
  return await guarded<PasskeySignedIn>(deps, turn, counted, async () => {
    const passkey = await find(given.answer);
    return passkey === null ? null : await begin(deps, { ...attempt, account, turn, isSecond: true }, given, passkey);
  });
}

/** Checks the answer of a passkey, and begins a session if it is right. Null: it is wrong. */
async function begin(
  { keyring }: Deps,
  {
    network,
    browser,
    userAgent,
    account,
    turn,
    isSecond,
  }: AttemptOrigin & Pick<Account, "account" | "turn"> & { userAgent: string; isSecond: boolean },
  { site, challenge, answer }: Given,
  passkey: UsablePasskey,
): Promise<PasskeySignedIn | null> {
  const checked = await checkAssertion(answer, passkey, site, challenge.value);
  if (checked === null) return null;
  if (!checked.isVerified && !isSecond) return { outcome: "unverified" };
  const { token, from } = beginning({ network, userAgent });
  const isKnown = browserIn(keyring, browser, account) !== null;
  if (!(await passkey.begin({ challenge, checked }, { ...from, isKnown }))) return null;
  return { outcome: "signed-in", token, browser: rememberedIn(keyring, browser, account, workspaceOf(turn)) };
}
