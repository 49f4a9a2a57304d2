import { copiedOnce } from "../../../kit/web/copy-button.ts";
import { errorSummary, fieldRow, formActions } from "../../../kit/web/forms/field.ts";
import { onceField } from "../../../kit/web/forms/once.ts";
import { pageErrors } from "../../../kit/web/forms/page-errors.ts";
import { choicesAmong } from "../../../kit/web/forms/select.ts";
import { html } from "../../../kit/web/html.ts";
import { messagesIn, type FieldMessages } from "../../../kit/web/messages.ts";
import type { Page, PageRequest, Shown } from "../../../kit/web/page.ts";
import { inviteUser, makePasswordLink } from "../invitation.ts";
import { roleWords, userLabels, userWords } from "../user-words.ts";
import { invitationFields } from "../user.ts";
import { memberOf } from "./member-of.ts";

/** GET /users/new */
export const invitePage: Page = async (_deps, request) => page(request, 200, null);

/** POST /users: answers with the link of the invitation, which is shown this once. */
export const invitePost: Page = async (deps, request) => {
  const { actor, session, form, language } = request;
  const words = userWords[language];
  const invited = await inviteUser(deps, actor.tenant, session.user.id, form.input(["email", "role"]), {
    name: session.user.name,
    language,
  });
  if (invited.outcome === "not-admin") throw pageErrors.adminsOnly();
  if (invited.outcome === "taken") return page(request, 422, { email: [words.taken] });
  if (invited.outcome === "invalid")
    return page(request, 422, messagesIn(language, invited.messages, userLabels(language)));
  return linkPage(invited, request, words.linkValid, deps.config.mail !== null);
};

/** POST /users/{id}/password-link: answers with a link for a new password. The caller's own is changed in the profile. */
export const passwordLinkPage: Page = async (deps, request) => {
  const { actor, session, language } = request;
  const member = await memberOf(deps, request);
  if (member.id === session.user.id) return { to: "/profile" };
  if (member.deactivatedAt !== null || !member.mayUsePassword) return { to: `/users/${member.id}` };
  const made = await makePasswordLink(deps, actor.tenant, session.user.id, member, {
    name: session.user.name,
    language,
  });
  if (made.outcome === "not-admin") throw pageErrors.adminsOnly();
  return linkPage(made, request, userWords[language].passwordLinkValid, deps.config.mail !== null);
};

function page({ form, language }: PageRequest, status: number, errors: FieldMessages | null): Shown {
  const words = userWords[language];
  const fields = {
    values: { email: form.get("email"), role: form.get("role") ?? "member" },
    labels: userLabels(language),
    errors,
    language,
    choices: { role: choicesAmong(roleWords[language], ["member", "admin"]) },
    hints: { role: words.roleHint },
  };
  const main = html`<header class="heading"><h1>${words.inviteTitle}</h1></header>
${errorSummary(errors, language)}
<form class="record" method="post" action="/users" novalidate>${onceField()}
${invitationFields.map((field) => fieldRow(field, fields))}
${formActions(words.makeLink, "/users", language)}
</form>`;
  return { status, title: words.inviteTitle, area: "users", main };
}

/** The link is in no address and no cookie, and browsers keep no copy. */
function linkPage(
  { email, token }: { email: string; token: string },
  { origin, language }: PageRequest,
  validity: string,
  isMailed: boolean,
): Shown {
  const words = userWords[language];
  const main = html`<header class="heading"><h1>${words.linkFor(email)}</h1></header>
<p><strong>${isMailed ? words.mailed(email) : words.once}</strong></p>
${copiedOnce("link", `${origin}/invitations/${token}`, words.link, language)}
<p>${validity}</p>
<p><a class="button main" href="/users">${isMailed ? words.back : words.done}</a></p>`;
  return { title: words.inviteTitle, area: "users", main };
}
