import type { Deps } from "../deps.ts";
import { usingCode } from "../users/factor-store.ts";
import { userFactor } from "../users/second-factor-queries.ts";
import { parseCode, type GivenCode } from "../users/second-factor.ts";
import type { Session } from "../web/session.ts";
import { beginning } from "./begin-session.ts";
import { guarded, type Refused } from "./guarded.ts";
import { browserIn, rememberedIn } from "./known-browser.ts";
import { newSignInMail } from "./new-sign-in-mail.ts";
import { accountOfUser, type Account } from "./own-account.ts";
import { replaceAwaiting } from "./session-queries.ts";
import type { BeginningIn } from "./sign-in-by-password.ts";
import { countedFor, questionOf, type AttemptOrigin, workspaceOf } from "./subjects.ts";

/** The cookies are those of a sign-in. The session that awaited the code no longer exists. */
export type CodeConfirmed = { outcome: "signed-in"; token: string; browser: string } | Refused;

/** A second-factor code that a person has entered. */
export type CodeAttempt = AttemptOrigin & { code: string; userAgent: string };

/** A user's or operator's session that awaits its code. */
export type Awaiting = Pick<Account, "account" | "turn" | "factor"> & {
  /** Starts the full session; returns false if this session or the code was already used. */
  goOn: (given: GivenCode, from: BeginningIn) => Promise<boolean>;
};

/** Checks the second factor's code, or a recovery code, for a user's session that awaits it. */
export async function confirmCode(deps: Deps, session: Session, attempt: CodeAttempt): Promise<CodeConfirmed> {
  const { database } = deps;
  const { id, tenant, user } = session;
  return await confirmAwaited(deps, attempt, {
    ...accountOfUser(database, session),
    goOn: async (given, from) => {
      const mails = newSignInMail(deps, tenant, user.id, from);
      return await replaceAwaiting(tenant, database, id, usingCode(userFactor, user.id, given), from, mails);
    },
  });
}

export async function confirmAwaited(
  deps: Deps,
  { code, network, browser, userAgent }: CodeAttempt,
  { account, turn, factor, goOn }: Awaiting,
): Promise<CodeConfirmed> {
  const { keyring } = deps;
  const browserId = browserIn(keyring, browser, account);
  const counted = countedFor(questionOf(account, "code"), network, browserId);
  return await guarded(deps, turn, counted, async () => {
    const given = await parseCode(keyring, factor, code);
    const { token, from } = beginning({ network, userAgent });
    if (given === null || !(await goOn(given, { ...from, isKnown: browserId !== null }))) return null;
    const remembered = rememberedIn(keyring, browser, account, workspaceOf(turn));
    return { outcome: "signed-in", token, browser: remembered };
  });
}
