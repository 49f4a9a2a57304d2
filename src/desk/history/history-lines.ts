import { writerIn, type Wording } from "../../kit/changes/change-words.ts";
import { differencesIn, type Difference } from "../../kit/changes/differences.ts";
import type { Event } from "../../kit/web/event-list.ts";
import { html, type Content, type Html } from "../../kit/web/html.ts";
import { listOf } from "../../kit/web/language.ts";
import { countWithinRoom } from "../../kit/web/page-room.ts";
import { shortened } from "../../platform/text.ts";
import { actIn } from "./history-acts.ts";
import type { HistoryChange, Named } from "./history-queries.ts";
import { historyWords } from "./history-words.ts";

/** Longer values are cut, and link to the whole text. */
const SHORT = 80;
/** A longer list of fields names the first two, and the number of the others. */
const LISTED = 3;

/** `whole` is the address of all values of a change whose page has no room for them. */
type Lines = Wording & { whole?: string | null };

/** The changes of a page. The values of a brief one are behind a link, because the page has no room for them. */
export function valuesWithinRoom(changes: readonly HistoryChange[]): HistoryChange[] {
  const fitting = countWithinRoom(changes, ({ changed }) => changed?.length ?? 0);
  return changes.map((change, index) => ({ ...change, isBrief: index >= fitting }));
}

/**
 * A change as an entry: a sentence with its author and its resource.
 * @param within the company of the page, whose name is then left out
 */
export function historyEvent(change: HistoryChange, wording: Wording, within: string | null): Event {
  const { id, at, changedBy, writerName, currency, isBrief = false } = change;
  const whole = isBrief ? `/history/${id}` : null;
  const who = html`<strong>${writerIn(wording.language, changedBy, writerName)}</strong>`;
  const resource = resourceLink(change, wording, within);
  const content =
    actIn(change, { who, resource, ...wording }) ?? plain(change, { ...wording, currency, whole }, who, within);
  return { at, content };
}

/** A change without a sentence of its own. */
function plain(change: HistoryChange, wording: Lines, who: Html, within: string | null): Html {
  const { id, action, changed } = change;
  const words = historyWords[wording.language];
  const differences = differencesIn(changed);
  const verb = word(words.verbs, action);
  const noun = namedResource(change, wording, within);
  if (changed === null) return html`${who} ${verb} ${noun} <a href="/history/${id}">${words.long}</a>`;
  if (differences.length === 0) return html`${who} ${verb} ${noun}`;
  if (action !== "updated") {
    const label = words.fields(differences.length);
    return html`${who} ${verb} ${noun} ${unfolding(label, differences, action, wording)}`;
  }
  const isOwn = isOfPage(change, within);
  const [only] = differences;
  if (differences.length === 1 && only !== undefined) {
    return isOwn
      ? html`${who} ${ownPhrase(only, wording)}`
      : html`${who} ${verb} ${noun}: ${phrase(only, labelOf(only.field, wording), action, wording)}`;
  }
  const fields = listOf(
    wording.language,
    differences.map(({ field }) => labelOf(field, wording)),
    LISTED,
  );
  const list = unfolding(fields, differences, action, wording);
  return isOwn ? html`${who} ${verb} ${list}` : html`${who} ${verb} ${noun}: ${list}`;
}

function unfolding(summary: Content, differences: readonly Difference[], action: string, wording: Lines): Html {
  if (wording.whole) return html`<a href="${wording.whole}">${summary}</a>`;
  return html`<details class="long"><summary>${summary}</summary>${differenceList(differences, action, wording)}</details>`;
}

/** Each field with its values. */
export function differenceList(differences: readonly Difference[], action: string, wording: Wording): Html | null {
  if (differences.length === 0) return null;
  return html`<ul class="differences">${differences.map((each) => html`<li>${phrase(each, capitalLabel(each.field, wording), action, wording)}</li>`)}</ul>`;
}

/** "City from Turda to Cluj", in a list or behind the name of its resource. */
function phrase(difference: Difference, called: string, action: string, wording: Lines): Html {
  const { field, from, to, isSecret } = difference;
  const words = historyWords[wording.language];
  const [before, after] = [value(field, from, wording), value(field, to, wording)];
  if (isSecret || action === "created" || before === null) {
    return html`<span class="label">${called}:</span> ${isSecret ? words.secret : (after ?? "—")}`;
  }
  const label = html`<span class="label">${called}</span>`;
  return after === null ? words.phrases.removed(label, before) : words.phrases.changed(label, before, after);
}

/** "changed city from Turda to Cluj", about the page's own company. */
function ownPhrase({ field, from, to, isSecret }: Difference, wording: Lines): Html {
  const words = historyWords[wording.language];
  const called = labelOf(field, wording);
  if (isSecret) return html`${words.verbs.updated} <span class="label">${called}:</span> ${words.secret}`;
  const label = html`<span class="label">${called}</span>`;
  const [before, after] = [value(field, from, wording), value(field, to, wording)];
  if (after === null) return words.ownPhrases.removed(label, before);
  return before === null ? words.ownPhrases.set(label, after) : words.ownPhrases.changed(label, before, after);
}

