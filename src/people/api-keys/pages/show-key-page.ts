import type { Deps } from "../../../kit/deps.ts";
import { found } from "../../../kit/endpoint.ts";
import { act, acts, asking, askingAct, dangers } from "../../../kit/web/asking.ts";
import { inputRow } from "../../../kit/web/forms/input-row.ts";
import { onceField } from "../../../kit/web/forms/once.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import { icon } from "../../../kit/web/icon.ts";
import { dayOf, moment, wholeNumber, type Language } from "../../../kit/web/language.ts";
import type { FieldMessages } from "../../../kit/web/messages.ts";
import { notice } from "../../../kit/web/notice.ts";
import type { Page, PageRequest, Shown } from "../../../kit/web/page.ts";
import { changedBy } from "../../../platform/fields/writer.ts";
import { composed, trim } from "../../../platform/text.ts";
import { findApiKey, renameApiKey, revokeApiKey, type ListedKey } from "../api-key-queries.ts";
import { assistantWords } from "../assistant-words.ts";
import { areaOf, capabilities as allCapabilities, isCapability, withImplied, type Capability } from "../capability.ts";
import { createSuccessor, keyCreatedMails } from "../create-api-key.ts";
import { areaWords, capabilityWords, keyWords, verbIn } from "../key-words.ts";
import { isActive, keyState, lastUse } from "./key-state.ts";
import { isNameOfKey } from "./new-key-page.ts";
import { tokenPage } from "./token-page.ts";

/** GET /keys/{id} */
export const showKeyPage: Page = async (deps, request) => page(request, await keyOf(deps, request), {});

/** POST /keys/{id}: another name. */
export const renameKeyPage: Page = async (deps, request) => {
  const { actor, form, language } = request;
  const key = await keyOf(deps, request);
  const name = composed(trim(form.get("name") ?? "")) ?? "";
  if (!isNameOfKey(name)) return page(request, key, { name: [keyWords[language].needsName] });
  const isRenamed = await renameApiKey(actor.tenant, deps.database, String(key.id), name, changedBy(actor));
  // It may have been revoked since the page was opened: then its name stays.
  if (!isRenamed && name !== key.name) return { to: `/keys/${key.id}` };
  return { to: `/keys/${key.id}`, notice: notice("key-renamed") };
};

function page({ form, language, session }: PageRequest, key: ListedKey, errors: FieldMessages): Shown {
  const words = keyWords[language];
  const { timeZone } = session.workspace;
  const main = html`<a class="back" href="/keys">${icon("back")}${words.title}</a>
<header class="heading"><h1>${key.name}</h1>${keyState(key, language, timeZone)}</header>
<dl class="facts">
<dt>${words.key}</dt><dd class="code">${key.prefix}…${key.last4}</dd>
<dt>${words.lastUsed}</dt><dd>${lastUse(key, language, timeZone)}</dd>
<dt>${words.requests}</dt><dd>${wholeNumber(language, key.requests)}</dd>
<dt>${words.created}</dt><dd>${moment(language, key.createdAt, timeZone)}</dd>
<dt>${words.expires}</dt><dd>${expiry(key, language, timeZone)}</dd>
<dt>${words.networks}</dt><dd>${key.allowIp.length === 0 ? words.anywhere : key.allowIp.join(", ")}</dd>
<dt>${words.rate}</dt><dd>${rate(key, language)}</dd>
${key.confirmsOnPage && html`<dt>${assistantWords[language].onPage}</dt><dd><a href="/agents/pending">${assistantWords[language].waiting}</a></dd>`}
<dt>${words.capabilities}</dt><dd>${capabilities(key, language)}</dd>
</dl>
${isActive(key) && actions(key, form.get("name") ?? key.name, errors, language)}`;
  return { status: errors.name === undefined ? 200 : 422, title: key.name, area: "keys", main };
}

