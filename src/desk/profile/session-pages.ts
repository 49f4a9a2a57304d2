import { errors } from "../../kit/errors.ts";
import { rowTable } from "../../kit/tables/rows.ts";
import { html, type Html } from "../../kit/web/html.ts";
import { moment, type Language } from "../../kit/web/language.ts";
import { notice } from "../../kit/web/notice.ts";
import type { Page } from "../../kit/web/page.ts";
import { doorOf } from "../../kit/web/session.ts";
import { browserName } from "../../people/sessions/browser-name.ts";
import type { ListedSession } from "../../people/sessions/own-session-queries.ts";
import { endOtherSessions, revokeSession } from "../../people/sessions/own-sessions.ts";
import { profileWords } from "./profile-words.ts";

/** POST /profile/sessions/{id}/end: ends one of the user's sessions; ending the current one signs out. */
export const endSessionPage: Page = async ({ database }, { session, params }) => {
  const id = params.id ?? "";
  if (!(await revokeSession(database, session, id))) throw errors.resourceMissing("Session", id);
  if (id === session.id) return { to: doorOf(session.workspace.slug), cookies: { session: null } };
  return { to: "/profile", notice: notice("session-ended") };
};

/** POST /profile/sessions/end-others */
export const endOtherSessionsPage: Page = async ({ database }, { session }) => {
  await endOtherSessions(database, session);
  return { to: "/profile", notice: notice("other-sessions-ended") };
};

/** The part of the profile with one's sessions, the last one used first. */
export function sessionSection(sessions: ListedSession[], language: Language, timeZone: string): Html {
  const words = profileWords[language];
  const named = ({ userAgent }: ListedSession) => browserName(userAgent) ?? words.unknownBrowser;
  return html`<section class="section" id="sessions"><header><h2>${words.sessionsTitle}</h2>
${sessions.length > 1 && html`<form method="post" action="/profile/sessions/end-others"><button>${words.endOthers}</button></form>`}</header>
${rowTable(sessions, [
  [
    "name",
    words.browser,
    (session) =>
      html`${named(session)}${session.isCurrent && html` <span class="muted">(${words.thisOne})</span>`}${session.signedInBy !== null && html` <span class="muted">${words.signedInBy[session.signedInBy]}</span>`}`,
    { hint: ({ userAgent }) => userAgent },
  ],
  ["labelled", words.from, ({ address }) => address],
  ["date", words.began, ({ createdAt }) => moment(language, createdAt, timeZone)],
  ["date", words.lastSeen, ({ lastSeenAt }) => moment(language, lastSeenAt, timeZone)],
  [
    "action",
    words.end,
    (session) =>
      html`<form method="post" action="/profile/sessions/${session.id}/end"><button class="quiet" aria-label="${words.endOf(named(session), session.address)}">${words.end}</button></form>`,
  ],
])}</section>`;
}
