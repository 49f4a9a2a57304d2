import type { Deps } from "../../../kit/deps.ts";
import { errors } from "../../../kit/errors.ts";
import { rowTable } from "../../../kit/tables/rows.ts";
import { asking } from "../../../kit/web/asking.ts";
import type { RefusedForm } from "../../../kit/web/forms/form.ts";
import { inputRow } from "../../../kit/web/forms/input-row.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import { icon } from "../../../kit/web/icon.ts";
import { dayOf, moment, type Language } from "../../../kit/web/language.ts";
import { messagesIn } from "../../../kit/web/messages.ts";
import { notice } from "../../../kit/web/notice.ts";
import type { Page, PageRequest, Shown } from "../../../kit/web/page.ts";
import { refusalIn } from "../../sessions/refused-words.ts";
import { CHALLENGE_SECONDS } from "../challenge.ts";
import { beginAddition, finishAddition, removePasskey, checkAddition } from "../own-passkeys.ts";
import { listPasskeys, type ListedPasskey } from "../passkey-queries.ts";
import { passkeyWords } from "../passkey-words.ts";
import { siteOf } from "../passkey.ts";
import { askingForm } from "./asking-form.ts";

const PATH = "/profile/passkeys";
const HOME = "/profile";

/** The part of the profile with one's passkeys. */
export async function passkeySection(
  { database, config }: Pick<Deps, "database" | "config">,
  { origin, session: { tenant, user, workspace }, language }: PageRequest,
): Promise<Html> {
  const words = passkeyWords[language];
  const passkeys = await listPasskeys(tenant, database, user.id);
  const site = siteOf(config, origin);
  return html`<section class="section" id="passkeys"><header><h2>${words.title}</h2>
${typeof site !== "string" && html`<a class="button" href="${PATH}">${words.add}</a>`}</header>
${typeof site === "string" && html`<p class="hint">${words.sites[site]}</p>`}
${passkeys.length === 0 ? html`<p>${words.about} ${words.none}</p>` : passkeyTable(PATH, passkeys, language, workspace.timeZone)}</section>`;
}

/** @param path of the pages that remove one */
export function passkeyTable(
  path: string,
  passkeys: readonly ListedPasskey[],
  language: Language,
  timeZone: string,
): Html {
  const words = passkeyWords[language];
  return rowTable(passkeys, [
    [
      "name",
      words.name,
      ({ name, verifies }) => html`${name}${!verifies && html` <span class="muted">(${words.second})</span>`}`,
    ],
    ["date", words.added, ({ createdAt }) => dayOf(language, createdAt, timeZone)],
    ["date", words.lastUsed, ({ lastUsedAt: at }) => (at === null ? words.never : moment(language, at, timeZone))],
    [
      "action",
      words.remove,
      ({ id, name }) =>
        html`<a class="button quiet" href="${path}/${id}/remove" aria-label="${words.removeOf(name)}">${words.remove}</a>`,
    ],
  ]);
}

/** GET /profile/passkeys: the form for a new one. */
export const newPasskeyPage: Page = async (deps, request) => await formPage(deps, request, {});

/** POST /profile/passkeys: checks the password, and asks the browser for the passkey. */
export const beginPasskeyPost: Page = async (deps, request) => {
  const { form: posted, network, origin, session, language } = request;
  const words = passkeyWords[language];
  const typed = { name: posted.get("name") ?? "", password: posted.get("current") ?? "" };
  const begun = await beginAddition(deps, session, typed, { network, origin });
  if (begun.outcome === "not-possible") return await formPage(deps, request, { status: 422 });
  if (begun.outcome === "invalid") {
    const messages = messagesIn(language, begun.messages, { name: words.name });
    return await formPage(deps, request, { status: 422, errors: messages });
  }
  if (begun.outcome !== "begun") {
    const { status, message, headers } = refusalIn(language, begun, words.wrongPassword);
    return { ...(await formPage(deps, request, { status, errors: { current: [message] } })), headers };
  }
  const asks = { action: `${PATH}/add`, submit: words.create, to: null, message: null, others: null };
  const main = html`${backHome(language)}
<header class="heading"><h1>${words.askTitle}</h1></header>
<p>${words.askText(typed.name.trim())}</p>
${askingForm(begun, asks, language)}`;
  const cookies = { passkey: { value: begun.sealed, maxAge: CHALLENGE_SECONDS } };
  return { title: words.askTitle, area: "profile", main, cookies };
};

