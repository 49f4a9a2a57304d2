import type { Deps } from "../../deps.ts";
import { errors } from "../../errors.ts";
import { refusalIn } from "../../sessions/refused-words.ts";
import { rowTable } from "../../tables/rows.ts";
import { asking } from "../../web/asking.ts";
import type { RefusedForm } from "../../web/forms/form.ts";
import { inputRow } from "../../web/forms/input-row.ts";
import type { Area } from "../../web/frame/layout.ts";
import { html, type Html } from "../../web/html.ts";
import { icon } from "../../web/icon.ts";
import { dayOf, moment, type Language } from "../../web/language.ts";
import { messagesIn } from "../../web/messages.ts";
import { notice } from "../../web/notice.ts";
import type { OperatorRequest, PageAnswer, PageRequest, Shown } from "../../web/page.ts";
import { CHALLENGE_SECONDS } from "../challenge.ts";
import { beginAddition, finishAddition, removePasskey, wayToAdd, type PasskeyOwner } from "../own-passkeys.ts";
import { passkeysOf } from "../passkey-queries.ts";
import type { ListedPasskey } from "../passkey-store.ts";
import { passkeyWords } from "../passkey-words.ts";
import { siteOf } from "../passkey.ts";
import { passkeyOwnerOf } from "../user-passkeys.ts";
import { askingForm } from "./asking-form.ts";

/** Where the pages are, and the part of another page that lists the passkeys. */
export type OwnPlace = { path: "/profile/passkeys" | "/operator/passkeys"; area: Area; home: string };

type OwnPage<R> = (deps: Deps, request: R) => Promise<PageAnswer>;
type OwnPages<R> = Record<
  "newPasskeyPage" | "beginPasskeyPost" | "addPasskeyPost" | "askToRemovePasskeyPage" | "removePasskeyPost",
  OwnPage<R>
>;

const PROFILE: OwnPlace = { path: "/profile/passkeys", area: "profile", home: "/profile" };

/** The pages below /profile/passkeys. */
export const { newPasskeyPage, beginPasskeyPost, addPasskeyPost, askToRemovePasskeyPage, removePasskeyPost } =
  ownPasskeyPages<PageRequest>(PROFILE, (deps, { session }) => passkeyOwnerOf(deps, session));

/** The part of the profile with one's passkeys. */
export async function passkeySection(
  { database }: Pick<Deps, "database">,
  { actor, session, language }: PageRequest,
): Promise<Html> {
  const passkeys = await passkeysOf(actor.tenant, database, session.user.id).list();
  return ownPasskeys(PROFILE, passkeys, language, session.workspace.timeZone);
}

