import type { Deps } from "../deps.ts";
import { confirmCode, type CodeAttempt, type CodeConfirmed } from "../sessions/confirm-code.ts";
import { refusalIn } from "../sessions/refused-words.ts";
import { signedInCookies } from "../sessions/signed-in-cookies.ts";
import { inputRow } from "../web/forms/input-row.ts";
import { html } from "../web/html.ts";
import { notice } from "../web/notice.ts";
import { ownPath } from "../web/own-path.ts";
import type { OpenPage, Shown, VisitorRequest } from "../web/page.ts";
import { signInWords } from "./sign-in-words.ts";

/** The two doors with a second step: users' and operators'. */
type Door<S> = {
  cookie: "session" | "operator";
  signIn: "/sign-in" | "/operator/sign-in";
  /** Where one goes who was going nowhere. */
  home: string;
  sessionIn: (request: VisitorRequest) => S | null;
  confirm: (deps: Deps, session: S, attempt: CodeAttempt) => Promise<CodeConfirmed>;
};

/** GET and POST /sign-in/code */
export const { codePage, codePost } = codePages({
  cookie: "session",
  signIn: "/sign-in",
  home: "/today",
  sessionIn: ({ session }) => session,
  confirm: confirmCode,
});

export function codePages<S extends { awaitsCode: boolean }>(
  door: Door<S>,
): { codePage: OpenPage; codePost: OpenPage } {
  const { cookie: name, signIn, home } = door;
  return {
    /** The second step of somebody whose password was right. */
    codePage: async (_deps, request) => {
      const session = door.sessionIn(request);
      if (session === null) return { to: signIn };
      return session.awaitsCode ? page(request, signIn, 200, null) : { to: ownPath(request.query.get("to")) ?? home };
    },
    /** A code of the application or a recovery code, once each. What follows is another session. */
    codePost: async (deps, request) => {
      const { form, network, userAgent, cookie, language } = request;
      const session = door.sessionIn(request);
      const to = ownPath(form.get("to")) ?? home;
      if (session === null) return { to: signIn, notice: notice("sign-in-again") };
      if (!session.awaitsCode) return { to };
      const attempt = { code: form.get("code") ?? "", network, userAgent, browser: cookie("browser") };
      const outcome = await door.confirm(deps, session, attempt);
      if (outcome.outcome === "signed-in") return { to, cookies: signedInCookies(outcome, name) };
      const { status, message, headers } = refusalIn(language, outcome, signInWords[language].wrongCode);
      return { ...page(request, signIn, status, message), headers };
    },
  };
}

/** The path of the second step, which keeps where one was going. */
export function codePathOf(signIn: "/sign-in" | "/operator/sign-in", to: string | null): string {
  return `${signIn}/code${to === null ? "" : `?to=${encodeURIComponent(to)}`}`;
}

function page(
  { form, query, language }: VisitorRequest,
  signIn: string,
  status: number,
  message: string | null,
): Shown {
  const words = signInWords[language];
  const to = ownPath(form.get("to") ?? query.get("to"));
  const main = html`<section class="sign-in">
<h1>${words.codeTitle}</h1>
<div role="alert">${message !== null && html`<p class="error">${message}</p>`}</div>
<form method="post" action="${signIn}/code" novalidate>
${to !== null && html`<input type="hidden" name="to" value="${to}">`}
${inputRow({ name: "code", label: words.code, hint: words.codeHint, autocomplete: "one-time-code", isVerbatim: true })}
<p class="actions"><button class="main">${words.submit}</button><a class="button" href="${signIn}">${words.asSomebodyElse}</a></p>
</form>
</section>`;
  return { status, title: words.codeTitle, area: null, main };
}
