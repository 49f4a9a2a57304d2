import type { Deps } from "../deps.ts";
import type { InTurn } from "../users/password-turns.ts";
import { beginning } from "./begin-session.ts";
import { guarded, type Refused } from "./guarded.ts";
import { browserIn, rememberedIn } from "./known-browser.ts";
import type { Beginning } from "./session-queries.ts";
import { countedFor, strangersTurn, type AttemptOrigin } from "./subjects.ts";

/** Somebody at a sign-in page. */
export type SignIn = AttemptOrigin & { email: string; password: string; userAgent: string };

/**
 * `token` is for the cookie of the session; `browser` for the one, of a year, that tells that this browser has signed in
 * before.
 */
export type SignedIn =
  | { outcome: "signed-in"; token: string; browser: string }
  | { outcome: "needs-code"; token: string }
  | Refused;

/** Those who sign in: users, or operators. */
export type PasswordDoor<Person> = {
  strangers: "users" | "operators";
  /** The account that is named, whether there is one or not, and the turn of a browser that has been in it. */
  account: string;
  known: InTurn;
  find: () => Promise<Person | null>;
  /** Another hash takes the place of one that was made with other parameters. */
  replaceHash: (person: Person, passwordHash: string) => Promise<void>;
  /** Null where they may not. */
  begin: (person: Person, passwordHash: string, from: Beginning) => Promise<{ awaitsCode: boolean } | null>;
};

/** Checks a password, which costs the same where there is nobody, and begins a session where it is right. */
export async function signInByPassword<Person extends { passwordHash: string }>(
  deps: Pick<Deps, "database" | "keyring" | "passwords" | "sharing">,
  { network, browser, userAgent, password }: SignIn,
  { strangers, account, known, find, replaceHash, begin }: PasswordDoor<Person>,
): Promise<SignedIn> {
  const { passwords } = deps;
  const browserId = browserIn(deps.keyring, browser, account);
  const turn = browserId === null ? strangersTurn(strangers, network) : known;
  return await guarded(deps, turn, countedFor(account, network, browserId), async () => {
    const person = await find();
    const isRight = await passwords.verify(password, person?.passwordHash ?? null);
    if (!isRight || person === null) return null;
    let { passwordHash } = person;
    if (passwords.isOutdated(passwordHash)) {
      passwordHash = await passwords.hash(password);
      await replaceHash(person, passwordHash);
    }
    const { token, from } = beginning({ network, userAgent });
    const begun = await begin(person, passwordHash, from);
    if (begun === null) return null;
    if (begun.awaitsCode) return { outcome: "needs-code", token };
    return { outcome: "signed-in", token, browser: rememberedIn(deps.keyring, browser, account) };
  });
}
