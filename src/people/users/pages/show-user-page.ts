import { writerIn } from "../../../kit/changes/change-words.ts";
import { editedIn, shownFields } from "../../../kit/changes/edited.ts";
import type { Deps } from "../../../kit/deps.ts";
import { errors } from "../../../kit/errors.ts";
import { mailing } from "../../../kit/mail/mailing.ts";
import { acts, asking, askingAct, dangers, postAct } from "../../../kit/web/asking.ts";
import { emailLink } from "../../../kit/web/contact-links.ts";
import { fieldRow } from "../../../kit/web/forms/field.ts";
import type { Form, RefusedForm } from "../../../kit/web/forms/form.ts";
import { choicesAmong } from "../../../kit/web/forms/select.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import { icon } from "../../../kit/web/icon.ts";
import { dayOf, moment, wholeNumber, type Language } from "../../../kit/web/language.ts";
import { messagesIn, type FieldMessages } from "../../../kit/web/messages.ts";
import { notice } from "../../../kit/web/notice.ts";
import type { Page, PageAnswer, PageRequest, Shown } from "../../../kit/web/page.ts";
import { SESSION_IDLE_MS } from "../../../kit/web/session.ts";
import { shellWords } from "../../../kit/web/shell-words.ts";
import { now } from "../../../platform/clock.ts";
import type { FieldTable, Input } from "../../../platform/fields/fields.ts";
import { textOrNull, validate } from "../../../platform/fields/validation.ts";
import { changedBy } from "../../../platform/fields/writer.ts";
import type { Call } from "../../../platform/postgres/statement.ts";
import { reactivateUser, stakesOf, type WorkspaceMember, type MemberChanged } from "../member-queries.ts";
import { roleWords, userLabels, userWords } from "../user-words.ts";
import { identityFields, membershipFields } from "../user.ts";
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

const CONFIRMED = "confirmed";

/**
 * POST /users/{id}: changes those of role, right to export, name and address that the admin has edited: another admin
 * may have changed the others meanwhile. A new address needs a confirmation. An admin's own page has neither name nor
 * address, and leads to /companies if the admin gives the role up.
 */
export const updateUserPage: Page = async (deps, request) => {
  const { actor, session, form, language } = request;
  const member = await memberOf(deps, request);
  const isOwn = member.id === session.user.id;
  const input = form.input(editedIn(form, namesFor(isOwn)));
  const identity = validate(identityFields, input, "update");
  const email = identity.errors === null ? textOrNull(identity.values.email) : null;
  if (email !== null && email !== member.email && form.get(CONFIRMED) !== email)
    return await askAboutAddress(deps, request, { member, input, email });
  const mails = email === null || email === member.email ? [] : addressMail(deps, request, member, email);
  const changed = await updateRole(deps, actor.tenant, member.id, input, changedBy(actor), mails);
  if (changed.outcome === "invalid") {
    return page(request, member, { status: 422, errors: messagesIn(language, changed.messages, userLabels(language)) });
  }
  if (changed.outcome === "email-taken")
    return page(request, member, { status: 422, errors: { email: [userWords[language].taken] } });
  return memberAnswer(request, member, changed, {
    to: isOwn && form.get("role") !== "admin" ? "/companies" : `/users/${member.id}`,
    said: "role-saved",
  });
};

/** The notice goes to the earlier address: its owner may not have the new one. */
function addressMail(
  deps: Deps,
  { actor, session }: PageRequest,
  { email, language }: WorkspaceMember,
  to: string,
): Call[] {
  const details = { at: now(), language, to, by: { name: session.user.name } };
  return mailing(deps, actor.tenant, { email }, { kind: "address-changed", details });
}

function fieldsFor(isOwn: boolean): FieldTable {
  return isOwn ? membershipFields : [...identityFields, ...membershipFields];
}

function namesFor(isOwn: boolean): string[] {
  return fieldsFor(isOwn).map(({ name }) => name);
}

