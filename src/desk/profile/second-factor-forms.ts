import { copiedOnce } from "../../kit/web/copy-button.ts";
import { inputRow } from "../../kit/web/forms/input-row.ts";
import { onceField } from "../../kit/web/forms/once.ts";
import { html, type Html } from "../../kit/web/html.ts";
import { dayOf, type Language } from "../../kit/web/language.ts";
import type { FieldMessages } from "../../kit/web/messages.ts";
import type { Shown } from "../../kit/web/page.ts";
import type { Session } from "../../kit/web/session.ts";
import { qrSvg } from "../../people/users/qr-code.ts";
import type { SecondFactor } from "../../people/users/second-factor.ts";
import { otpauthUri } from "../../people/users/totp.ts";
import { userWords } from "../../people/users/user-words.ts";
import { secondFactorWords } from "./second-factor-words.ts";

export const PATH = "/profile/second-factor";

/** The part of a profile that says whether there is one. */
export function factorSection(factor: SecondFactor, language: Language, timeZone: string): Html {
  const words = secondFactorWords[language];
  return html`<section class="section"><header><h2>${words.title}</h2></header>
<p>${factorState(factor, language, timeZone)}</p>
<p><a class="button" href="${PATH}">${factor.isOn ? words.change : words.set}</a></p></section>`;
}

export function factorState({ since, recoveryCodes }: SecondFactor, language: Language, timeZone: string): string {
  const words = secondFactorWords[language];
  if (since === null) return words.off;
  return `${words.since(dayOf(language, since, timeZone))} ${words.codesLeft(recoveryCodes)}`;
}

export function beginForm({ pending }: SecondFactor, language: Language): Html {
  const words = secondFactorWords[language];
  return html`<form method="post" action="${PATH}">
${pending === null ? html`<button class="main">${words.set}</button>` : html`<button class="link">${words.again}</button>`}</form>`;
}

/** The secret as a picture and as text, until its first code is confirmed. */
export function pendingForm(
  secret: string,
  { workspace, user }: Session,
  errors: FieldMessages | undefined,
  language: Language,
): Html {
  const words = secondFactorWords[language];
  return html`<p>${words.scan}</p>
${qrSvg(otpauthUri(secret, workspace.slug || "operator", user.email), words.picture)}
<dl class="facts"><dt>${words.secret}</dt><dd class="code" id="secret">${(secret.match(/.{1,4}/g) ?? []).join(" ")}</dd></dl>
<p>${words.confirm}</p>
<form class="record" method="post" action="${PATH}/confirm" novalidate>${onceField()}
${inputRow({ name: "code", label: words.code, autocomplete: "one-time-code", isVerbatim: true }, errors)}
<p><button class="main">${words.turnOn}</button></p></form>`;
}

export function endForm({ recoveryCodes }: SecondFactor, errors: FieldMessages | undefined, language: Language): Html {
  const words = secondFactorWords[language];
  return html`<p>${words.endText} ${userWords[language].codesEnd(recoveryCodes)} ${words.prove}</p>
<form class="record" method="post" action="${PATH}/end" novalidate>
${inputRow({ name: "code", label: words.endCode, autocomplete: "one-time-code", isVerbatim: true, isOptional: true }, errors)}
${inputRow({ name: "password", label: words.endPassword, type: "password", autocomplete: "current-password", isOptional: true })}
<p><button class="danger">${words.change}</button></p></form>`;
}

/** The codes are in no address and no cookie, and browsers keep no copy of the page. */
export function recoveryCodesPage(codes: readonly string[], language: Language): Shown {
  const words = secondFactorWords[language];
  const main = html`<header class="heading"><h1>${words.isOn}</h1></header>
<p><strong>${words.once}</strong></p>
${copiedOnce("recovery-codes", codes.join("\n"), "", language)}
<p><a class="button main" href="/profile">${words.kept}</a></p>`;
  return { title: words.isOn, area: "profile", main };
}
