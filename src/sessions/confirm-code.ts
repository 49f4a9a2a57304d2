import type { Deps } from "../deps.ts";
import { usingCode } from "../users/second-factor-queries.ts";
import { parseCode } from "../users/second-factor.ts";
import { continueSession } from "./begin-session.ts";
import { guarded, type Refused } from "./guarded.ts";
import { browserIn, rememberedIn } from "./known-browser.ts";
import type { Session } from "../web/session.ts";
import { accountOf, countedFor, knownTurn, questionOf, type Attempt } from "./subjects.ts";

/** The cookies are as those of a sign-in; the session before this one is no more. */
export type CodeConfirmed = { outcome: "signed-in"; token: string; browser: string } | Refused;

/** Checks the second factor's code, or a recovery code, of a session that awaits it. */
export async function confirmCode(
  deps: Deps,
  { id, tenant, workspace, user }: Session,
  code: string,
  { network, browser, userAgent }: Attempt & { userAgent: string },
): Promise<CodeConfirmed> {
  const { database, keyring } = deps;
  const account = accountOf(workspace.slug, user.email);
  const counted = countedFor(questionOf(account, "code"), network, browserIn(keyring, browser, account));
  return await guarded(deps, knownTurn(workspace.slug), counted, async () => {
    const given = await parseCode(deps, tenant, user.id, code);
    if (given === null) return null;
    const from = { address: network, userAgent };
    const token = await continueSession(tenant, database, id, usingCode(user.id, given), from);
    if (token === null) return null;
    return { outcome: "signed-in", token, browser: rememberedIn(keyring, browser, account) };
  });
}