/** Asks to confirm a new address, with the number of sessions that end with it. The form repeats the typed fields. */
async function askAboutAddress(
  deps: Deps,
  { actor, language }: PageRequest,
  { member: { id, name }, input, email }: { member: WorkspaceMember; input: Input; email: string },
): Promise<Shown> {
  const words = userWords[language];
  const { sessions } = await stakesOf(actor.tenant, deps.database, id, now() - SESSION_IDLE_MS);
  const typed = Object.entries({ ...input, email });
  return asking(language, {
    title: words.addressTitle(name),
    area: "users",
    consequences: [words.addressText(email), words.sessionsEnd(sessions)],
    fields: html`${typed.map(([field, value]) => html`<input type="hidden" name="${field}" value="${value}">`)}`,
    action: `/users/${id}`,
    submit: words.changeAddress,
    value: { name: CONFIRMED, value: email },
    back: `/users/${id}`,
  });
}

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
  { session, language, form }: PageRequest,
  member: WorkspaceMember,
  { status = 200, message, errors, companies = 0 }: RefusedForm & { message?: string; companies?: number },
): Shown {
  const words = userWords[language];
  const { timeZone } = session.workspace;
  const { id, name, email, hasSecondFactor, passkeys, lastSeenAt, createdAt } = member;
  const { resetAt, resetBy, resetName, linkedAt } = member;
  const main = html`<a class="back" href="/users">${icon("back")}${words.title}</a>
<header class="heading"><h1>${name}</h1>${userState(member, language)}</header>
<div role="alert">${message !== undefined && html`<p class="error">${message}</p>`}</div>
<dl class="facts">
${id === session.user.id && html`<dt>${words.email}</dt><dd>${emailLink(email)}</dd>`}
<dt>${words.secondFactor}</dt><dd>${hasSecondFactor ? words.on : words.off}${resetAt !== null && html` <span class="muted">${words.resetBy(moment(language, resetAt, timeZone), writerIn(language, resetBy, resetName))}</span>`}</dd>
${passkeys > 0 && html`<dt>${words.passkeys}</dt><dd><a href="/users/${id}/passkeys">${words.passkeyCount(passkeys)}</a></dd>`}
${linkedAt !== null && html`<dt>${words.singleSignOn}</dt><dd>${words.linked(dayOf(language, linkedAt, timeZone))}</dd>`}
${companies > 0 && html`<dt>${shellWords[language].companies}</dt><dd><a href="/companies?assigned_to=${id}">${wholeNumber(language, companies)}</a></dd>`}
<dt>${words.lastSeen}</dt><dd>${lastSeenAt === null ? words.notKnown : moment(language, lastSeenAt, timeZone)}</dd>
<dt>${words.since}</dt><dd>${dayOf(language, createdAt, timeZone)}</dd>
</dl>
${actions(member, { ownId: session.user.id, form, errors: errors ?? null }, language)}`;
  return { status, title: name, area: "users", main };
}

function actions(
  member: WorkspaceMember,
  { ownId, form, errors }: { ownId: string; form: Form; errors: FieldMessages | null },
  language: Language,
): Html {
  const { id, name, email, role, mayExport, deactivatedAt, openInvitations, linkedAt, mayUsePassword } = member;
  const words = userWords[language];
  const invitationsEnd = openInvitations === 0 ? "" : ` ${words.invitationsEnd(openInvitations)}`;
  const choices = { role: choicesAmong(roleWords[language], ["member", "admin"]) };
  const stored = { name, email, role, may_export: mayExport ? "1" : "0" };
  const fields = {
    values: {
      name: form.get("name") ?? name,
      email: form.get("email") ?? email,
      // Another refusal than of a field has changed nothing, and the form shows what is.
      role: (errors !== null && form.get("role")) || role,
      may_export: (errors !== null && form.get("may_export")) || String(mayExport),
    },
    labels: userLabels(language),
    errors,
    language,
    choices,
    hints: { role: `${words.roleHint}${invitationsEnd}`, may_export: words.exportHint },
  };
  return html`<section class="section">
<form class="record" method="post" action="/users/${id}" novalidate>
${shownFields(namesFor(id === ownId), stored, form)}
${fieldsFor(id === ownId).map((field) => fieldRow(field, fields))}<p class="actions"><button class="main">${words.saveRole}</button></p></form>
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
