import type { Deps } from "../../kit/deps.ts";
import type { RefusedForm } from "../../kit/web/forms/form.ts";
import { html } from "../../kit/web/html.ts";
import { icon } from "../../kit/web/icon.ts";
import { notice } from "../../kit/web/notice.ts";
import type { Page, PageRequest, Shown } from "../../kit/web/page.ts";
import { accountOfUser, endSecondFactor } from "../../people/sessions/own-account.ts";
import { refusalIn } from "../../people/sessions/refused-words.ts";
import { beginSecondFactor, confirmSecondFactor, secondFactorOf } from "../../people/users/second-factor.ts";
import { profileWords } from "./profile-words.ts";
import { beginForm, endForm, factorState, pendingForm, recoveryCodesPage, PATH } from "./second-factor-forms.ts";
import { secondFactorWords } from "./second-factor-words.ts";

/** GET /profile/second-factor: to set it up, or to switch it off. */
export const secondFactorPage: Page = async (deps, request) => await page(deps, request, {});

/** POST /profile/second-factor: a secret, which counts once its first code is confirmed. */
export const beginFactorPost: Page = async ({ database, keyring }, { session }) => {
  await beginSecondFactor(keyring, accountOfUser(database, session).factor);
  return { to: PATH };
};

/** POST /profile/second-factor/confirm: answers with the recovery codes, which are shown this once. */
export const confirmFactorPost: Page = async (deps, request) => {
  const { form, session, language } = request;
  const { factor } = accountOfUser(deps.database, session);
  const confirmed = await confirmSecondFactor(deps.keyring, factor, form.get("code") ?? "");
  if (confirmed.outcome === "on") return recoveryCodesPage(confirmed.recoveryCodes, language);
  if (confirmed.outcome === "not-begun") return { to: PATH, notice: notice("second-factor-not-begun") };
  return await page(deps, request, { status: 422, errors: { code: [secondFactorWords[language].wrongCode] } });
};

/** POST /profile/second-factor/end: by the typed code, otherwise by the password. */
export const endFactorPost: Page = async (deps, request) => {
  const { form, network, session, language } = request;
  const [code, password] = [form.get("code") ?? "", form.get("password") ?? ""];
  const ended = await endSecondFactor(deps, session, code === "" ? { password } : { code }, { network });
  if (ended.outcome === "off") return { to: "/profile", notice: notice("second-factor-off") };
  if (ended.outcome === "was-off") return { to: PATH };
  if (ended.outcome === "must-stay") {
    return await page(deps, request, { status: 409, errors: { code: [secondFactorWords[language].mustStay] } });
  }
  const { status, message, headers } = refusalIn(language, ended, secondFactorWords[language].wrongProof);
  return { ...(await page(deps, request, { status, errors: { code: [message] } })), headers };
};

async function page(
  { keyring, database }: Deps,
  { session, language }: PageRequest,
  { status = 200, errors }: RefusedForm,
): Promise<Shown> {
  const words = secondFactorWords[language];
  const factor = await secondFactorOf(keyring, accountOfUser(database, session).factor);
  const main = html`<a class="back" href="/profile">${icon("back")}${profileWords[language].title}</a>
<header class="heading"><h1>${words.title}</h1></header>
<p>${words.about}</p>
${factor.isOn && html`<p>${factorState(factor, language, session.workspace.timeZone)}</p>${endForm(factor, errors, language)}`}
${factor.pending !== null && pendingForm(factor.pending, session, errors, language)}
${!factor.isOn && beginForm(factor, language)}`;
  return { status, title: words.title, area: "profile", main };
}
