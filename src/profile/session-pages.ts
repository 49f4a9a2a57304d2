import { errors } from "../errors.ts";
import { browserName } from "../sessions/browser-name.ts";
import type { ListedSession } from "../sessions/own-session-queries.ts";
import { endOtherSessions, revokeSession } from "../sessions/own-sessions.ts";
import { html, type Html } from "../web/html.ts";
import { labelledCell } from "../web/labelled-cell.ts";
import { moment, type Language } from "../web/language.ts";
import { notice } from "../web/notice.ts";
import type { Page } from "../web/page.ts";
import { profileWords } from "./profile-words.ts";

/** POST /profile/sessions/{id}/end: one of one's own; this one too, which is signing out. */
export const endSessionPage: Page = async ({ database }, { session, params }) => {
  const id = params.id ?? "";
  if (!(await revokeSession(database, session, id))) throw errors.resourceMissing("Session", id);
  if (id === session.id) return { to: "/sign-in", cookies: { session: null } };
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
  const head = [words.browser, words.from, words.began, words.lastSeen];
  return html`<section class="section" id="sessions"><header><h2>${words.sessionsTitle}</h2>
${sessions.length > 1 && html`<form method="post" action="/profile/sessions/end-others"><button>${words.endOthers}</button></form>`}</header>
<table class="list"><thead><tr>${head.map((name) => html`<th scope="col">${name}</th>`)}<th scope="col"><span class="hidden">${words.end}</span></th></tr></thead>
<tbody>${sessions.map((session) => row(session, language, timeZone))}</tbody></table></section>`;
}

function row(session: ListedSession, language: Language, timeZone: string): Html {
  const words = profileWords[language];
  const { id, address, userAgent, createdAt, lastSeenAt, isCurrent, signedInBy } = session;
  const browser = browserName(userAgent) ?? words.unknownBrowser;
  return html`<tr>
<td class="name" title="${userAgent}">${browser}${isCurrent && html` <span class="muted">(${words.thisOne})</span>`}${signedInBy !== null && html` <span class="muted">${words.signedInBy[signedInBy]}</span>`}</td>
${labelledCell(words.from, address)}
${labelledCell(words.began, moment(language, createdAt, timeZone), "date")}
${labelledCell(words.lastSeen, moment(language, lastSeenAt, timeZone), "date")}
<td class="action"><form method="post" action="/profile/sessions/${id}/end"><button class="quiet" aria-label="${words.endOf(browser, address)}">${words.end}</button></form></td>
</tr>`;
}