/** POST /profile/passkeys/add: the browser's answer. */
export const addPasskeyPost: Page = async (deps, request) => {
  const { form: posted, origin, cookie, session, language } = request;
  const words = passkeyWords[language];
  const attempt = { answer: posted.get("answer") ?? "", cookie: cookie("passkey"), origin };
  const { outcome } = await finishAddition(deps, session, attempt);
  const cookies = { passkey: null };
  if (outcome === "added") return { to: HOME, notice: notice("passkey-added"), cookies };
  const message = { "not-begun": words.notBegun, refused: words.notAdded, weak: words.weak }[outcome];
  return { ...(await formPage(deps, request, { status: 422, message })), cookies };
};

/** GET /profile/passkeys/{id}/remove */
export const askToRemovePasskeyPage: Page = async ({ database }, { session: { tenant, user }, params, language }) => {
  const words = passkeyWords[language];
  const { id, name } = passkeyNamed(await listPasskeys(tenant, database, user.id), params.id);
  const texts = { title: words.removeTitle(name), consequences: [words.removeText], submit: words.remove };
  return asking(language, { ...texts, area: "profile", action: `${PATH}/${id}/remove`, back: HOME });
};

/** POST /profile/passkeys/{id}/remove */
export const removePasskeyPost: Page = async (deps, { session, params }) => {
  const passkeys = await listPasskeys(session.tenant, deps.database, session.user.id);
  const isRemoved = await removePasskey(deps, session, passkeyNamed(passkeys, params.id));
  return { to: HOME, notice: notice(isRemoved ? "passkey-removed" : "passkey-is-last") };
};

/** The passkey that a path names. Throws resourceMissing. */
export function passkeyNamed(passkeys: readonly ListedPasskey[], id = ""): ListedPasskey {
  const found = passkeys.find((each) => each.id === id);
  if (found === undefined) throw errors.resourceMissing("Passkey", id);
  return found;
}

function backHome(language: Language): Html {
  return html`<a class="back" href="${HOME}#passkeys">${icon("back")}${passkeyWords[language].title}</a>`;
}

type Refusal = RefusedForm & { message?: string | null };

async function formPage(
  deps: Deps,
  { origin, session, language, form }: PageRequest,
  { status = 200, errors: messages, message = null }: Refusal,
): Promise<Shown> {
  const words = passkeyWords[language];
  const way = await checkAddition(deps, session);
  const site = siteOf(deps.config, origin);
  const main = html`${backHome(language)}
<header class="heading"><h1>${words.add}</h1></header>
<p>${words.about}</p>
<div role="alert">${message !== null && html`<p class="error">${message}</p>`}</div>
${
  typeof site === "string"
    ? html`<p>${words.sites[site]}</p>`
    : way === "by-password" || way === "by-session"
      ? html`${message === null && html`<noscript><p class="error">${words.needsScript}</p></noscript>`}
<form class="record" method="post" action="${PATH}" novalidate>
${inputRow({ name: "name", label: words.name, hint: words.nameHint, value: form.get("name") }, messages)}
${way === "by-password" && inputRow({ name: "current", label: words.password, type: "password", autocomplete: "current-password" }, messages)}
<p><button class="main">${words.next}</button></p></form>`
      : html`<p>${{ stale: words.stale, "sso-only": words.ssoOnly, full: words.full }[way]}</p>`
}`;
  return { status, title: words.add, area: "profile", main };
}
