import type { Deps } from "../deps.ts";
import type { Database } from "../platform/postgres/database.ts";
import type { CodeAttempt, CodeConfirmed } from "../sessions/confirm-code.ts";
import { refusalIn } from "../sessions/refused-words.ts";
import type { SignedIn, SignIn } from "../sessions/sign-in-by-password.ts";
import { signedInCookies } from "../sessions/signed-in-cookies.ts";
import type { Form } from "../web/forms/form.ts";
import { inputRow } from "../web/forms/input-row.ts";
import { html, type Html } from "../web/html.ts";
import type { Language } from "../web/language.ts";
import { notice } from "../web/notice.ts";
import { ownPath } from "../web/own-path.ts";
import type { OpenPage, Shown, VisitorRequest } from "../web/page.ts";
import { signInWords } from "./sign-in-words.ts";

/** The pages of signing in, with a second step for a second factor: for users, and for operators. */
export type Door<S> = {
  cookie: "session" | "operator";
  path: "/sign-in" | "/operator/sign-in";
  /** The page after signing in, if no other page was requested. */
  home: string;
  sessionIn: (request: VisitorRequest) => S | null;
  signIn: (deps: Deps, attempt: SignIn, form: Form) => Promise<SignedIn>;
  confirm: (deps: Deps, session: S, attempt: CodeAttempt) => Promise<CodeConfirmed>;
  end: (database: Database, session: S) => Promise<void>;
  words: (language: Language) => { title: string };
  /** The message for a wrong attempt, which does not say what was wrong. */
  wrong: (deps: Deps, request: VisitorRequest) => Promise<string>;
  /** Above the form, and above its fields. */
  about: (language: Language) => Html | null;
  moreFields: (deps: Deps, request: VisitorRequest) => Html | null;
  /** Below the form of the code. */
  insteadOfCode: (request: VisitorRequest) => Html | null;
  /** Below the form. */
  after: (deps: Deps, request: VisitorRequest) => Promise<Html | null>;
};

type DoorPages = Record<"signInPage" | "signInPost" | "signOutPost" | "codePage" | "codePost", OpenPage> & {
  /** The first step with the message of a refused attempt. */
  refused: (deps: Deps, request: VisitorRequest, status: number, message: string) => Promise<Shown>;
};

export function doorPages<S extends { awaitsCode: boolean }>(door: Door<S>): DoorPages {
  const { path, home } = door;

  /** The first step, or with a message what came of it. */
  async function passwordPage(
    deps: Deps,
    request: VisitorRequest,
    status: number,
    message: string | null,
  ): Promise<Shown> {
    const { form, language } = request;
    const words = signInWords[language];
    const fields = html`${door.moreFields(deps, request)}
${inputRow({ name: "email", label: words.email, type: "email", value: form.get("email"), autocomplete: "username" })}
${inputRow({ name: "password", label: words.password, type: "password", autocomplete: "current-password" })}`;
    const { title } = door.words(language);
    const after = await door.after(deps, request);
    const step = { title, about: door.about(language), action: path, fields, back: null, after };
    return stepPage(request, step, status, message);
  }

  function codeStep(request: VisitorRequest, status: number, message: string | null): Shown {
    const { codeTitle: title, code: label, codeHint: hint, asSomebodyElse } = signInWords[request.language];
    const fields = inputRow({ name: "code", label, hint, autocomplete: "one-time-code", isVerbatim: true });
    const back = html`<a class="button" href="${path}">${asSomebodyElse}</a>`;
    const step = { title, about: null, action: `${path}/code`, fields, back, after: door.insteadOfCode(request) };
    return stepPage(request, step, status, message);
  }

  return {
    refused: passwordPage,
    /** `to` is the requested page. */
    signInPage: async (deps, request) => {
      const session = door.sessionIn(request);
      if (session !== null && !session.awaitsCode) return { to: ownPath(request.query.get("to")) ?? home };
      return await passwordPage(deps, request, 200, null);
    },
    /** If right, 303 to the requested page, or to the second step. */
    signInPost: async (deps, request) => {
      const { form, network, userAgent, cookie, language } = request;
      const [email, password] = [form.get("email") ?? "", form.get("password") ?? ""];
      const attempt = { email, password, network, userAgent, browser: cookie("browser") };
      const outcome = await door.signIn(deps, attempt, form);
      if (outcome.outcome !== "signed-in" && outcome.outcome !== "needs-code") {
        const { status, message, headers } = refusalIn(language, outcome, await door.wrong(deps, request));
        return { ...(await passwordPage(deps, request, status, message)), headers };
      }
      // The browser forgets its cookie, so that nobody could end it.
      const session = door.sessionIn(request);
      if (session !== null) await door.end(deps.database, session);
      const to = ownPath(form.get("to"));
      const next = to === null ? "" : `?to=${encodeURIComponent(to)}`;
      return {
        to: outcome.outcome === "needs-code" ? `${path}/code${next}` : (to ?? home),
        cookies: signedInCookies(outcome, door.cookie),
      };
    },
    signOutPost: async ({ database }, request) => {
      const session = door.sessionIn(request);
      if (session !== null) await door.end(database, session);
      return { to: path, cookies: { [door.cookie]: null } };
    },
    /** The second step, after a right password. */
    codePage: async (_deps, request) => {
      const session = door.sessionIn(request);
      if (session === null) return { to: path };
      return session.awaitsCode ? codeStep(request, 200, null) : { to: ownPath(request.query.get("to")) ?? home };
    },
    /** A code of the application or a recovery code, once each. What follows is another session. */
    codePost: async (deps, request) => {
      const { form, network, userAgent, cookie, language } = request;
      const session = door.sessionIn(request);
      const to = ownPath(form.get("to")) ?? home;
      if (session === null) return { to: path, notice: notice("sign-in-again") };
      if (!session.awaitsCode) return { to };
      const attempt = { code: form.get("code") ?? "", network, userAgent, browser: cookie("browser") };
      const outcome = await door.confirm(deps, session, attempt);
      if (outcome.outcome === "signed-in") return { to, cookies: signedInCookies(outcome, door.cookie) };
      const { status, message, headers } = refusalIn(language, outcome, signInWords[language].wrongCode);
      return { ...codeStep(request, status, message), headers };
    },
  };
}

type Step = { title: string; about: Html | null; action: string; fields: Html; back: Html | null; after: Html | null };

function stepPage(
  { form, query, language }: VisitorRequest,
  { title, about, action, fields, back, after }: Step,
  status: number,
  message: string | null,
): Shown {
  const to = ownPath(form.get("to") ?? query.get("to"));
  const main = html`<section class="sign-in">
<h1>${title}</h1>
${about}
<div role="alert">${message !== null && html`<p class="error">${message}</p>`}</div>
<form method="post" action="${action}" novalidate>
${to !== null && html`<input type="hidden" name="to" value="${to}">`}
${fields}
<p class="actions"><button class="main">${signInWords[language].submit}</button>${back}</p>
</form>
${after}
</section>`;
  return { status, title, area: null, main };
}
