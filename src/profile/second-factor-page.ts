import type { Deps } from "../deps.ts";
import type { Page, PageRequest, Shown } from "../web/page.ts";
import type { FieldErrors } from "../platform/fields/validation.ts";
import { endSecondFactor } from "../sessions/own-account.ts";
import { refusalIn } from "../sessions/refused-words.ts";
import { beginSecondFactor, confirmSecondFactor, secondFactorOf } from "../users/second-factor.ts";
import { html } from "../web/html.ts";
import { icon } from "../web/icon.ts";
import { notice } from "../web/notice.ts";
import { profileWords } from "./profile-words.ts";
import { secondFactorWords } from "./second-factor-words.ts";
import { beginForm, endForm, factorState, pendingForm, recoveryCodesPage } from "./second-factor-forms.ts";

const PATH = "/profile/second-factor";

/** GET /profile/second-factor: to set it up, or to switch it off. */
export const secondFactorPage: Page = async (deps, request) => await page(deps, request, {});

/** POST /profile/second-factor: a secret, which counts once its first code is confirmed. */
export const beginFactorPost: Page = async (deps, { actor, session }) => {
  await beginSecondFactor(deps, actor.tenant, session.user.id);
  return { to: PATH };
};

/** POST /profile/second-factor/confirm: answers with the recovery codes, which are shown this once. */
export const confirmFactorPost: Page = async (deps, request) => {
  const { actor, session, form, language } = request;
  const confirmed = await confirmSecondFactor(deps, actor.tenant, session.user.id, form.get("code") ?? "");
  if (confirmed.outcome === "on") return recoveryCodesPage(confirmed.recoveryCodes, language);
  if (confirmed.outcome === "not-begun") return { to: PATH, notice: notice("second-factor-not-begun") };
  return await page(deps, request, { status: 422, errors: { code: [secondFactorWords[language].wrongCode] } });
};

/** POST /profile/second-factor/end: by a code where one was typed, else by the password. */
export const endFactorPost: Page = async (deps, request) => {
  const { session, form, network, language } = request;
  const [code, password] = [form.get("code") ?? "", form.get("password") ?? ""];
  const ended = await endSecondFactor(deps, session, code === "" ? { password } : { code }, { network });
  if (ended.outcome === "off") return { to: "/profile", notice: notice("second-factor-off") };
  const { status, message, headers } = refusalIn(language, ended, secondFactorWords[language].wrongProof);
  return { ...(await page(deps, request, { status, errors: { code: [message] } })), headers };
};

async function page(
  deps: Deps,
  { actor, session, language }: PageRequest,
  { status = 200, errors }: { status?: number; errors?: FieldErrors },
): Promise<Shown> {
  const words = secondFactorWords[language];
  const { workspace, user } = session;
  const factor = await secondFactorOf(deps, actor.tenant, user.id);
  const main = html`<a class="back" href="/profile">${icon("back")}${profileWords[language].title}</a>
<header class="heading"><h1>${words.title}</h1></header>
<p>${words.about}</p>
${factor.isOn && html`<p>${factorState(factor, language, workspace.timeZone)}</p>${endForm(errors, language)}`}
${factor.pending !== null && pendingForm(factor.pending, { workspace: workspace.slug, email: user.email }, errors, language)}
${!factor.isOn && beginForm(factor, language)}`;
  return { status, title: words.title, area: "profile", main };
}