export function ownPasskeys(
  { path }: OwnPlace,
  passkeys: readonly ListedPasskey[],
  language: Language,
  timeZone: string,
): Html {
  const words = passkeyWords[language];
  return html`<section class="section" id="passkeys"><header><h2>${words.title}</h2>
<a class="button" href="${path}">${words.add}</a></header>
${passkeys.length === 0 ? html`<p>${words.about} ${words.none}</p>` : passkeyTable(path, passkeys, language, timeZone)}</section>`;
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

/** The pages about one's own passkeys, a user's or an operator's. */
export function ownPasskeyPages<R extends PageRequest | OperatorRequest>(
  place: OwnPlace,
  ownerOf: (deps: Deps, request: R) => PasskeyOwner,
): OwnPages<R> {
  const { path, area, home } = place;
  const form = async (deps: Deps, request: R, refused: Refusal) =>
    await formPage(deps, place, ownerOf(deps, request), request, refused);
  return {
    /** GET: the form for a new one. */
    newPasskeyPage: async (deps, request) => await form(deps, request, {}),
    /** POST: checks the password, and asks the browser for the passkey. */
    beginPasskeyPost: async (deps, request) => {
      const { form: posted, network, origin, language } = request;
      const words = passkeyWords[language];
      const typed = { name: posted.get("name") ?? "", password: posted.get("current") ?? "" };
      const begun = await beginAddition(deps, ownerOf(deps, request), typed, { network, origin });
      if (begun.outcome === "not-possible") return await form(deps, request, { status: 422 });
      if (begun.outcome === "invalid") {
        const messages = messagesIn(language, begun.messages, { name: words.name });
        return await form(deps, request, { status: 422, errors: messages });
      }
      if (begun.outcome !== "begun") {
        const { status, message, headers } = refusalIn(language, begun, words.wrongPassword);
        return { ...(await form(deps, request, { status, errors: { current: [message] } })), headers };
      }
      const asks = { action: `${path}/add`, submit: words.create, to: null, message: null, others: null };
      const main = html`${backHome(place, language)}
<header class="heading"><h1>${words.askTitle}</h1></header>
<p>${words.askText(typed.name.trim())}</p>
${askingForm(begun, asks, language)}`;
      const cookies = { passkey: { value: begun.sealed, maxAge: CHALLENGE_SECONDS } };
      return { title: words.askTitle, area, main, cookies };
    },
    /** POST .../add: the browser's answer. */
    addPasskeyPost: async (deps, request) => {
      const { form: posted, origin, cookie, language } = request;
      const words = passkeyWords[language];
      const given = { answer: posted.get("answer") ?? "", cookie: cookie("passkey"), origin };
      const { outcome } = await finishAddition(deps, ownerOf(deps, request), given);
      const cookies = { passkey: null };
      if (outcome === "added") return { to: home, notice: notice("passkey-added"), cookies };
      const message = { "not-begun": words.notBegun, refused: words.notAdded, weak: words.weak }[outcome];
      return { ...(await form(deps, request, { status: 422, message })), cookies };
    },
    /** GET .../{id}/remove */
    askToRemovePasskeyPage: async (deps, request) => {
      const words = passkeyWords[request.language];
      const { id, name } = passkeyNamed(await ownerOf(deps, request).passkeys.list(), request.params.id);
      const texts = { title: words.removeTitle(name), consequences: [words.removeText], submit: words.remove };
      return asking(request.language, { ...texts, area, action: `${path}/${id}/remove`, back: home });
    },
    /** POST .../{id}/remove */
    removePasskeyPost: async (deps, request) => {
      const owner = ownerOf(deps, request);
      const passkey = passkeyNamed(await owner.passkeys.list(), request.params.id);
      const isRemoved = await removePasskey(owner, passkey);
      return { to: home, notice: notice(isRemoved ? "passkey-removed" : "passkey-is-last") };
    },
  };
}

/** The passkey that a path names. Throws resourceMissing. */
export function passkeyNamed(passkeys: readonly ListedPasskey[], id = ""): ListedPasskey {
  const found = passkeys.find((each) => each.id === id);
  if (found === undefined) throw errors.resourceMissing("Passkey", id);
  return found;
}

function backHome({ home }: OwnPlace, language: Language): Html {
  return html`<a class="back" href="${home}#passkeys">${icon("back")}${passkeyWords[language].title}</a>`;
}

type Refusal = RefusedForm & { message?: string | null };

async function formPage(
  { config }: Deps,
  place: OwnPlace,
  owner: PasskeyOwner,
  { origin, language, form }: PageRequest | OperatorRequest,
  { status = 200, errors: messages, message = null }: Refusal,
): Promise<Shown> {
  const words = passkeyWords[language];
  const way = await wayToAdd(owner);
  const site = siteOf(config, origin);
  const main = html`${backHome(place, language)}
<header class="heading"><h1>${words.add}</h1></header>
<p>${words.about}</p>
<div role="alert">${message !== null && html`<p class="error">${message}</p>`}</div>
${
  typeof site === "string"
    ? html`<p>${words.sites[site]}</p>`
    : way === "by-password" || way === "by-session"
      ? html`<noscript><p class="error">${words.needsScript}</p></noscript>
<form class="record" method="post" action="${place.path}" novalidate>
${inputRow({ name: "name", label: words.name, hint: words.nameHint, value: form.get("name") }, messages)}
${way === "by-password" && inputRow({ name: "current", label: words.password, type: "password", autocomplete: "current-password" }, messages)}
<p><button class="main">${words.next}</button></p></form>`
      : html`<p>${{ stale: words.stale, "sso-only": words.ssoOnly, full: words.full }[way]}</p>`
}`;
  return { status, title: words.add, area: place.area, main };
}
