import { refusalIn } from "../../sessions/refused-words.ts";
import { signedInCookies } from "../../sessions/signed-in-cookies.ts";
import { codePathOf } from "../../sign-in/code-page.ts";
import { inputRow } from "../../web/forms/input-row.ts";
import { html } from "../../web/html.ts";
import { ownPath } from "../../web/own-path.ts";
import type { OpenPage, Shown, VisitorRequest } from "../../web/page.ts";
import { endOperatorSession, signInOperator } from "../operator-session.ts";
import { operatorWords } from "../operator-words.ts";

const HOME = "/operator/tenants";

/** GET /operator */
export const operatorHomePage: OpenPage = async () => ({ to: HOME });

/** GET /operator/sign-in: an operator's session has a cookie of its own, beside a user's. */
export const operatorSignInPage: OpenPage = async (_deps, request) =>
  request.operator === null || request.operator.awaitsCode
    ? page(request, 200, null)
    : { to: ownPath(request.query.get("to")) ?? HOME };

/** POST /operator/sign-in */
export const operatorSignInPost: OpenPage = async (deps, request) => {
  const { form, operator, network, userAgent, cookie, language } = request;
  const outcome = await signInOperator(deps, {
    email: form.get("email") ?? "",
    password: form.get("password") ?? "",
    network,
    userAgent,
    browser: cookie("browser"),
  });
  if (outcome.outcome !== "signed-in" && outcome.outcome !== "needs-code") {
    const { status, message, headers } = refusalIn(language, outcome, operatorWords[language].wrong);
    return { ...page(request, status, message), headers };
  }
  if (operator !== null) await endOperatorSession(deps.database, operator);
  const to = ownPath(form.get("to"));
  return {
    to: outcome.outcome === "needs-code" ? codePathOf("/operator/sign-in", to) : (to ?? HOME),
    cookies: signedInCookies(outcome, "operator"),
  };
};

/** POST /operator/sign-out */
export const operatorSignOutPost: OpenPage = async ({ database }, { operator }) => {
  if (operator !== null) await endOperatorSession(database, operator);
  return { to: "/operator/sign-in", cookies: { operator: null } };
};

function page({ form, query, language }: VisitorRequest, status: number, message: string | null): Shown {
  const words = operatorWords[language];
  const to = ownPath(form.get("to") ?? query.get("to"));
  const main = html`<section class="sign-in">
<h1>${words.signInTitle}</h1>
<p>${words.signInAbout} <a href="/sign-in">${words.toWorkspaces}</a></p>
<div role="alert">${message !== null && html`<p class="error">${message}</p>`}</div>
<form method="post" action="/operator/sign-in" novalidate>
${to !== null && html`<input type="hidden" name="to" value="${to}">`}
${inputRow({ name: "email", label: words.email, type: "email", value: form.get("email"), autocomplete: "username" })}
${inputRow({ name: "password", label: words.password, type: "password", autocomplete: "current-password" })}
<p class="actions"><button class="main">${words.submit}</button></p>
</form>
</section>`;
  return { status, title: words.signInTitle, area: null, main };
}
