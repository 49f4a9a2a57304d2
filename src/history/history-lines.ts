import { writerIn, type Telling } from "../changes/change-words.ts";
import { differencesIn, type Difference } from "../changes/differences.ts";
import { shortened } from "../platform/text.ts";
import type { Event } from "../web/event-list.ts";
import { html, type Content, type Html } from "../web/html.ts";
import type { HistoryChange, Named } from "./history-queries.ts";
import { historyWords } from "./history-words.ts";

/** Longer values are cut, and link to the whole text. */
const SHORT = 80;
/** Values that a creation shows without unfolding. */
const FEW = 3;

/**
 * A change as an entry: its author, its resource, and each value before and after.
 * @param within the company of the page, whose name is then left out
 */
export function historyEvent(change: HistoryChange, telling: Telling, within: string | null): Event {
  const { id, at, type, action, changed, changedBy, writerName, resource, company } = change;
  const { language } = telling;
  const words = historyWords[language];
  const isOwn = type === "company" || type === "connection" || company?.id === within;
  const other = isOwn ? null : company;
  const content = html`<strong>${writerIn(language, changedBy, writerName)}</strong> ${word(words.verbs, action)} ${word(words.nouns, type)}
${link(pathOf(type, resource.id), resource)}${other && html` ${words.of} ${link(`/companies/${other.id}`, other)}`}
${
  changed === null
    ? html`<p><a href="/history/${id}">${words.long}</a></p>`
    : differenceList(differencesIn(changed), action, telling)
}`;
  return { at, content };
}

/** Each field with its values. */
export function differenceList(differences: readonly Difference[], action: string, telling: Telling): Html | null {
  if (differences.length === 0) return null;
  const list = html`<ul class="differences">${differences.map((each) => html`<li>${difference(each, action, telling)}</li>`)}</ul>`;
  if (action !== "created" || differences.length <= FEW) return list;
  return html`<details><summary>${historyWords[telling.language].fields(differences.length)}</summary>${list}</details>`;
}

function difference({ field, from, to, isSecret }: Difference, action: string, telling: Telling): Html {
  const label = html`<span class="label">${telling.labels[field] ?? field.replaceAll("_", " ")}:</span>`;
  if (isSecret) return html`${label} ${historyWords[telling.language].secret}`;
  if (action === "created") return html`${label} ${value(field, to, telling)}`;
  return html`${label} <span class="before">${value(field, from, telling)}</span> → ${value(field, to, telling)}`;
}

function value(field: string, stored: unknown, telling: Telling): Content {
  if (stored === null || stored === undefined) return "—";
  const text = telling.value(field, typeof stored === "string" ? stored : JSON.stringify(stored));
  const short = shortened(text, SHORT);
  if (short === text) return text;
  return html`<details class="long"><summary title="${historyWords[telling.language].whole}">${short}</summary><span class="said">${text}</span></details>`;
}

/** The resource's current name, as a link if it still exists. */
function link(path: string | null, { id, name, isLive }: Named): Content {
  const called = name ?? `#${id}`;
  return isLive && name !== null && path !== null ? html`<a href="${path}">${called}</a>` : called;
}

/** Null for a type without a page that every member may see. */
function pathOf(type: string, id: string): string | null {
  if (type === "connection") return `/companies/${id}/warehouse`;
  const folder = folders[type];
  return folder === undefined ? null : `/${folder}/${id}`;
}

const folders: Readonly<Record<string, string>> = {
  company: "companies",
  contact: "contacts",
  address: "addresses",
  invoice: "invoices",
};

function word(words: Readonly<Record<string, string>>, name: string): string {
  return words[name] ?? name;
}
