import type { Deps } from "../../kit/deps.ts";
import { errorSummary, fieldRow, type FormFields } from "../../kit/web/forms/field.ts";
import type { RefusedForm } from "../../kit/web/forms/form.ts";
import { inputRow } from "../../kit/web/forms/input-row.ts";
import { choicesAmong, type Choice } from "../../kit/web/forms/select.ts";
import { html, type Html } from "../../kit/web/html.ts";
import { languages, type Language } from "../../kit/web/language.ts";
import { messagesIn, type FieldMessages } from "../../kit/web/messages.ts";
import { notice } from "../../kit/web/notice.ts";
import type { Page, PageRequest, Shown } from "../../kit/web/page.ts";
import { shellWords } from "../../kit/web/shell-words.ts";
import { passkeySection } from "../../people/passkeys/pages/own-pages.ts";
import { changePassword } from "../../people/sessions/own-account.ts";
import { listSessions } from "../../people/sessions/own-sessions.ts";
import { refusalIn } from "../../people/sessions/refused-words.ts";
import { factorOfUser } from "../../people/users/second-factor-queries.ts";
import { secondFactorOf } from "../../people/users/second-factor.ts";
import { findPasswordHash } from "../../people/users/sign-in-queries.ts";
import { profileFields } from "../../people/users/user.ts";
import { updateProfile } from "../../people/users/write-user.ts";
import { digestSection } from "../digest/digest-pages.ts";
import { profileWords } from "./profile-words.ts";
import { factorSection } from "./second-factor-forms.ts";
import { sessionSection } from "./session-pages.ts";

const names = profileFields.map(({ name }) => name);

/** GET /profile: everything about oneself. */
export const profilePage: Page = async (deps, request) => await page(deps, request, {});

/** POST /profile: those of name, language and colours that were posted. Language and colours are saved at once. */
export const profilePost: Page = async (deps, request) => {
  const { actor, session, form, language } = request;
  const changed = await updateProfile(deps, actor.tenant, session.user.id, form.input(names));
  if (changed.outcome === "written") return { to: "/profile", notice: notice("profile-saved") };
  const { name, language: languageLabel, theme } = profileWords[language];
  const errors = messagesIn(language, changed.messages, { name, language: languageLabel, theme });
  return await page(deps, request, { status: 422, errors });
};

/** POST /profile/password: ends the other sessions, and those that are under way. */
export const passwordPost: Page = async (deps, request) => {
  const { session, form, network, language } = request;
  const words = profileWords[language];
  const typed = { current: form.get("current") ?? "", password: form.get("password") ?? "" };
  const changed = await changePassword(deps, session, typed, { network });
  if (changed.outcome === "changed") return { to: "/profile", notice: notice("password-changed") };
  if (changed.outcome === "invalid") {
    return await page(deps, request, {
      status: 422,
      errors: messagesIn(language, changed.messages, { password: words.password }),
    });
  }
  const { status, message, headers } = refusalIn(language, changed, words.wrongPassword);
  return { ...(await page(deps, request, { status, errors: { current: [message] } })), headers };
};

async function page(deps: Deps, request: PageRequest, { status = 200, errors }: RefusedForm): Promise<Shown> {
  const { actor, session, language } = request;
  const words = profileWords[language];
  const [factor, passkeys, sessions, digest, passwordHash] = await Promise.all([
    secondFactorOf(deps.keyring, factorOfUser(actor.tenant, deps.database, session.user.id, session.id)),
    passkeySection(deps, request),
    listSessions(deps.database, session),
    digestSection(deps, request),
    findPasswordHash(actor.tenant, deps.database, session.user.id),
  ]);
  const main = html`<header class="heading"><h1>${words.title}</h1></header>
${errorSummary(errors ?? null, language)}
${detailsForm(request, errors ?? null)}
<section class="section"><header><h2>${words.passwordTitle}</h2></header>
${
  passwordHash === null
    ? html`<p>${words.noPassword}</p></section>`
    : html`<form class="record" method="post" action="/profile/password" novalidate>
${inputRow({ name: "current", label: words.current, type: "password", autocomplete: "current-password" }, errors)}
${inputRow({ name: "password", label: words.password, type: "password", hint: words.passwordHint, autocomplete: "new-password" }, errors)}
<p><button>${words.changePassword}</button></p>
</form></section>`
}
${digest}
${factorSection(factor, language, session.workspace.timeZone)}
${passkeys}
${sessionSection(sessions, language, session.workspace.timeZone)}`;
  return { status, title: words.title, area: "profile", main };
}

function detailsForm({ session, form, language }: PageRequest, errors: FieldMessages | null): Html {
  const words = profileWords[language];
  const { name, email, language: own, theme } = session.user;
  const fields: FormFields = {
    values: { name, language: own ?? "", theme, ...form.input(names) },
    labels: { name: words.name, language: words.language, theme: words.theme },
    errors,
    language,
    choices: choicesIn(language),
  };
  return html`<section class="section"><dl class="facts"><dt>${words.email}</dt><dd>${email}</dd></dl>
${[profileFields.filter(({ kind }) => kind !== "enum"), profileFields.filter(({ kind }) => kind === "enum")].map(
  (
    some,
    index,
  ) => html`<form class="record" method="post" action="/profile"${index > 0 && html` data-at-once`} novalidate>
${some.map((field) => fieldRow(field, fields))}
<p><button class="main">${shellWords[language].save}</button></p>
</form>`,
)}</section>`;
}

function choicesIn(language: Language): Record<string, Choice[]> {
  const { browsersLanguage, themes } = profileWords[language];
  return {
    language: [{ value: "", label: browsersLanguage }, ...choicesAmong(languages)],
    theme: choicesAmong(themes),
  };
}
