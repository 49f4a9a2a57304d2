import type { Deps } from "../../kit/deps.ts";
import { html, type Html } from "../../kit/web/html.ts";
import { notice } from "../../kit/web/notice.ts";
import type { OpenPage, Page, PageRequest, Shown, VisitorRequest } from "../../kit/web/page.ts";
import { hasDigest, subscribe, unsubscribe } from "./digest-queries.ts";
import { digestWords } from "./digest-words.ts";
import { subscriberOf } from "./unsubscribe.ts";

/** The part of the profile about the daily mail; none where mail is not configured, and none for operators. */
export async function digestSection(
  { config, database }: Deps,
  { actor, session, language }: PageRequest,
): Promise<Html | null> {
  if (config.mail === null || session.user.role === "operator") return null;
  const words = digestWords[language];
  const isOn = await hasDigest(actor.tenant, database, session.user.id);
  return html`<section class="section"><header><h2>${words.title}</h2></header>
<p>${words.about(session.workspace.timeZone)}</p>
<form method="post" action="/profile/digest"><p class="actions"><button name="on" value="${isOn ? "no" : "yes"}">${isOn ? words.stop : words.start}</button></p></form>
</section>`;
}

/** POST /profile/digest: `on` is yes or no. */
export const digestPost: Page = async ({ database }, { actor, session, form }) => {
  const isOn = form.get("on") === "yes";
  await (isOn ? subscribe : unsubscribe)(actor.tenant, database, session.user.id);
  return { to: "/profile", notice: notice(isOn ? "digest-started" : "digest-stopped") };
};

/** GET /digest/unsubscribe: only asks, because mail scanners open every link. */
export const unsubscribePage: OpenPage = async ({ keyring }, request) => {
  const { address, query, language } = request;
  if (subscriberOf(keyring, query.get("of") ?? "") === null) return gonePage(request);
  const words = digestWords[language];
  const main = html`<section class="message"><h1>${words.askTitle}</h1>
<p>${words.ask}</p>
<form method="post" action="${address}"><p class="actions"><button class="main">${words.stop}</button></p></form></section>`;
  return { title: words.askTitle, area: null, main };
};

/** POST /digest/unsubscribe: from that page, or from a mail service (RFC 8058), which has no session and no origin. */
export const unsubscribePost: OpenPage = async ({ database, keyring }, request) => {
  const subscriber = subscriberOf(keyring, request.query.get("of") ?? "");
  if (subscriber === null) return gonePage(request);
  await unsubscribe(subscriber.tenant, database, subscriber.user);
  const { title, stopped } = digestWords[request.language];
  return { title, area: null, main: html`<section class="message"><h1>${title}</h1><p>${stopped}</p></section>` };
};

function gonePage({ language }: VisitorRequest): Shown {
  const words = digestWords[language];
  const main = html`<section class="message"><h1>${words.goneTitle}</h1><p>${words.gone}</p>
<p><a class="button main" href="/sign-in">${words.signIn}</a></p></section>`;
  return { status: 404, title: words.goneTitle, area: null, main };
}
