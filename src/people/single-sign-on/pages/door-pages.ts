import { inputRow } from "../../../kit/web/forms/input-row.ts";
import { html } from "../../../kit/web/html.ts";
import { notice } from "../../../kit/web/notice.ts";
import { ownPath } from "../../../kit/web/own-path.ts";
import type { OpenPage, Page, PageAnswer, Shown, VisitorRequest } from "../../../kit/web/page.ts";
import { shellWords } from "../../../kit/web/shell-words.ts";
import { endSession } from "../../sessions/session.ts";
import { signedInCookies } from "../../sessions/signed-in-cookies.ts";
import { isSlug, typedSlug } from "../../tenants/tenant.ts";
import { roleWords } from "../../users/user-words.ts";
import { isGroupUnknown } from "../admit.ts";
import { endByProvider } from "../logout.ts";
import { beginSignIn, finishSignIn, type Failed, type Finished } from "../sign-in.ts";
import { findSingleSignOn } from "../single-sign-on-queries.ts";
import { singleSignOnWords } from "../single-sign-on-words.ts";
import type { Reason } from "../single-sign-on.ts";
import { SETTINGS } from "./settings-page.ts";

/** The path where a sign-in of a workspace begins. @param to the own path to go to afterwards */
export function pathToProvider(workspace: string, to: string | null): string {
  return `/sign-in/oidc/${workspace}${to === null ? "" : `?to=${encodeURIComponent(to)}`}`;
}

/** GET /sign-in/oidc: asks for the workspace, and then shows the link: a form could not lead to another server. */
export const chooseWorkspacePage: OpenPage = async (_deps, { query, language }) => {
  const words = singleSignOnWords[language];
  const workspace = typedSlug(query.get("workspace") ?? "");
  const to = ownPath(query.get("to"));
  const field = { name: "workspace", label: words.workspace, hint: words.workspaceHint, value: workspace };
  const main = html`<section class="sign-in"><h1>${words.chooseTitle}</h1>
<p>${words.chooseText}</p>
<form method="get" action="/sign-in/oidc" novalidate>
${to !== null && html`<input type="hidden" name="to" value="${to}">`}
${inputRow({ ...field, autocomplete: "organization", isVerbatim: true })}
<p class="actions">${
    isSlug(workspace)
      ? html`<a class="button main" href="${pathToProvider(workspace, to)}">${words.goTo(workspace)}</a>`
      : html`<button class="main">${words.next}</button>`
  }<a class="button" href="/sign-in">${words.password}</a></p>
</form></section>`;
  return { title: words.chooseTitle, area: null, main };
};

/** GET /sign-in/oidc/{workspace}: goes to the provider. */
export const beginPage: OpenPage = async (deps, request) => {
  const { params, query, origin } = request;
  const workspace = params.workspace ?? "";
  const begun = await beginSignIn(deps, { workspace, origin, to: ownPath(query.get("to")), trialOf: null });
  if (begun.outcome === "failed") return failedPage(request, begun);
  return { to: begun.url, cookies: { provider: begun.cookie } };
};

/** GET /workspace/sign-in/try: the same for an admin, before anybody else can. */
export const tryPage: Page = async (deps, request) => {
  const { session, origin, actor } = request;
  if ((await findSingleSignOn(actor.tenant, deps.database)) === null) {
    return { to: SETTINGS, notice: notice("sso-not-set-up") };
  }
  const workspace = session.workspace.slug;
  const begun = await beginSignIn(deps, { workspace, origin, to: null, trialOf: session });
  if (begun.outcome === "failed") return triedPage(request, begun);
  return { to: begun.url, cookies: { provider: begun.cookie } };
};

/** GET /sign-in/oidc/{workspace}/callback: the provider's answer, in the browser that began. */
export const callbackPage: OpenPage = async (deps, request) => {
  const { params, address, origin, cookie, network, userAgent, session } = request;
  const workspace = params.workspace ?? "";
  const answer = { workspace, address, origin, network, userAgent, session };
  const finished = await finishSignIn(deps, { ...answer, cookie: cookie("provider"), browser: cookie("browser") });
  if (finished.outcome === "tried") return triedPage(request, finished);
  if (finished.outcome === "failed") {
    return {
      ...failedPage(request, finished),
      ...(finished.reason !== "not-begun" && { cookies: { provider: null } }),
    };
  }
  // Ends the session of the cookie that this answer replaces: nothing else could end it.
  if (session !== null) await endSession(deps.database, session);
  return { to: finished.to ?? "/today", cookies: { ...signedInCookies(finished), provider: null } };
};

/** POST /sign-in/oidc/{workspace}/logout: a message of the provider's server. */
export const logoutPost: OpenPage = async (deps, { params, form }) => {
  const isEnded = await endByProvider(deps, params.workspace ?? "", form.get("logout_token") ?? "");
  return { status: isEnded ? 200 : 400, title: "Logout", area: null, main: html`<p>${isEnded ? "OK" : "Refused"}</p>` };
};

const STATUS: Partial<Record<Reason, number>> = { down: 503, busy: 503, throttled: 429, off: 404, misconfigured: 503 };

function failedPage({ params, language }: VisitorRequest, { reason, retryAfter }: Failed): Shown {
  const words = singleSignOnWords[language];
  const workspace = params.workspace ?? "";
  const main = html`<section class="message"><h1>${words.failedTitle}</h1>
<p>${words.reasons[reason]}</p>
<p class="actions">${reason !== "off" && html`<a class="button main" href="${pathToProvider(workspace, null)}">${words.tryAgain}</a>`}<a class="button" href="/sign-in">${words.password}</a></p></section>`;
  const headers: Record<string, string> = retryAfter > 0 ? { "retry-after": String(retryAfter) } : {};
  return { status: STATUS[reason] ?? 403, title: words.failedTitle, area: null, main, headers };
}

/** The end of a trial, in the second window. */
function triedPage(
  { language }: Pick<VisitorRequest, "language">,
  finished: Exclude<Finished, { outcome: "signed-in" }>,
): PageAnswer {
  const words = singleSignOnWords[language];
  const cookies = { provider: null };
  if (finished.outcome === "failed") {
    const main = html`<section class="message"><h1>${words.triedFailed}</h1><p>${words.reasons[finished.reason]}</p></section>`;
    return { status: STATUS[finished.reason] ?? 403, title: words.triedFailed, area: null, main, cookies };
  }
  const { claims, role, rules } = finished;
  const isUnknown = isGroupUnknown(rules, claims);
  const isListed = rules.adminGroup === null || claims.groups.includes(rules.adminGroup);
  const { triedFacts: labels } = words;
  const { yes, no } = shellWords[language];
  const main = html`<section class="message"><h1>${words.triedTitle}</h1><p>${words.triedText}</p>
<dl class="facts">
<dt>${labels.email}</dt><dd>${claims.email}</dd>
<dt>${labels.verified}</dt><dd>${claims.isVerified ? yes : no}</dd>
${claims.groups.length > 0 && html`<dt>${labels.groups}</dt><dd>${claims.groups.slice(0, 20).join(", ")}</dd>`}
<dt>${labels.role}</dt><dd>${roleWords[language][role]}</dd>
</dl>
${isUnknown ? html`<p class="trouble">${words.noGroups}</p>` : !isListed && html`<p class="trouble">${words.notAdminGroup(rules.adminGroup ?? "")}</p>`}</section>`;
  return { title: words.triedTitle, area: null, main, cookies };
}
