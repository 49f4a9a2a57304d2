import type { Deps } from "../../kit/deps.ts";
import type { Session } from "../../kit/web/session.ts";
import { usingCode } from "../users/second-factor-queries.ts";
import { parseCode } from "../users/second-factor.ts";
import { beginning } from "./begin-session.ts";
import { guarded, type Refused } from "./guarded.ts";
import { browserIn, rememberedIn } from "./known-browser.ts";
import { newSignInMail } from "./new-sign-in-mail.ts";
import { accountOfUser } from "./own-account.ts";
import { replaceAwaiting } from "./session-queries.ts";
import { countedFor, questionOf, type AttemptOrigin } from "./subjects.ts";

/** The cookies are those of a sign-in. The session that awaited the code no longer exists. */
export type CodeConfirmed = { outcome: "signed-in"; token: string; browser: string } | Refused;

/** Checks the second factor's code, or a recovery code, for a session that awaits it. */
export async function confirmCode(
  deps: Deps,
  session: Session,
  { code, network, browser, userAgent }: AttemptOrigin & { code: string; userAgent: string },
): Promise<CodeConfirmed> {
  const { database, keyring } = deps;
  const { id, tenant, user, workspace } = session;
  const { account, turn, factor } = accountOfUser(database, session);
  const browserId = browserIn(keyring, browser, account);
  const counted = countedFor(questionOf(account, "code"), network, browserId);
  return await guarded(deps, turn, counted, async () => {
    const parsed = await parseCode(keyring, factor, code);
    if (parsed === null) return null;
    const { token, from } = beginning({ network, userAgent });
    const mails = newSignInMail(deps, tenant, user.id, { ...from, isKnown: browserId !== null });
    if (!(await replaceAwaiting(tenant, database, id, usingCode(user.id, parsed), from, mails))) return null;
    return { outcome: "signed-in", token, browser: rememberedIn(keyring, browser, account, workspace.slug) };
  });
}