/** GET /keys/{id}/revoke: who would be refused. */
export const askToRevokePage: Page = async (deps, request) => {
  const { language, session } = request;
  const key = await keyOf(deps, request);
  const { id, name, recentlyUsed, requests } = key;
  if (!isActive(key)) return { to: `/keys/${id}` };
  const words = keyWords[language];
  return asking(language, {
    title: words.revokeTitle(name),
    area: "keys",
    consequences: [
      words.revokeText,
      words.recentUses(recentlyUsed.length, withImplied(key.capabilities).size),
      html`${words.requests}: ${wholeNumber(language, requests)}`,
      html`${words.lastUsed}: ${lastUse(key, language, session.workspace.timeZone)}`,
    ],
    action: `/keys/${id}/revoke`,
    submit: words.revoke,
    back: `/keys/${id}`,
  });
};

/** POST /keys/{id}/revoke */
export const revokeKeyPage: Page = async (deps, request) => {
  const { id } = await keyOf(deps, request);
  await revokeApiKey(request.actor.tenant, deps.database, String(id), changedBy(request.actor));
  return { to: "/keys", notice: notice("key-revoked") };
};

/** POST /keys/{id}/reroll: a new key that may do the same; the old one goes on for a day. */
export const rerollKeyPage: Page = async (deps, request) => {
  const { actor, session } = request;
  const key = await keyOf(deps, request);
  const { id, name, capabilities, allowIp, rate, expiresAt, confirmsOnPage } = key;
  const successor = { name, capabilities: capabilities.filter(isCapability), allowIp, rate, expiresAt, confirmsOnPage };
  const { slug } = session.workspace;
  const mails = keyCreatedMails(deps, actor.tenant, name, { name: session.user.name });
  const replaced = { id: String(id), by: changedBy(actor) };
  const maker = session.user.id;
  const token = await createSuccessor(actor.tenant, deps.database, slug, replaced, successor, maker, mails);
  // It may have been revoked or replaced since the page was opened: then it has no successor, or one already.
  if (token === null) return { to: `/keys/${id}` };
  return await tokenPage(deps, successor, token, request);
};

/** The key that the path names. Throws resourceMissing. */
async function keyOf({ database }: Deps, request: PageRequest): Promise<ListedKey> {
  return await found("Key", request, async (id) => await findApiKey(request.actor.tenant, database, id));
}

/** A replaced key ends at an hour, others at the end of a day. */
function expiry({ expiresAt, replacedAt }: ListedKey, language: Language, timeZone: string): string | Html {
  if (expiresAt === null) return keyWords[language].noEnd;
  return replacedAt === null ? dayOf(language, expiresAt, timeZone) : moment(language, expiresAt, timeZone);
}

function rate({ rate }: ListedKey, language: Language): string {
  const words = keyWords[language];
  if (rate === null) return words.usualRate;
  return rate === 0 ? words.noLimit : wholeNumber(language, rate);
}

function capabilities({ capabilities, recentlyUsed }: ListedKey, language: Language): Html {
  const words = keyWords[language];
  const implied = withImplied(capabilities);
  const granted = allCapabilities.filter((name) => implied.has(name));
  const [used, all] = [recentlyUsed.length, granted.length].map((count) => wholeNumber(language, count));
  const verb = (name: Capability) =>
    html`<span title="${capabilityWords[language][name]}">${verbIn(language, name)}</span>${recentlyUsed.length > 0 && !recentlyUsed.includes(name) && html` <span class="muted">(${words.unused})</span>`}`;
  return html`<ul>${[...Map.groupBy(granted, areaOf)].map(
    ([area, ofArea]) =>
      html`<li>${areaWords[language][area]}: ${ofArea.map((name, index) => html`${index > 0 && ", "}${verb(name)}`)}</li>`,
  )}</ul><p class="hint">${words.used(used ?? "", all ?? "")}</p>`;
}

function actions({ id, replacedAt }: ListedKey, value: string, errors: FieldMessages, language: Language): Html {
  const words = keyWords[language];
  const reroll = html`<form method="post" action="/keys/${id}/reroll">${onceField()}<button>${words.reroll}</button></form>`;
  return html`<section class="section"><form class="record" method="post" action="/keys/${id}" novalidate>
${inputRow({ name: "name", label: words.name, hint: words.nameHint, value }, errors)}<p><button>${words.rename}</button></p></form></section>
${acts([replacedAt === null && act(words.reroll, words.rerollText, reroll)])}
${dangers(language, [askingAct(`/keys/${id}/revoke`, words.revoke, words.revokeText)])}`;
}
