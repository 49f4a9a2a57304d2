import type { OpenPage, Shown, VisitorRequest } from "../web/page.ts";
import { confirmCode } from "../sessions/confirm-code.ts";
import { refusalIn } from "../sessions/refused-words.ts";
import { html } from "../web/html.ts";
import { inputRow } from "../web/input-row.ts";
import { notice } from "../web/notice.ts";
import { ownPath } from "../web/own-path.ts";
import { signInWords } from "./sign-in-words.ts";
import { signedInCookies } from "../sessions/signed-in-cookies.ts";

/** GET /sign-in/code: the second step of somebody whose password was right. */
export const codePage: OpenPage = async (_deps, request) => {
  const { session } = request;
  if (session === null) return { to: "/sign-in" };
  return session.awaitsCode ? page(request, 200, null) : { to: ownPath(request.query.get("to")) ?? "/companies" };
};

/** POST /sign-in/code: a code of the application or a recovery code, once each. What follows is another session. */
export const codePost: OpenPage = async (deps, request) => {
  const { session, form, network, userAgent, cookie, language } = request;
  const to = ownPath(form.get("to")) ?? "/companies";
  if (session === null) return { to: "/sign-in", notice: notice("sign-in-again") };
  if (!session.awaitsCode) return { to };
  const attempt = { network, userAgent, browser: cookie("browser") };
  const outcome = await confirmCode(deps, session, form.get("code") ?? "", attempt);
  if (outcome.outcome === "signed-in") return { to, cookies: signedInCookies(outcome) };
  const { status, message, headers } = refusalIn(language, outcome, signInWords[language].wrongCode);
  return { ...page(request, status, message), headers };
};

function page({ form, query, language }: VisitorRequest, status: number, message: string | null): Shown {
  const words = signInWords[language];
  const to = ownPath(form.get("to") ?? query.get("to"));
  const main = html`<section class="sign-in">
<h1>${words.codeTitle}</h1>
<div role="alert">${message !== null && html`<p class="error">${message}</p>`}</div>
<form method="post" action="/sign-in/code" novalidate>
${to !== null && html`<input type="hidden" name="to" value="${to}">`}
${inputRow({ name: "code", label: words.code, hint: words.codeHint, autocomplete: "one-time-code", isVerbatim: true })}
<p class="actions"><button class="main">${words.submit}</button><a class="button" href="/sign-in">${words.asSomebodyElse}</a></p>
</form>
</section>`;
  return { status, title: words.codeTitle, area: null, main };
}
