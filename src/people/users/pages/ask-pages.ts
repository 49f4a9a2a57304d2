import { asking } from "../../../kit/web/asking.ts";
import { html } from "../../../kit/web/html.ts";
import type { Page } from "../../../kit/web/page.ts";
import { SESSION_IDLE_MS } from "../../../kit/web/session.ts";
import { shellWords } from "../../../kit/web/shell-words.ts";
import { now } from "../../../platform/clock.ts";
import { stakesOf } from "../member-queries.ts";
import { userWords } from "../user-words.ts";
import { memberOf } from "./member-of.ts";

/** GET /users/{id}/deactivate: the companies and the sessions of the person. */
export const askToDeactivatePage: Page = async (deps, request) => {
  const { actor, language } = request;
  const { id, name, deactivatedAt, openInvitations } = await memberOf(deps, request);
  if (deactivatedAt !== null) return { to: `/users/${id}` };
  const words = userWords[language];
  const { companies, sessions, keys } = await stakesOf(actor.tenant, deps.database, id, now() - SESSION_IDLE_MS);
  return asking(language, {
    title: words.deactivateTitle(name),
    area: "users",
    consequences: [
      words.deactivateText,
      words.sessionsEnd(sessions),
      words.companiesStay(companies),
      openInvitations > 0 && words.invitationsEnd(openInvitations),
      keys > 0 && html`${words.keysStay(keys)} <a href="/keys">${shellWords[language].keys}</a>`,
    ],
    action: `/users/${id}/deactivate`,
    submit: words.deactivate,
    back: `/users/${id}`,
  });
};

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
