import type { Deps } from "../../../kit/deps.ts";
import { copiedOnce } from "../../../kit/web/copy-button.ts";
import { errorSummary, fieldRow, formActions } from "../../../kit/web/forms/field.ts";
import { onceField } from "../../../kit/web/forms/once.ts";
import { pageErrors } from "../../../kit/web/forms/page-errors.ts";
import { choicesAmong } from "../../../kit/web/forms/select.ts";
import { html } from "../../../kit/web/html.ts";
import { messagesIn, type FieldMessages } from "../../../kit/web/messages.ts";
import type { Page, PageRequest, Shown } from "../../../kit/web/page.ts";
import type { Field } from "../../../platform/fields/fields.ts";
import { comparable } from "../../../platform/text.ts";
import { inviteUser, makePasswordLink, type Invited } from "../invitation.ts";
import { roleWords, userLabels, userWords } from "../user-words.ts";
import { EMAIL_MAX, invitationFields } from "../user.ts";
import { memberOf } from "./member-of.ts";

/** GET /users/new */
export const invitePage: Page = async (deps, request) => page(deps, request, 200, null);

/** The most addresses of one form: each may send a mail. */
const MOST_AT_ONCE = 50;

/** POST /users: answers with the links of the invitations, which are shown this once. */
export const invitePost: Page = async (deps, request) => {
  const { actor, session, form, language } = request;
  const words = userWords[language];
  const typed = (form.get("email") ?? "").split(/[\s,;]+/).filter((part) => part !== "");
  // Addresses are one in every case and spelling, so that one is not invited twice: its first link would end.
  const emails = [...Map.groupBy(typed, (email) => comparable(email, EMAIL_MAX) ?? email).values()].flatMap(
    ([first]) => first ?? [],
  );
  if (emails.length > MOST_AT_ONCE) return page(deps, request, 422, { email: [words.tooMany(MOST_AT_ONCE)] });
  const maker = { name: session.user.name, language };
  const made: Extract<Invited, { outcome: "invited" }>[] = [];
  const refused: { email: string; messages: FieldMessages }[] = [];
  for (const email of emails.length === 0 ? [""] : emails) {
    const invited = await inviteUser(deps, actor.tenant, session.user.id, { ...form.input(["role"]), email }, maker);
    if (invited.outcome === "not-admin") throw pageErrors.adminsOnly();
    if (invited.outcome === "invited") made.push(invited);
    else if (invited.outcome === "taken") refused.push({ email, messages: { email: [words.taken] } });
    else refused.push({ email, messages: messagesIn(language, invited.messages, userLabels(language)) });
  }
  const [first, ...others] = made;
  if (first === undefined) return page(deps, request, 422, refused[0]?.messages ?? null);
  const isMailed = deps.config.mail !== null;
  if (others.length === 0 && refused.length === 0) return linkPage(first, request, words.linkValid, isMailed);
  return linksPage(request, { made, refused, isMailed });
};

/**
 * POST /users/{id}/password-link: answers with a link for a new password. The caller's own is changed in the profile.
 */
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

/** A text area: an input has one line. */
const SEVERAL_ADDRESSES: Field = { name: "email", kind: "string", max: MOST_AT_ONCE * (EMAIL_MAX + 1), required: true };

function page({ config }: Deps, { form, language }: PageRequest, status: number, errors: FieldMessages | null): Shown {
  const words = userWords[language];
  const fields = {
    values: { email: form.get("email"), role: form.get("role") ?? "member" },
    labels: userLabels(language),
    errors,
    language,
    choices: { role: choicesAmong(roleWords[language], ["member", "admin"]) },
    hints: { email: words.inviteHint(MOST_AT_ONCE), role: words.roleHint },
  };
  const main = html`<header class="heading"><h1>${words.inviteTitle}</h1></header>
${errorSummary(errors, language)}
<form class="record" method="post" action="/users" novalidate>${onceField()}
${invitationFields.map((field) => fieldRow(field.name === "email" ? SEVERAL_ADDRESSES : field, fields))}
${formActions(config.mail === null ? words.makeLinks : words.sendLinks, "/users", language)}
</form>`;
  return { status, title: words.inviteTitle, area: "users", main };
}

type Links = {
  made: readonly { email: string; token: string }[];
  refused: readonly { email: string; messages: FieldMessages }[];
  isMailed: boolean;
};

/** The links of several invitations, and why the others were not made. */
function linksPage({ origin, language }: PageRequest, { made, refused, isMailed }: Links): Shown {
  const words = userWords[language];
  const main = html`<header class="heading"><h1>${words.invitedSome(made.length)}</h1></header>
${refused.length > 0 && html`<div class="field">${refused.map(({ email, messages }) => html`<p class="error">${email}: ${Object.values(messages).flat().join(" ")}</p>`)}</div>`}
<p><strong>${isMailed ? words.mailedSome : words.onceSome}</strong></p>
<dl class="facts">${made.map(
    ({ email, token }, at) =>
      html`<dt>${email}</dt><dd>${copiedOnce(`link-${at}`, `${origin}/invitations/${token}`, `${words.link} ${email}`, language)}</dd>`,
  )}</dl>
<p>${words.linkValidSome}</p>
<p class="actions"><a class="button main" href="/users">${isMailed ? words.back : words.done}</a></p>`;
  return { title: words.inviteTitle, area: "users", main };
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
