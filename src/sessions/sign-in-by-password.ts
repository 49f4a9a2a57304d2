import type { Deps } from "../deps.ts";
import type { InTurn } from "../users/password-turns.ts";
import { beginning } from "./begin-session.ts";
import { guarded, type Refused } from "./guarded.ts";
import { browserIn, rememberedIn } from "./known-browser.ts";
import type { Beginning } from "./session-queries.ts";
import { countedFor, strangersTurn, workspaceOf, type AttemptOrigin } from "./subjects.ts";

/** An attempt to sign in. */
export type SignIn = AttemptOrigin & { email: string; password: string; userAgent: string };

/**
 * `token` is for the session's cookie. `browser` is for the cookie, valid for a year, of a browser that has signed in.
 */
export type SignedIn =
  | { outcome: "signed-in"; token: string; browser: string }
  | { outcome: "needs-code"; token: string }
  | Refused;

/** `isKnown`: whether the browser has signed in to the account before. */
export type BeginningIn = Beginning & { isKnown: boolean };

/** The door of one kind of accounts: users or operators. */
export type PasswordDoor<Person extends { passwordHash: string | null }> = {
  strangers: "users" | "operators";
  /** The account that is named, even if it does not exist, and the turn of a browser that has signed in to it. */
  account: string;
  known: InTurn;
  find: () => Promise<Person | null>;
  /** Replaces a hash that was made with outdated parameters. */
  replaceHash: (person: Person, passwordHash: string) => Promise<void>;
  /** Null if the account may not sign in. */
  begin: (
    person: Person,
    passwordHash: Person["passwordHash"],
    from: BeginningIn,
  ) => Promise<{ awaitsCode: boolean } | null>;
};

/** Checks a password, and starts a session if it is right. The check takes as long for an unknown account. */
export async function signInByPassword<Person extends { passwordHash: string | null }>(
  deps: Pick<Deps, "database" | "keyring" | "passwords" | "sharing">,
  attempt: SignIn,
  door: PasswordDoor<Person>,
): Promise<SignedIn> {
  const { passwords } = deps;
  return await signInChecked(deps, attempt, door, async () => {
    const person = await door.find();
    const isRight = await passwords.verify(attempt.password, person?.passwordHash ?? null);
    if (!isRight || person === null) return null;
    if (person.passwordHash === null || !passwords.isOutdated(person.passwordHash)) return person;
    const passwordHash = await passwords.hash(attempt.password);
    await door.replaceHash(person, passwordHash);
    return { ...person, passwordHash };
  });
}

/**
 * Starts a session of the person that the check returns.
 * @param check returns null if the attempt is wrong
 */
export async function signInChecked<Person extends { passwordHash: string | null }>(
  deps: Pick<Deps, "database" | "keyring" | "sharing">,
  { network, browser, userAgent }: Omit<SignIn, "email" | "password">,
  { strangers, account, known, begin }: PasswordDoor<Person>,
  check: () => Promise<Person | null>,
): Promise<SignedIn> {
  const browserId = browserIn(deps.keyring, browser, account);
  const turn = browserId === null ? strangersTurn(strangers, network) : known;
  return await guarded(deps, turn, countedFor(account, network, browserId), async () => {
    const person = await check();
    if (person === null) return null;
    const { token, from } = beginning({ network, userAgent });
    const begun = await begin(person, person.passwordHash, { ...from, isKnown: browserId !== null });
    if (begun === null) return null;
    if (begun.awaitsCode) return { outcome: "needs-code", token };
    return { outcome: "signed-in", token, browser: rememberedIn(deps.keyring, browser, account, workspaceOf(known)) };
  });
}
