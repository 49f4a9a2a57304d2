import { refusalIn } from "../sessions/refused-words.ts";
import { endSession, signIn } from "../sessions/session.ts";
import { signedInCookies } from "../sessions/signed-in-cookies.ts";
import { inputRow } from "../web/forms/input-row.ts";
import { html } from "../web/html.ts";
import { ownPath } from "../web/own-path.ts";
import type { OpenPage, Shown, VisitorRequest } from "../web/page.ts";
import { codePathOf } from "./code-page.ts";
import { signInWords } from "./sign-in-words.ts";

/** GET / */
export const homePage: OpenPage = async (_deps, { session }) => ({ to: session === null ? "/sign-in" : "/today" });

/** GET /sign-in: `to` says where one was going. */
export const signInPage: OpenPage = async (_deps, request) => {
  const { session, query } = request;
  if (session !== null && !session.awaitsCode) return { to: ownPath(query.get("to")) ?? "/today" };
  return page(request, 200, null);
};

/** POST /sign-in: right, 303 to where one was going; wrong, one message that does not tell what was wrong. */
export const signInPost: OpenPage = async (deps, request) => {
  const { form: posted, session, network, userAgent, cookie, language } = request;
  const outcome = await signIn(deps, {
    workspace: posted.get("workspace") ?? "",
    email: posted.get("email") ?? "",
    password: posted.get("password") ?? "",
    network,
    userAgent,
    browser: cookie("browser"),
  });
  if (outcome.outcome !== "signed-in" && outcome.outcome !== "needs-code") {
    const { status, message, headers } = refusalIn(language, outcome, signInWords[language].wrong);
    return { ...page(request, status, message), headers };
  }
  // The browser forgets its cookie, so that nobody could end it.
  if (session !== null) await endSession(deps.database, session);
  const to = ownPath(posted.get("to"));
  return {
    to: outcome.outcome === "needs-code" ? codePathOf("/sign-in", to) : (to ?? "/today"),
    cookies: signedInCookies(outcome),
  };
};

/** POST /sign-out */
export const signOutPost: OpenPage = async ({ database }, { session }) => {
  if (session !== null) await endSession(database, session);
  return { to: "/sign-in", cookies: { session: null } };
};

function page({ form, query, language }: VisitorRequest, status: number, message: string | null): Shown {
  const words = signInWords[language];
  const to = ownPath(form.get("to") ?? query.get("to"));
  const workspace = form.get("workspace") ?? query.get("workspace");
  const main = html`<section class="sign-in">
<h1>${words.title}</h1>
<div role="alert">${message !== null && html`<p class="error">${message}</p>`}</div>
<form method="post" action="/sign-in" novalidate>
${to !== null && html`<input type="hidden" name="to" value="${to}">`}
${inputRow({ name: "workspace", label: words.workspace, hint: words.workspaceHint, value: workspace, autocomplete: "organization", isVerbatim: true })}
${inputRow({ name: "email", label: words.email, type: "email", value: form.get("email"), autocomplete: "username" })}
${inputRow({ name: "password", label: words.password, type: "password", autocomplete: "current-password" })}
<p class="actions"><button class="main">${words.submit}</button></p>
</form>
</section>`;
  return { status, title: words.title, area: null, main };
}
