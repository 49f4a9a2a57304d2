import type { OpenPage, Shown, VisitorRequest } from "../page.ts";
import { endSession, signIn } from "../sessions/session.ts";
import { html, type Html } from "../web/html.ts";
import { ownPath } from "../web/own-path.ts";
import { signInWords } from "./sign-in-words.ts";

/** Seconds. A session ends earlier by itself; the browser is remembered for a year. */
const SESSION_COOKIE = 14 * 24 * 3600;

/** GET / */
export const homePage: OpenPage = async (_deps, { session }) => ({ to: session === null ? "/sign-in" : "/companies" });

/** GET /sign-in: `to` says where one was going. */
export const signInPage: OpenPage = async (_deps, request) => {
  const { session, query } = request;
  if (session !== null && !session.awaitsCode) return { to: ownPath(query.get("to")) ?? "/companies" };
  return form(request, 200, null);
};

/** POST /sign-in: right, 303 to where one was going; wrong, one message that does not tell what was wrong. */
export const signInPost: OpenPage = async (deps, request) => {
  const { form: posted, network, userAgent, cookie, language } = request;
  const words = signInWords[language];
  const outcome = await signIn(deps, {
    workspace: posted.get("workspace") ?? "",
    email: posted.get("email") ?? "",
    password: posted.get("password") ?? "",
    network,
    userAgent,
    browser: cookie("browser"),
  });
  if (outcome.outcome === "wrong") return form(request, 422, html`<p class="error">${words.wrong}</p>`);
  if (outcome.outcome === "busy") {
    return { ...form(request, 503, html`<p class="error">${words.busy}</p>`), headers: { "retry-after": "1" } };
  }
  if (outcome.outcome === "throttled") {
    const seconds = String(outcome.retryAfter);
    const refused = form(request, 429, html`<p class="error">${words.throttled(seconds)}</p>`);
    return { ...refused, headers: { "retry-after": seconds } };
  }
  const to = ownPath(posted.get("to"));
  const next =
    outcome.outcome === "needs-code" ? `/sign-in/code${to === null ? "" : `?to=${encodeURIComponent(to)}`}` : to;
  return { to: next ?? "/companies", cookies: { session: { value: outcome.token, maxAge: SESSION_COOKIE } } };
};

/** POST /sign-out */
export const signOutPost: OpenPage = async ({ database }, { session }) => {
  if (session !== null) await endSession(database, session);
  return { to: "/sign-in", cookies: { session: null } };
};

function form({ form: posted, query, language }: VisitorRequest, status: number, message: Html | null): Shown {
  const words = signInWords[language];
  const to = ownPath(posted.get("to") ?? query.get("to"));
  const main = html`<section class="sign-in">
<h1>${words.title}</h1>
<div role="alert">${message}</div>
<form method="post" action="/sign-in" novalidate>
${to !== null && html`<input type="hidden" name="to" value="${to}">`}
<div class="field"><label for="workspace">${words.workspace}</label>
<input id="workspace" name="workspace" value="${posted.get("workspace") ?? query.get("workspace")}" autocomplete="organization" autocapitalize="none" spellcheck="false" required aria-describedby="workspace-hint">
<p class="hint" id="workspace-hint">${words.workspaceHint}</p></div>
<div class="field"><label for="email">${words.email}</label>
<input id="email" name="email" type="email" value="${posted.get("email")}" autocomplete="username" required></div>
<div class="field"><label for="password">${words.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required></div>
<p class="actions"><button class="main">${words.submit}</button></p>
</form>
</section>`;
  return { status, title: words.title, area: null, main };
}