/** The name of a field within a sentence. Abbreviations keep their capitals. */
function labelOf(field: string, wording: Wording): string {
  const label = capitalLabel(field, wording);
  return /^\p{Lu}[\p{Ll}\s-]/u.test(label) ? label.slice(0, 1).toLowerCase() + label.slice(1) : label;
}

function capitalLabel(field: string, { labels }: Wording): string {
  const [, source] = /^external\.(.+)$/.exec(field) ?? [];
  if (source !== undefined && labels.external !== undefined) return `${labels.external} (${source})`;
  return labels[field] ?? field.replaceAll("_", " ");
}

function value(field: string, stored: unknown, wording: Lines): Html | null {
  if (stored === null || stored === undefined) return null;
  const text = namedIn(stored) ?? wording.value(field, textIn(stored), wording.currency);
  const short = shortened(text, SHORT);
  if (short === text) return html`${text}`;
  if (wording.whole)
    return html`<a href="${wording.whole}" title="${historyWords[wording.language].whole}">${short}</a>`;
  return html`<details class="long"><summary title="${historyWords[wording.language].whole}">${short}</summary><span class="said">${text}</span></details>`;
}

function textIn(stored: unknown): string {
  return typeof stored === "string" ? stored : JSON.stringify(stored);
}

/** The name of another company, which a merge has in its change beside its id. */
function namedIn(stored: unknown): string | null {
  return typeof stored === "object" && stored !== null && "name" in stored ? String(stored.name) : null;
}

/** Whether a change is of the page's own company. */
export function isOfPage({ type, resource }: HistoryChange, within: string | null): boolean {
  return type === "company" && resource.id === within;
}

/** "the contact Ion Marin of Acme"; of the page's own company "the company". */
function namedResource(change: HistoryChange, { language }: Wording, within: string | null): Html {
  const { type, resource, company } = change;
  const words = historyWords[language];
  if (isOfPage(change, within)) return html`${words.thisCompany}`;
  const isOwn = ["company", "connection", "planned_call"].includes(type) || company?.id === within;
  const other = isOwn ? null : company;
  return html`${word(words.nouns, type)} ${link(pathOf(type, resource.id), resource)}${other && html` ${words.of} ${link(`/companies/${other.id}`, other)}`}`;
}

/** The resource's current name; of the page's own company "the company". */
function resourceLink({ type, resource, company }: HistoryChange, { language }: Wording, within: string | null): Html {
  if (type === "company" && resource.id === within) return html`${historyWords[language].thisCompany}`;
  const ofCompany = type === "planned_call" ? company?.id : type === "connection" ? resource.id : undefined;
  if (ofCompany !== undefined && ofCompany === within) return html`${historyWords[language].thisCompany}`;
  const path = ofCompany === undefined ? pathOf(type, resource.id) : `/companies/${ofCompany}`;
  return html`${link(path, resource)}`;
}

/** A change as a part of a longer sentence: its verb, and what was changed. */
export function summaryOf(
  change: HistoryChange,
  wording: Wording,
  within: string | null,
): { verb: string; items: string[] } {
  const { type, action, changed, resource } = change;
  const words = historyWords[wording.language];
  const verb = word(words.verbs, action);
  if (action === "updated" && isOfPage(change, within) && changed !== null) {
    return { verb, items: differencesIn(changed).map(({ field }) => labelOf(field, wording)) };
  }
  if (isOfPage(change, within)) return { verb, items: [words.thisCompany] };
  const name = resource.name ?? `#${resource.id}`;
  return { verb, items: [`${word(words.nouns, type)} ${name}`] };
}

/** Updates of one resource: "changed the contact Ion Marin of Acme: phone, e-mail and 2 more". */
export function updatesOf(changes: readonly HistoryChange[], wording: Wording): string {
  const words = historyWords[wording.language];
  const [{ type, resource, company } = { type: "", resource: null, company: null }] = changes;
  const fields = new Set(
    changes.flatMap(({ changed }) => differencesIn(changed).map(({ field }) => labelOf(field, wording))),
  );
  const of =
    type === "company" || type === "connection" || !company ? "" : ` ${words.of} ${company.name ?? `#${company.id}`}`;
  const noun = `${word(words.nouns, type)} ${resource?.name ?? `#${resource?.id}`}${of}`;
  return `${word(words.verbs, "updated")} ${noun}: ${listOf(wording.language, [...fields], LISTED)}`;
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
  payment: "invoices",
  planned_call: "calls",
};

function word(words: Readonly<Record<string, string>>, name: string): string {
  return words[name] ?? name;
}
