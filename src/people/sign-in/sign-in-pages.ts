import type { Deps } from "../../kit/deps.ts";
import { errors } from "../../kit/errors.ts";
import { inputRow } from "../../kit/web/forms/input-row.ts";
import { html, type Html } from "../../kit/web/html.ts";
import { notice } from "../../kit/web/notice.ts";
import { ownPath } from "../../kit/web/own-path.ts";
import type { OpenPage, Shown, VisitorRequest } from "../../kit/web/page.ts";
import { doorOf, homeOf } from "../../kit/web/session.ts";
import { passkeyLink } from "../passkeys/pages/door-pages.ts";
import { confirmCode } from "../sessions/confirm-code.ts";
import { workspaceIn } from "../sessions/known-browser.ts";
import { refusalIn } from "../sessions/refused-words.ts";
import { endSession } from "../sessions/session.ts";
import { signIn } from "../sessions/sign-in-by-password.ts";
import { signedInCookies } from "../sessions/signed-in-cookies.ts";
import { singleSignOnModeOf } from "../single-sign-on/find-provider.ts";
import { pathToProvider } from "../single-sign-on/pages/door-pages.ts";
import { singleSignOnWords } from "../single-sign-on/single-sign-on-words.ts";
import { typedSlug } from "../tenants/tenant.ts";
import { enterDemo, mayEnterDemo } from "./demo-sign-in.ts";
import { forgottenWords } from "./forgotten-words.ts";
import { signInWords } from "./sign-in-words.ts";

/** GET / */
export const homePage: OpenPage = async (_deps, { session }) => ({
  to: session === null ? "/sign-in" : homeOf(session.workspace.slug),
});

/** GET /operator */
export const operatorPage: OpenPage = async () => ({ to: homeOf("") });

/** The page that was requested before the sign-in. */
const requestedPage = ({ form, query }: VisitorRequest) => ownPath(form.get("to") ?? query.get("to"));

/** Operators sign in at an address of their own, which names their workspace. */
const isOfOperators = ({ address }: VisitorRequest) => address.startsWith("/operator/");

/** GET /sign-in and /operator/sign-in: `to` is the requested page. */
export const signInPage: OpenPage = async (deps, request) => {
  const { session, query } = request;
  // A session of one address does not close the other one.
  const isHere = session !== null && (session.user.role === "operator") === isOfOperators(request);
  if (isHere && !session.awaitsCode) return { to: ownPath(query.get("to")) ?? homeOf(session.workspace.slug) };
  return await passwordPage(deps, request, 200, null);
};

/** POST /sign-in and /operator/sign-in: if right, 303 to the requested page, or to the second step. */
export const signInPost: OpenPage = async (deps, request) => {
  const { form, network, userAgent, cookie, session, language } = request;
  const workspace = isOfOperators(request) ? "" : typedSlug(form.get("workspace") ?? "");
  const [email, password] = [form.get("email") ?? "", form.get("password") ?? ""];
  const outcome = await signIn(deps, { workspace, email, password, network, userAgent, browser: cookie("browser") });
  if (outcome.outcome !== "signed-in" && outcome.outcome !== "needs-code") {
    const { isOnly } = await singleSignOnModeOf(deps, workspace);
    // The message for a wrong attempt does not say what was wrong.
    const words = isOfOperators(request) ? signInWords[language].operators : signInWords[language];
    const wrong = isOnly ? singleSignOnWords[language].onlyText : words.wrong;
    const { status, message, headers } = refusalIn(language, outcome, wrong);
    return { ...(await passwordPage(deps, request, status, message)), headers };
  }
  // Ends the session of the cookie that this answer replaces: nothing else could end it.
  if (session !== null) await endSession(deps.database, session);
  const to = ownPath(form.get("to"));
  const next = to === null ? "" : `?to=${encodeURIComponent(to)}`;
  return {
    to: outcome.outcome === "needs-code" ? `/sign-in/code${next}` : (to ?? homeOf(workspace)),
    cookies: signedInCookies(outcome),
  };
};

/** POST /sign-out */
export const signOutPost: OpenPage = async ({ database }, { session }) => {
  if (session !== null) await endSession(database, session);
  return { to: doorOf(session?.workspace.slug), cookies: { session: null } };
};

/** GET /sign-in/code: the second step, after a right password. */
export const codePage: OpenPage = async (deps, request) => {
  const { session, query } = request;
  if (session === null) return { to: "/sign-in" };
  if (session.awaitsCode) return codeStep(deps, request, 200, null);
  return { to: ownPath(query.get("to")) ?? homeOf(session.workspace.slug) };
};

/** POST /sign-in/code: a code of the application or a recovery code, once each. A new session replaces this one. */
export const codePost: OpenPage = async (deps, request) => {
  const { form, network, userAgent, cookie, session, language } = request;
  if (session === null) return { to: "/sign-in", notice: notice("sign-in-again") };
  const to = ownPath(form.get("to")) ?? homeOf(session.workspace.slug);
  if (!session.awaitsCode) return { to };
  const attempt = { code: form.get("code") ?? "", network, userAgent, browser: cookie("browser") };
  const outcome = await confirmCode(deps, session, attempt);
  if (outcome.outcome === "signed-in") return { to, cookies: signedInCookies(outcome) };
  const { status, message, headers } = refusalIn(language, outcome, signInWords[language].wrongCode);
  return { ...codeStep(deps, request, status, message), headers };
};

