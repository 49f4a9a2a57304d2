import type { Deps } from "../../deps.ts";
import { errors } from "../../errors.ts";
import { refusalIn } from "../../sessions/refused-words.ts";
import { asking } from "../../web/asking.ts";
import type { RefusedForm } from "../../web/forms/form.ts";
import { inputRow } from "../../web/forms/input-row.ts";
import { html, type Html } from "../../web/html.ts";
import { icon } from "../../web/icon.ts";
import { labelledCell } from "../../web/labelled-cell.ts";
import { dayOf, moment, type Language } from "../../web/language.ts";
import { messagesIn } from "../../web/messages.ts";
import { notice } from "../../web/notice.ts";
import type { Page, PageRequest, Shown } from "../../web/page.ts";
import { CHALLENGE_SECONDS } from "../challenge.ts";
import { beginAddition, finishAddition, wayToAdd } from "../own-passkeys.ts";
import { deletePasskey, listPasskeys, type ListedPasskey } from "../passkey-queries.ts";
import { passkeyWords } from "../passkey-words.ts";
import { siteOf } from "../passkey.ts";
import { askingForm } from "./asking-form.ts";

const PATH = "/profile/passkeys";

/** The part of the profile with one's passkeys. */
export async function passkeySection(
  { database }: Pick<Deps, "database">,
  { actor, session, language }: PageRequest,
): Promise<Html> {
  const words = passkeyWords[language];
  const passkeys = await listPasskeys(actor.tenant, database, session.user.id);
  return html`<section class="section" id="passkeys"><header><h2>${words.title}</h2>
<a class="button" href="${PATH}">${words.add}</a></header>
${
  passkeys.length === 0
    ? html`<p>${words.about} ${words.none}</p>`
    : html`<table class="list"><thead><tr>${[words.name, words.added, words.lastUsed].map(
        (name) => html`<th scope="col">${name}</th>`,
      )}<th scope="col"><span class="hidden">${words.remove}</span></th></tr></thead>
<tbody>${passkeys.map((passkey) => row(passkey, language, session.workspace.timeZone))}</tbody></table>`
}</section>`;
}

function row({ id, name, verifies, createdAt, lastUsedAt }: ListedPasskey, language: Language, timeZone: string): Html {
  const words = passkeyWords[language];
  return html`<tr>
<td class="name">${name}${!verifies && html` <span class="muted">(${words.second})</span>`}</td>
${labelledCell(words.added, dayOf(language, createdAt, timeZone), "date")}
${labelledCell(words.lastUsed, lastUsedAt === null ? words.never : moment(language, lastUsedAt, timeZone), "date")}
<td class="action"><a class="button quiet" href="${PATH}/${id}/remove" aria-label="${words.removeOf(name)}">${words.remove}</a></td>
</tr>`;
}

/** GET /profile/passkeys: the form for a new one. */
export const newPasskeyPage: Page = async (deps, request) => await formPage(deps, request, {});

/** POST /profile/passkeys: checks the password, and asks the browser for the passkey. */
export const beginPasskeyPost: Page = async (deps, request) => {
  const { session, form, network, origin, language } = request;
  const words = passkeyWords[language];
  const typed = { name: form.get("name") ?? "", password: form.get("current") ?? "" };
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
  const main = html`${backToProfile(language)}
<header class="heading"><h1>${words.askTitle}</h1></header>
<p>${words.askText(typed.name.trim())}</p>
${askingForm(begun, asks, language)}`;
  const cookies = { passkey: { value: begun.sealed, maxAge: CHALLENGE_SECONDS } };
  return { title: words.askTitle, area: "profile", main, cookies };
};

/** POST /profile/passkeys/add: the browser's answer. */
export const addPasskeyPost: Page = async (deps, request) => {
  const { session, form, origin, cookie, language } = request;
  const words = passkeyWords[language];
  const answer = form.get("answer") ?? "";
  const { outcome } = await finishAddition(deps, session, { answer, cookie: cookie("passkey"), origin });
  const cookies = { passkey: null };
  if (outcome === "added") return { to: "/profile", notice: notice("passkey-added"), cookies };
  const message = { "not-begun": words.notBegun, refused: words.notAdded, weak: words.weak }[outcome];
  return { ...(await formPage(deps, request, { status: 422, message })), cookies };
};

/** GET /profile/passkeys/{id}/remove */
export const askToRemovePasskeyPage: Page = async (deps, request) => {
  const words = passkeyWords[request.language];
  const { id, name } = await ownPasskey(deps, request);
  const action = `${PATH}/${id}/remove`;
  const texts = { title: words.removeTitle(name), consequences: [words.removeText], submit: words.remove };
  return asking(request.language, { ...texts, area: "profile", action, back: "/profile" });
};

/** POST /profile/passkeys/{id}/remove */
export const removePasskeyPost: Page = async (deps, request) => {
  const { id } = await ownPasskey(deps, request);
  const isRemoved = await deletePasskey(request.actor.tenant, deps.database, request.session.user.id, id);
  return { to: "/profile", notice: notice(isRemoved ? "passkey-removed" : "passkey-is-last") };
};

async function ownPasskey({ database }: Deps, { actor, session, params }: PageRequest): Promise<ListedPasskey> {
  const id = params.id ?? "";
  const passkeys = await listPasskeys(actor.tenant, database, session.user.id);
  const found = passkeys.find((each) => each.id === id);
  if (found === undefined) throw errors.resourceMissing("Passkey", id);
  return found;
}

function backToProfile(language: Language): Html {
  return html`<a class="back" href="/profile#passkeys">${icon("back")}${passkeyWords[language].title}</a>`;
}

async function formPage(
  deps: Deps,
  request: PageRequest,
  { status = 200, errors: messages, message = null }: RefusedForm & { message?: string | null },
): Promise<Shown> {
  const { session, origin, language, form } = request;
  const words = passkeyWords[language];
  const way = await wayToAdd(deps, session);
  const site = siteOf(deps.config, origin);
  const main = html`${backToProfile(language)}
<header class="heading"><h1>${words.add}</h1></header>
<p>${words.about}</p>
<div role="alert">${message !== null && html`<p class="error">${message}</p>`}</div>
${
  typeof site === "string"
    ? html`<p>${words.sites[site]}</p>`
    : way === "by-password" || way === "by-session"
      ? html`<noscript><p class="error">${words.needsScript}</p></noscript>
<form class="record" method="post" action="${PATH}" novalidate>
${inputRow({ name: "name", label: words.name, hint: words.nameHint, value: form.get("name") }, messages)}
${way === "by-password" && inputRow({ name: "current", label: words.password, type: "password", autocomplete: "current-password" }, messages)}
<p><button class="main">${words.next}</button></p></form>`
      : html`<p>${{ stale: words.stale, "sso-only": words.ssoOnly, full: words.full }[way]}</p>`
}`;
  return { status, title: words.add, area: "profile", main };
}
