import { askingAct } from "../../../kit/web/asking.ts";
import type { Html } from "../../../kit/web/html.ts";
import type { Language } from "../../../kit/web/language.ts";
import { notice } from "../../../kit/web/notice.ts";
import type { Page } from "../../../kit/web/page.ts";
import { changedBy } from "../../../platform/fields/writer.ts";
import { factorOffMail } from "../factor-off-mail.ts";
import type { WorkspaceMember } from "../member-queries.ts";
import { resetFactor, type FactorReset } from "../second-factor-queries.ts";
import { userWords } from "../user-words.ts";
import { memberOf } from "./member-of.ts";

/**
 * POST /users/{id}/second-factor/reset: for a user who lost it. The user's own needs a code or the password, in the
 * profile.
 */
export const resetFactorPage: Page = async (deps, request) => {
  const { actor, session } = request;
  const { id } = await memberOf(deps, request);
  if (id === session.user.id) return { to: "/profile/second-factor" };
  const mails = factorOffMail(deps, actor.tenant, id, { name: session.user.name });
  const reset = await resetFactor(actor.tenant, deps.database, id, changedBy(actor), mails);
  return { to: `/users/${id}`, notice: notice(noticeOf[reset]) };
};

const noticeOf = {
  off: "second-factor-reset",
  "was-off": "second-factor-was-off",
  "break-glass": "second-factor-of-break-glass",
} satisfies Record<FactorReset, string>;

/** Link to the page; null without a second factor, or for the user's own. */
export function resetFactorLink(
  { id, hasSecondFactor }: WorkspaceMember,
  ownId: string,
  language: Language,
): Html | null {
  if (!hasSecondFactor || id === ownId) return null;
  const words = userWords[language];
  return askingAct(`/users/${id}/second-factor/reset`, words.reset, words.resetText);
}