/** POST /sign-in/demo: signs in to the demo of this machine without its password. */
export const demoPost: OpenPage = async (deps, request) => {
  const { network, userAgent, cookie, session, language } = request;
  if (!(await mayEnterDemo(deps, request))) throw errors.resourceMissing("Tenant", "demo");
  const outcome = await enterDemo(deps, { network, userAgent, browser: cookie("browser") });
  if (outcome.outcome !== "signed-in" && outcome.outcome !== "needs-code") {
    const { status, message, headers } = refusalIn(language, outcome, signInWords[language].wrong);
    return { ...(await passwordPage(deps, request, status, message)), headers };
  }
  if (session !== null) await endSession(deps.database, session);
  const to = outcome.outcome === "needs-code" ? "/sign-in/code" : "/today";
  return { to, cookies: signedInCookies(outcome) };
};

/** The first step, with the message of a failed attempt. */
async function passwordPage(
  deps: Deps,
  request: VisitorRequest,
  status: number,
  message: string | null,
): Promise<Shown> {
  const { form, language } = request;
  const words = signInWords[language];
  const { workspace: label, workspaceHint: hint, operators } = words;
  const isOperators = isOfOperators(request);
  const value = workspaceOf(deps, request);
  const mode = isOperators ? null : await singleSignOnModeOf(deps, typedSlug(value ?? ""));
  const fields = html`${!isOperators && inputRow({ name: "workspace", label, hint, value, autocomplete: "organization", isVerbatim: true })}
${inputRow({ name: "email", label: words.email, type: "email", value: form.get("email"), autocomplete: "username" })}
${inputRow({ name: "password", label: words.password, type: "password", autocomplete: "current-password" })}`;
  const step = isOperators
    ? {
        title: operators.title,
        about: html`<p>${operators.about} <a href="/sign-in">${operators.toWorkspaces}</a></p>`,
        action: doorOf(""),
        after: passkeyLink(deps, request, requestedPage(request) ?? homeOf("")),
      }
    : {
        title: words.title,
        about: null,
        action: "/sign-in",
        after: await otherWays(deps, request, mode?.isOn === true),
      };
  if (mode?.isOnly !== true) return stepPage(request, { ...step, fields, back: null }, status, message);
  // The only way of almost everybody is first. The password of the break-glass admin is folded away.
  const first = html`<p><a class="button main" href="${pathToProvider(typedSlug(value ?? ""), requestedPage(request))}">${singleSignOnWords[language].link}</a></p>`;
  const after = await otherWays(deps, request, null);
  return stepPage(request, { ...step, fields, back: null, first, after }, status, message);
}

/** The workspace of the page: as it was typed, as the address names it, or where the browser signed in last. */
function workspaceOf(deps: Deps, { form, query, cookie }: VisitorRequest): string | null {
  return form.get("workspace") ?? query.get("workspace") ?? workspaceIn(deps.keyring, cookie("browser"));
}

/** @param hasProvider null: the page has its link already */
async function otherWays(deps: Deps, request: VisitorRequest, hasProvider: boolean | null): Promise<Html> {
  const { forgot, demo, demoHint } = signInWords[request.language];
  const forgotten =
    deps.config.mail === null
      ? html`<p class="hint">${forgot}</p>`
      : html`<p><a href="/sign-in/forgotten">${forgottenWords[request.language].link}</a></p>`;
  const to = requestedPage(request);
  const line = html`${passkeyLink(deps, request, to)}${hasProvider !== null && providerLink(deps, request, hasProvider)}${forgotten}`;
  if (!(await mayEnterDemo(deps, request))) return line;
  return html`${line}
<form method="post" action="/sign-in/demo"><p class="actions"><button>${demo}</button></p>
<p class="hint">${demoHint}</p></form>`;
}

/** The link to the identity provider of the page's workspace; without a workspace, the link to name one. */
function providerLink(deps: Deps, request: VisitorRequest, hasProvider: boolean): Html {
  const to = requestedPage(request);
  const { link, chooseTitle } = singleSignOnWords[request.language];
  if (hasProvider) {
    const workspace = typedSlug(workspaceOf(deps, request) ?? "");
    return html`<p><a class="button" href="${pathToProvider(workspace, to)}">${link}</a></p>`;
  }
  return html`<p><a href="/sign-in/oidc${to !== null && html`?to=${encodeURIComponent(to)}`}">${chooseTitle}</a></p>`;
}

function codeStep(deps: Deps, request: VisitorRequest, status: number, message: string | null): Shown {
  const { session, language } = request;
  const { codeTitle: title, code: label, codeHint: hint, asSomebodyElse } = signInWords[language];
  const fields = inputRow({ name: "code", label, hint, autocomplete: "one-time-code", isVerbatim: true });
  const back = html`<a class="button" href="${doorOf(session?.workspace.slug)}">${asSomebodyElse}</a>`;
  const after = passkeyLink(deps, request, requestedPage(request));
  return stepPage(request, { title, about: null, action: "/sign-in/code", fields, back, after }, status, message);
}

type Step = { title: string; about: Html | null; action: string; fields: Html; back: Html | null; after: Html } & {
  /** The main way, before which the form is folded away. */
  first?: Html;
};

function stepPage(
  request: VisitorRequest,
  { title, about, action, fields, back, after, first }: Step,
  status: number,
  message: string | null,
): Shown {
  const to = requestedPage(request);
  const words = signInWords[request.language];
  const form = html`<form method="post" action="${action}" novalidate>
${to !== null && html`<input type="hidden" name="to" value="${to}">`}
${fields}
<p class="actions"><button${first === undefined && html` class="main"`}>${words.submit}</button>${back}</p>
</form>
${after}`;
  const main = html`<section class="sign-in">
<h1>${title}</h1>
${about}
<div role="alert">${message !== null && html`<p class="error">${message}</p>`}</div>
${first === undefined ? form : html`${first}<details${message !== null && html` open`}><summary>${words.byPassword}</summary>${form}</details>`}
</section>`;
  return { status, title, area: null, main };
}
