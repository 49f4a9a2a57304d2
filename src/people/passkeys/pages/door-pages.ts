import type { Deps } from "../../../kit/deps.ts";
import { inputRow } from "../../../kit/web/forms/input-row.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import type { Language } from "../../../kit/web/language.ts";
import { ownPath } from "../../../kit/web/own-path.ts";
import type { OpenPage, Shown, VisitorRequest } from "../../../kit/web/page.ts";
import { doorOf, homeOf } from "../../../kit/web/session.ts";
import { refusalIn } from "../../sessions/refused-words.ts";
import { endSession } from "../../sessions/session.ts";
import type { NamedAccount } from "../../sessions/sign-in-by-password.ts";
import { signedInCookies } from "../../sessions/signed-in-cookies.ts";
import { CHALLENGE_SECONDS } from "../challenge.ts";
import { passkeyWords } from "../passkey-words.ts";
import { siteOf } from "../passkey.ts";
import { askForPasskey, signInByPasskey } from "../sign-in.ts";
import { askingForm } from "./asking-form.ts";

const PATH = "/sign-in/passkey";

/**
 * The link to the page from another step of the sign-in, or the reason why no passkey can work.
 * @param to the own path to go to afterwards
 */
export function passkeyLink(
  { config }: Pick<Deps, "config">,
  { origin, language }: Pick<VisitorRequest, "origin" | "language">,
  to: string | null,
): Html {
  const { useInstead, sites } = passkeyWords[language];
  const site = siteOf(config, origin);
  if (typeof site === "string") return html`<p class="hint">${sites[site]}</p>`;
  return html`<p><a href="${PATH}${to !== null && html`?to=${encodeURIComponent(to)}`}">${useInstead}</a></p>`;
}

/** GET /sign-in/passkey: signs in, or takes the second step. */
export const passkeyPage: OpenPage = async (deps, request) => {
  const { session, query } = request;
  if (session !== null && !session.awaitsCode)
    return { to: ownPath(query.get("to")) ?? homeOf(session.workspace.slug) };
  return await page(deps, request, {});
};

/** POST /sign-in/passkey/account: asks for the passkeys of a named account. */
export const nameAccountPost: OpenPage = async (deps, request) => {
  const { form } = request;
  const named = { workspace: form.get("workspace") ?? "", email: form.get("email") ?? "" };
  return await page(deps, request, { named });
};

/** POST /sign-in/passkey: a browser's answer. */
export const passkeyPost: OpenPage = async (deps, request) => {
  const { form, network, userAgent, origin, cookie, session, language } = request;
  const words = passkeyWords[language];
  const attempt = { answer: form.get("answer") ?? "", cookie: cookie("passkey"), browser: cookie("browser") };
  const outcome = await signInByPasskey(deps, { ...attempt, network, userAgent, origin, session });
  if (outcome.outcome === "signed-in") {
    // Ends the session of the cookie that this answer replaces: nothing else could end it. The second step has done so
    // already.
    if (session !== null && !session.awaitsCode) await endSession(deps.database, session);
    const to = ownPath(form.get("to")) ?? homeOf(outcome.workspace);
    return { to, cookies: { ...signedInCookies(outcome), passkey: null } };
  }
  if (outcome.outcome === "not-begun" || outcome.outcome === "unverified") {
    const message = outcome.outcome === "not-begun" ? words.notBegun : words.unverified;
    return await page(deps, request, { status: 422, message });
  }
  const { status, message, headers } = refusalIn(language, outcome, words.wrong);
  return { ...(await page(deps, request, { status, message })), headers };
};

async function page(
  deps: Deps,
  request: VisitorRequest,
  {
    status = 200,
    message = null,
    named = null,
  }: { status?: number; message?: string | null; named?: NamedAccount | null },
): Promise<Shown> {
  const { origin, cookie, language, form, query, session } = request;
  const words = passkeyWords[language];
  const isSecond = session?.awaitsCode === true;
  const to = ownPath(form.get("to") ?? query.get("to"));
  const asked = await askForPasskey(deps, { origin, session, browser: cookie("browser"), named });
  const title = isSecond ? words.codeTitle : words.doorTitle;
  const isOfOperators = to?.startsWith("/operator/") === true;
  const back = isSecond ? "/sign-in/code" : doorOf(isOfOperators ? "" : undefined);
  const others = html`<a class="button" href="${back}${to !== null && html`?to=${encodeURIComponent(to)}`}">${isSecond ? words.withCode : words.withPassword}</a>`;
  if (typeof asked === "string") {
    const main = html`<section class="sign-in"><h1>${title}</h1>
<p>${words.sites[asked]}</p><p class="actions">${others}</p></section>`;
    return { status, title, area: null, main };
  }
  const main = html`<section class="sign-in"><h1>${title}</h1>
<p>${isSecond ? words.codeText : words.doorText}</p>
${askingForm(asked, { action: PATH, submit: words.useNow, to, message, others }, language)}
${!isSecond && accountForm(language, to, named)}</section>`;
  const cookies = { passkey: { value: asked.sealed, maxAge: CHALLENGE_SECONDS } };
  return { status, title, area: null, main, cookies };
}

function accountForm(language: Language, to: string | null, named: NamedAccount | null): Html {
  const words = passkeyWords[language];
  return html`<details${named !== null && html` open`}><summary>${words.notListed}</summary>
<p>${words.notListedText}</p>
<form method="post" action="${PATH}/account" novalidate>
${to !== null && html`<input type="hidden" name="to" value="${to}">`}
${inputRow({ name: "workspace", label: words.workspace, value: named?.workspace, autocomplete: "organization", isVerbatim: true })}
${inputRow({ name: "email", label: words.email, type: "email", value: named?.email, autocomplete: "username" })}
<p class="actions"><button>${words.use}</button></p>
</form></details>`;
}
