import { asking } from "../../../kit/web/asking.ts";
import type { Page } from "../../../kit/web/page.ts";
import { SESSION_IDLE_MS } from "../../../kit/web/session.ts";
import { now } from "../../../platform/clock.ts";
import { stakesOf } from "../member-queries.ts";
import { userWords } from "../user-words.ts";
import { memberOf } from "./member-of.ts";

/** GET /users/{id}/second-factor/reset: the sessions and the recovery codes that end with it. */
export const askToResetFactorPage: Page = async (deps, request) => {
  const { actor, session, language } = request;
  const { id, name, hasSecondFactor } = await memberOf(deps, request);
  if (id === session.user.id) return { to: "/profile/second-factor" };
  if (!hasSecondFactor) return { to: `/users/${id}` };
  const words = userWords[language];
  const { sessions, recoveryCodes } = await stakesOf(actor.tenant, deps.database, id, now() - SESSION_IDLE_MS);
  return asking(language, {
    title: words.resetTitle(name),
    area: "users",
    consequences: [words.resetText, words.sessionsEnd(sessions), words.codesEnd(recoveryCodes)],
    action: `/users/${id}/second-factor/reset`,
    submit: words.reset,
    back: `/users/${id}`,
  });
};
