import type { Deps } from "../../deps.ts";
import type { Database } from "../../platform/postgres/database.ts";
import { refusalIn } from "../../sessions/refused-words.ts";
import { endSession } from "../../sessions/session.ts";
import { signedInCookies } from "../../sessions/signed-in-cookies.ts";
import { inputRow } from "../../web/forms/input-row.ts";
import { html, type Html } from "../../web/html.ts";
import type { Language } from "../../web/language.ts";
import { ownPath } from "../../web/own-path.ts";
import type { OpenPage, Shown, VisitorRequest } from "../../web/page.ts";
import { CHALLENGE_SECONDS } from "../challenge.ts";
import { passkeyWords } from "../passkey-words.ts";
import { askForPasskey, signInByPasskey, type NamedAccount, type PasskeyDoor } from "../sign-in.ts";
import { userPasskeyDoor } from "../user-passkeys.ts";
import { askingForm } from "./asking-form.ts";

/** The pages of a door for passkeys: the users', and the operators'. */
export type PasskeyPlace<S extends { id: string; awaitsCode: boolean }> = {
  door: PasskeyDoor<S>;
  cookie: "session" | "operator";
  /** The page where people sign in by a password. */
  path: "/sign-in" | "/operator/sign-in";
  home: string;
  sessionIn: (request: VisitorRequest) => S | null;
  end: (database: Database, session: S) => Promise<void>;
};

type PasskeyDoorPages = Record<"passkeyPage" | "nameAccountPost" | "passkeyPost", OpenPage>;

/** The users' pages. */
export const { passkeyPage, nameAccountPost, passkeyPost } = passkeyDoorPages({
  door: userPasskeyDoor,
  cookie: "session",
  path: "/sign-in",
  home: "/today",
  sessionIn: ({ session }) => session,
  end: endSession,
});

/** The link to the page from another step of the sign-in. @param to the own path to go to afterwards */
export function passkeyLink(
  language: Language,
  to: string | null,
  path: PasskeyPlace<never>["path"] = "/sign-in",
): Html {
  const { useInstead } = passkeyWords[language];
  return html`<p><a href="${path}/passkey${to !== null && html`?to=${encodeURIComponent(to)}`}">${useInstead}</a></p>`;
}

export function passkeyDoorPages<S extends { id: string; awaitsCode: boolean }>(
  place: PasskeyPlace<S>,
): PasskeyDoorPages {
  const { door, cookie: cookieName, home, sessionIn, end } = place;
  return {
    /** GET .../passkey: signs in, or takes the second step. */
    passkeyPage: async (deps, request) => {
      const session = sessionIn(request);
      if (session !== null && !session.awaitsCode) return { to: ownPath(request.query.get("to")) ?? home };
      return await page(deps, place, request, {});
    },
    /** POST .../passkey/account: asks for the passkeys of a named account. */
    nameAccountPost: async (deps, request) => {
      const { form } = request;
      const named = { workspace: form.get("workspace") ?? "", email: form.get("email") ?? "" };
      return await page(deps, place, request, { named });
    },
    /** POST .../passkey: a browser's answer. */
    passkeyPost: async (deps, request) => {
      const { form, network, userAgent, origin, cookie, language } = request;
      const words = passkeyWords[language];
      const session = sessionIn(request);
      const attempt = { answer: form.get("answer") ?? "", cookie: cookie("passkey"), browser: cookie("browser") };
      const outcome = await signInByPasskey(deps, door, { ...attempt, network, userAgent, origin, session });
      if (outcome.outcome === "signed-in") {
        // The browser forgets its cookie, so that nobody could end it. The second step has ended the session before it.
        if (session !== null && !session.awaitsCode) await end(deps.database, session);
        const cookies = { ...signedInCookies(outcome, cookieName), passkey: null };
        return { to: ownPath(form.get("to")) ?? home, cookies };
      }
      if (outcome.outcome === "not-begun" || outcome.outcome === "unverified") {
        const message = outcome.outcome === "not-begun" ? words.notBegun : words.unverified;
        return await page(deps, place, request, { status: 422, message });
      }
      const { status, message, headers } = refusalIn(language, outcome, words.wrong);
      return { ...(await page(deps, place, request, { status, message })), headers };
    },
  };
}

async function page<S extends { id: string; awaitsCode: boolean }>(
  deps: Deps,
  { door, path, sessionIn }: PasskeyPlace<S>,
  request: VisitorRequest,
  {
    status = 200,
    message = null,
    named = null,
  }: { status?: number; message?: string | null; named?: NamedAccount | null },
): Promise<Shown> {
  const { origin, cookie, language, form, query } = request;
  const words = passkeyWords[language];
  const session = sessionIn(request);
  const isSecond = session?.awaitsCode === true;
  const to = ownPath(form.get("to") ?? query.get("to"));
  const asked = await askForPasskey(deps, door, { origin, session, browser: cookie("browser"), named });
  const title = isSecond ? words.codeTitle : words.doorTitle;
  const back = isSecond ? `${path}/code` : path;
  const others = html`<a class="button" href="${back}${to !== null && html`?to=${encodeURIComponent(to)}`}">${isSecond ? words.withCode : words.withPassword}</a>`;
  if (typeof asked === "string") {
    const main = html`<section class="sign-in"><h1>${title}</h1>
<p>${words.sites[asked]}</p><p class="actions">${others}</p></section>`;
    return { status, title, area: null, main };
  }
  const main = html`<section class="sign-in"><h1>${title}</h1>
<p>${isSecond ? words.codeText : words.doorText}</p>
${askingForm(asked, { action: `${path}/passkey`, submit: words.useNow, to, message, others }, language)}
${!isSecond && accountForm(path, language, to, named)}</section>`;
  const cookies = { passkey: { value: asked.sealed, maxAge: CHALLENGE_SECONDS } };
  return { status, title, area: null, main, cookies };
}

function accountForm(
  path: PasskeyPlace<never>["path"],
  language: Language,
  to: string | null,
  named: NamedAccount | null,
): Html {
  const words = passkeyWords[language];
  return html`<details${named !== null && html` open`}><summary>${words.notListed}</summary>
<p>${words.notListedText}</p>
<form method="post" action="${path}/passkey/account" novalidate>
${to !== null && html`<input type="hidden" name="to" value="${to}">`}
${path === "/sign-in" && inputRow({ name: "workspace", label: words.workspace, value: named?.workspace, autocomplete: "organization", isVerbatim: true })}
${inputRow({ name: "email", label: words.email, type: "email", value: named?.email, autocomplete: "username" })}
<p class="actions"><button>${words.use}</button></p>
</form></details>`;
}
