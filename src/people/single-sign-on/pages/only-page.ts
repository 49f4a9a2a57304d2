import type { Deps } from "../../../kit/deps.ts";
import { errorLine } from "../../../kit/web/forms/field.ts";
import { options } from "../../../kit/web/forms/select.ts";
import { html } from "../../../kit/web/html.ts";
import { icon } from "../../../kit/web/icon.ts";
import { notice } from "../../../kit/web/notice.ts";
import type { Page, PageAnswer, PageRequest } from "../../../kit/web/page.ts";
import { changedBy } from "../../../platform/fields/writer.ts";
import { isId } from "../../../platform/ids.ts";
import { allowPasswords, findSingleSignOn, refusePasswords, stakesOfOnly } from "../single-sign-on-queries.ts";
import { singleSignOnWords } from "../single-sign-on-words.ts";
import { SETTINGS } from "./settings-page.ts";

/** GET /workspace/sign-in/only: the users who never used single sign-on, and the choice of the break-glass admin. */
export const askForOnlyPage: Page = async (deps, request) => await page(deps, request, 200);

/** POST /workspace/sign-in/only */
export const onlyPost: Page = async (deps, request) => {
  const { actor, form } = request;
  const breakGlass = form.get("break_glass") ?? "";
  const isOnly = isId(breakGlass) && (await refusePasswords(actor.tenant, deps.database, breakGlass, changedBy(actor)));
  return isOnly ? { to: SETTINGS, notice: notice("sso-only") } : await page(deps, request, 422);
};

/** POST /workspace/sign-in/passwords: passwords work beside single sign-on again. */
export const allowPasswordsPage: Page = async ({ database }, { actor }) => {
  await allowPasswords(actor.tenant, database, changedBy(actor));
  return { to: SETTINGS, notice: notice("sso-passwords") };
};

async function page({ database }: Deps, request: PageRequest, status: 200 | 422): Promise<PageAnswer> {
  const { actor, form, language } = request;
  const stored = await findSingleSignOn(actor.tenant, database);
  if (stored?.isOn !== true || stored.isOnly) return { to: SETTINGS };
  const words = singleSignOnWords[language];
  const { choices, never } = await stakesOfOnly(actor.tenant, database);
  const errors = status === 422 ? { break_glass: [words.choose] } : null;
  const listed = [{ value: "", label: "" }, ...choices.map(({ id, name }) => ({ value: id, label: name }))];
  const main = html`<a class="back" href="${SETTINGS}">${icon("back")}${words.title}</a>
<header class="heading"><h1>${words.onlyTitle}</h1></header>
<p>${words.onlyEffects}</p>
<p>${words.never(never)}</p>
${
  choices.length === 0
    ? html`<p class="trouble">${words.noBreakGlass}</p><p><a class="button" href="/profile/second-factor">${words.setUp}</a></p>`
    : html`<form class="record" method="post" action="${SETTINGS}/only" novalidate>
<div class="field"><label for="break_glass">${words.breakGlass}</label>
<select id="break_glass" name="break_glass" required aria-describedby="break_glass-hint"${errors !== null && html` aria-invalid="true"`}>${options(listed, form.get("break_glass") ?? "")}</select>
<p class="hint" id="break_glass-hint">${words.breakGlassHint}</p>
${errorLine("break_glass", errors)}</div>
<p class="actions"><button class="danger">${words.refusePasswords}</button></p>
</form>`
}`;
  return { status, title: words.onlyTitle, area: "signIn", main };
}
