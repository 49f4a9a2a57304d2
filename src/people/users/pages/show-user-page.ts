import { writerIn } from "../../../kit/changes/change-words.ts";
import { errors } from "../../../kit/errors.ts";
import { acts, askingAct, dangers, postAct } from "../../../kit/web/asking.ts";
import { emailLink } from "../../../kit/web/contact-links.ts";
import { fieldRow } from "../../../kit/web/forms/field.ts";
import type { RefusedForm } from "../../../kit/web/forms/form.ts";
import { choicesAmong } from "../../../kit/web/forms/select.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import { icon } from "../../../kit/web/icon.ts";
import { dayOf, moment, wholeNumber, type Language } from "../../../kit/web/language.ts";
import { messagesIn, type FieldMessages } from "../../../kit/web/messages.ts";
import { notice } from "../../../kit/web/notice.ts";
import type { Page, PageAnswer, PageRequest, Shown } from "../../../kit/web/page.ts";
import { shellWords } from "../../../kit/web/shell-words.ts";
import { now } from "../../../platform/clock.ts";
import { changedBy } from "../../../platform/fields/writer.ts";
import { reactivateUser, stakesOf, type WorkspaceMember, type MemberChanged } from "../member-queries.ts";
import { roleWords, userLabels, userWords } from "../user-words.ts";
import { membershipFields } from "../user.ts";
import { updateRole } from "../write-user.ts";
import { memberOf } from "./member-of.ts";
import { resetFactorLink } from "./reset-factor-page.ts";
import { userState } from "./user-state.ts";

/** GET /users/{id} */
export const showUserPage: Page = async (deps, request) => {
  const member = await memberOf(deps, request);
  const { companies } = await stakesOf(request.actor.tenant, deps.database, member.id, now());
  return page(request, member, { companies });
};

/** POST /users/{id}: another role. Whoever takes the own one away has no more business here. */
export const updateUserPage: Page = async (deps, request) => {
  const { actor, session, form, language } = request;
  const member = await memberOf(deps, request);
  const changed = await updateRole(deps, actor.tenant, member.id, form.input(["role", "may_export"]), changedBy(actor));
  if (changed.outcome === "invalid") {
    return page(request, member, { status: 422, errors: messagesIn(language, changed.messages, userLabels(language)) });
  }
  const isOwn = member.id === session.user.id && form.get("role") !== "admin";
  return memberAnswer(request, member, changed, {
    to: isOwn ? "/companies" : `/users/${member.id}`,
    said: "role-saved",
  });
};

/** POST /users/{id}/reactivate */
export const reactivateUserPage: Page = async (deps, request) => {
  const member = await memberOf(deps, request);
  const changed = await reactivateUser(request.actor.tenant, deps.database, member.id, changedBy(request.actor));
  return memberAnswer(request, member, changed, { to: `/users/${member.id}`, said: "user-reactivated" });
};

/** The answer after a change of a member. */
export function memberAnswer(
  request: PageRequest,
  member: WorkspaceMember,
  changed: MemberChanged,
  { to, said }: { to: string; said: string },
): PageAnswer {
  if (changed.outcome === "missing") throw errors.resourceMissing("User", member.id);
  if (changed.outcome === "written") {
    return { to, notice: notice(said, { invitations: String(changed.invitationsEnded) }) };
  }
  const { lastAdmin, isBreakGlass } = userWords[request.language];
  const message = changed.outcome === "last-admin" ? lastAdmin : isBreakGlass;
  return page(request, member, { status: 409, message });
}

function page(
  { session, language }: PageRequest,
  member: WorkspaceMember,
  { status = 200, message, errors, companies = 0 }: RefusedForm & { message?: string; companies?: number },
): Shown {
  const words = userWords[language];
  const { timeZone } = session.workspace;
  const { id, name, email, role, hasSecondFactor, passkeys, lastSeenAt, createdAt } = member;
  const { resetAt, resetBy, resetName, linkedAt } = member;
  const main = html`<a class="back" href="/users">${icon("back")}${words.title}</a>
<header class="heading"><h1>${name}</h1>${userState(member, language)}</header>
<div role="alert">${message !== undefined && html`<p class="error">${message}</p>`}</div>
<dl class="facts">
<dt>${words.email}</dt><dd>${emailLink(email)}</dd>
<dt>${words.role}</dt><dd>${roleWords[language][role]}</dd>
<dt>${words.secondFactor}</dt><dd>${hasSecondFactor ? words.on : words.off}${resetAt !== null && html` <span class="muted">${words.resetBy(moment(language, resetAt, timeZone), writerIn(language, resetBy, resetName))}</span>`}</dd>
${passkeys > 0 && html`<dt>${words.passkeys}</dt><dd><a href="/users/${id}/passkeys">${words.passkeyCount(passkeys)}</a></dd>`}
${linkedAt !== null && html`<dt>${words.singleSignOn}</dt><dd>${words.linked(dayOf(language, linkedAt, timeZone))}</dd>`}
${companies > 0 && html`<dt>${shellWords[language].companies}</dt><dd><a href="/companies?assigned_to=${id}">${wholeNumber(language, companies)}</a></dd>`}
<dt>${words.lastSeen}</dt><dd>${lastSeenAt === null ? words.notKnown : moment(language, lastSeenAt, timeZone)}</dd>
<dt>${words.since}</dt><dd>${dayOf(language, createdAt, timeZone)}</dd>
</dl>
${actions(member, session.user.id, errors ?? null, language)}`;
  return { status, title: name, area: "users", main };
}

function actions(member: WorkspaceMember, ownId: string, errors: FieldMessages | null, language: Language): Html {
  const { id, role, mayExport, deactivatedAt, openInvitations, linkedAt, mayUsePassword } = member;
  const words = userWords[language];
  const invitationsEnd = openInvitations === 0 ? "" : ` ${words.invitationsEnd(openInvitations)}`;
  const choices = { role: choicesAmong(roleWords[language], ["member", "admin"]) };
  const fields = {
    values: { role, may_export: String(mayExport) },
    labels: userLabels(language),
    errors,
    language,
    choices,
    hints: { role: `${words.roleHint}${invitationsEnd}`, may_export: words.exportHint },
  };
  return html`<section class="section">
<form class="record" method="post" action="/users/${id}" novalidate>
${membershipFields.map((field) => fieldRow(field, fields))}<p><button>${words.saveRole}</button></p></form>
</section>
${acts([
  deactivatedAt === null &&
    id !== ownId &&
    mayUsePassword &&
    postAct(`/users/${id}/password-link`, words.passwordLink, words.passwordLinkText),
  deactivatedAt !== null && postAct(`/users/${id}/reactivate`, words.reactivate, words.reactivateText),
])}
${dangers(language, [
  linkedAt !== null && postAct(`/users/${id}/single-sign-on/forget`, words.forget, words.forgetText),
  resetFactorLink(member, ownId, language),
  deactivatedAt === null &&
    askingAct(`/users/${id}/deactivate`, words.deactivate, `${words.deactivateText}${invitationsEnd}`),
])}`;
}
