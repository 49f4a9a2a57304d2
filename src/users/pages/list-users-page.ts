import { errors } from "../../errors.ts";
import { listGivenUp, type GivenUpMail } from "../../mail/mail-queries.ts";
import { changedBy } from "../../platform/fields/writer.ts";
import { parsePage } from "../../platform/http/lists/pagination.ts";
import { html, type Html } from "../../web/html.ts";
import { icon } from "../../web/icon.ts";
import { labelledCell } from "../../web/labelled-cell.ts";
import { dayOf, moment, wholeNumber, type Language } from "../../web/language.ts";
import { notice } from "../../web/notice.ts";
import type { Page } from "../../web/page.ts";
import { pageHref, pager } from "../../web/pager.ts";
import { state } from "../../web/state.ts";
import type { OpenInvitation } from "../invitation-queries.ts";
import { listInvitations, revokeInvitation } from "../invitation.ts";
import { listMembers, type WorkspaceMember } from "../member-queries.ts";
import { roleWords, userWords } from "../user-words.ts";
import { userState } from "./user-state.ts";

/** GET /users: the active ones first, and below them the invitations that are open. */
export const listUsersPage: Page = async ({ database }, { actor, session, query, language }) => {
  const words = userWords[language];
  const page = parsePage(query);
  const [{ members, total }, invitations, givenUp] = await Promise.all([
    listMembers(actor.tenant, database, page),
    listInvitations(actor.tenant, database),
    listGivenUp(actor.tenant, database),
  ]);
  const { timeZone } = session.workspace;
  const main = html`<header class="heading">
<h1>${words.title} <span class="count">${wholeNumber(language, total)}</span></h1>
<a class="button main" href="/users/new" aria-keyshortcuts="n">${icon("add")}${words.invite}</a>
</header>
${userTable(members, language, timeZone)}
${pager(page, { count: members.length, total }, pageHref(query), language)}
${invitations.length > 0 && invitationTable(invitations, language, timeZone)}
${givenUp.length > 0 && givenUpTable(givenUp, language, timeZone)}`;
  return { title: words.title, area: "users", main };
};

/** POST /users/invitations/{id}/revoke */
export const revokeInvitationPage: Page = async ({ database }, { actor, params }) => {
  const id = params.id ?? "";
  if (!(await revokeInvitation(actor.tenant, database, id, changedBy(actor))))
    throw errors.resourceMissing("Invitation", id);
  return { to: "/users", notice: notice("invitation-revoked") };
};

function userTable(members: WorkspaceMember[], language: Language, timeZone: string): Html {
  const words = userWords[language];
  const head = [words.name, words.email, words.role, words.state, words.secondFactor, words.lastSeen];
  return html`<table class="list"><thead><tr>${head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${members.map(
    (member) => html`<tr>
<td class="name"><a href="/users/${member.id}" title="${member.name}">${member.name}</a></td>
<td class="email" title="${member.email}">${member.email}</td>
<td>${roleWords[language][member.role]}</td>
<td>${userState(member, language)}</td>
${labelledCell(words.secondFactor, member.hasSecondFactor && words.on)}
${labelledCell(words.lastSeen, member.lastSeenAt !== null && moment(language, member.lastSeenAt, timeZone), "date")}
</tr>`,
  )}</tbody></table>`;
}

function invitationTable(invitations: OpenInvitation[], language: Language, timeZone: string): Html {
  const words = userWords[language];
  const head = [words.email, words.role, words.invitedBy, words.validUntil];
  return html`<section class="section"><header><h2>${words.invitations}</h2></header>
<table class="list"><thead><tr>${head.map((name) => html`<th scope="col">${name}</th>`)}<th scope="col"><span class="hidden">${words.revoke}</span></th></tr></thead>
<tbody>${invitations.map(
    ({ id, email, role, invitedBy, expiresAt, isExpired, isForUser }) => html`<tr>
<td class="name" title="${email}">${email}</td>
<td>${isForUser ? words.forPassword : roleWords[language][role]}</td>
${labelledCell(words.invitedBy, invitedBy ?? (isForUser ? words.byMail : words.byOperator))}
${isExpired ? html`<td>${state("attention", words.expired)}</td>` : labelledCell(words.validUntil, (isForUser ? moment : dayOf)(language, expiresAt, timeZone), "date")}
<td class="action"><form method="post" action="/users/invitations/${id}/revoke"><button class="quiet" aria-label="${words.revokeOf(email)}">${words.revoke}</button></form></td>
</tr>`,
  )}</tbody></table></section>`;
}

/** Mail that nobody got: an admin finds another way to tell these people. */
function givenUpTable(mails: GivenUpMail[], language: Language, timeZone: string): Html {
  const words = userWords[language];
  const head = [words.email, words.kind, words.reason, words.when];
  const reasons: Readonly<Record<string, string>> = words.givenUpReasons;
  return html`<section class="section"><header><h2>${words.givenUp}</h2></header>
<p>${words.givenUpAbout}</p>
<table class="list"><thead><tr>${head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${mails.map(
    ({ email, kind, failure, endedAt }) => html`<tr>
<td class="name" title="${email}">${email}</td>
<td>${words.givenUpKinds[kind]}</td>
${labelledCell(words.reason, reasons[failure ?? ""] ?? words.givenUpReasons.other)}
${labelledCell(words.when, moment(language, endedAt, timeZone), "date")}
</tr>`,
  )}</tbody></table></section>`;
}
