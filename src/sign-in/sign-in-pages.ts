import { enterDemo, mayEnterDemo } from "../demo/demo-sign-in.ts";
import type { Deps } from "../deps.ts";
import { errors } from "../errors.ts";
import { passkeyLink } from "../passkeys/pages/door-pages.ts";
import { trim } from "../platform/text.ts";
import { confirmCode } from "../sessions/confirm-code.ts";
import { workspaceIn } from "../sessions/known-browser.ts";
import { refusalIn } from "../sessions/refused-words.ts";
import { endSession, signIn } from "../sessions/session.ts";
import { signedInCookies } from "../sessions/signed-in-cookies.ts";
import { waysIn } from "../single-sign-on/find-provider.ts";
import { pathToProvider } from "../single-sign-on/pages/door-pages.ts";
import { singleSignOnWords } from "../single-sign-on/single-sign-on-words.ts";
import { inputRow } from "../web/forms/input-row.ts";
import { html, type Html } from "../web/html.ts";
import { ownPath } from "../web/own-path.ts";
import type { OpenPage, VisitorRequest } from "../web/page.ts";
import { doorPages } from "./door-pages.ts";
import { forgottenWords } from "./forgotten-words.ts";
import { signInWords } from "./sign-in-words.ts";

/** GET / */
export const homePage: OpenPage = async (_deps, { session }) => ({ to: session === null ? "/sign-in" : "/today" });

/** GET and POST /sign-in, /sign-in/code and /sign-out */
const pages = doorPages({
  cookie: "session",
  path: "/sign-in",
  home: "/today",
  sessionIn: ({ session }) => session,
  signIn: async (deps, attempt, form) => await signIn(deps, { ...attempt, workspace: form.get("workspace") ?? "" }),
  confirm: confirmCode,
  end: endSession,
  words: (language) => signInWords[language],
  wrong: async (deps, { form, language }) => {
    const { isOnly } = await waysIn(deps, trim(form.get("workspace") ?? ""));
    return isOnly ? singleSignOnWords[language].onlyText : signInWords[language].wrong;
  },
  about: () => null,
  moreFields({ keyring }, { form, query, cookie, language }) {
    const { workspace: label, workspaceHint: hint } = signInWords[language];
    const value = form.get("workspace") ?? query.get("workspace") ?? workspaceIn(keyring, cookie("browser"));
    return inputRow({ name: "workspace", label, hint, value, autocomplete: "organization", isVerbatim: true });
  },
  insteadOfCode: ({ form, query, language }) => passkeyLink(language, ownPath(form.get("to") ?? query.get("to"))),
  after: async (deps, request) => {
    const { forgot, demo, demoHint } = signInWords[request.language];
    const forgotten =
      deps.config.mail === null
        ? html`<p class="hint">${forgot}</p>`
        : html`<p><a href="/sign-in/forgotten">${forgottenWords[request.language].link}</a></p>`;
    const to = ownPath(request.form.get("to") ?? request.query.get("to"));
    const line = html`${passkeyLink(request.language, to)}${await providerLink(deps, request)}${forgotten}`;
    if (!(await mayEnterDemo(deps, request))) return line;
    return html`${line}
<form method="post" action="/sign-in/demo"><p class="actions"><button>${demo}</button></p>
<p class="hint">${demoHint}</p></form>`;
  },
});

/** The link to the provider of the workspace that the page shows; of none, the way to name one. */
async function providerLink(deps: Deps, { form, query, cookie, language }: VisitorRequest): Promise<Html> {
  const workspace =
    form.get("workspace") ?? query.get("workspace") ?? workspaceIn(deps.keyring, cookie("browser")) ?? "";
  const to = ownPath(form.get("to") ?? query.get("to"));
  const { isOn } = await waysIn(deps, trim(workspace));
  const { link, chooseTitle } = singleSignOnWords[language];
  if (isOn) return html`<p><a class="button" href="${pathToProvider(trim(workspace), to)}">${link}</a></p>`;
  return html`<p><a href="/sign-in/oidc${to !== null && html`?to=${encodeURIComponent(to)}`}">${chooseTitle}</a></p>`;
}

export const { signInPage, signInPost, signOutPost, codePage, codePost } = pages;

/** POST /sign-in/demo: signs in to the demo of this machine without its password. */
export const demoPost: OpenPage = async (deps, request) => {
  const { network, userAgent, cookie, session, language } = request;
  if (!(await mayEnterDemo(deps, request))) throw errors.resourceMissing("Tenant", "demo");
  const outcome = await enterDemo(deps, { network, userAgent, browser: cookie("browser") });
  if (outcome.outcome !== "signed-in" && outcome.outcome !== "needs-code") {
    const { status, message, headers } = refusalIn(language, outcome, signInWords[language].wrong);
    return { ...(await pages.refused(deps, request, status, message)), headers };
  }
  if (session !== null) await endSession(deps.database, session);
  const to = outcome.outcome === "needs-code" ? "/sign-in/code" : "/today";
  return { to, cookies: signedInCookies(outcome) };
};
