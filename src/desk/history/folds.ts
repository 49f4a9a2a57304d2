import { writerIn, type Wording } from "../../kit/changes/change-words.ts";
import { differencesIn } from "../../kit/changes/differences.ts";
import type { Event } from "../../kit/web/event-list.ts";
import { html, type Html } from "../../kit/web/html.ts";
import { counted, dayOf, listOf, type Language } from "../../kit/web/language.ts";
import { orderStatusWord } from "../../orders/invoices/order-words.ts";
import { isoTimestamp } from "../../platform/dates.ts";
import type { Happened } from "./happened.ts";
import { actIn } from "./history-acts.ts";
import { summaryOf, updatesOf } from "./history-lines.ts";
import type { HistoryChange } from "./history-queries.ts";
import { historyWords } from "./history-words.ts";

const HOUR_MS = 3_600_000;
/** A longer list names the first two things, and the number of the others. */
const LISTED = 3;
/** The fewest resources that make one line on a page of all companies. */
const MANY = 3;

/** The page that shows the entries. */
export type Folding = {
  wordings: (type: string) => Wording;
  /** The company of the page; null on a page of all of them. */
  within: string | null;
  language: Language;
  timeZone: string;
};

/**
 * The entries in groups. Successive changes of one person within an hour are a group, and successive changes of one
 * program on one day. On a page of all companies, a group is of one resource, or of one kind of change. Everything that
 * was said is alone, and so is every act with a sentence of its own on the page of a company.
 */
export function runsOf(entries: readonly Happened[], folding: Folding): Happened[][] {
  const runs = inRuns(entries, (first, next) => belongTogether(first, next, folding));
  return runs.flatMap((run) => {
    const resources = new Set(run.map(({ change }) => change?.resource.id)).size;
    return folding.within === null && resources < MANY ? inRuns(run, areUpdatesOfOne(folding)) : [run];
  });
}

function inRuns(entries: readonly Happened[], isOfRun: (first: Happened, next: Happened) => boolean): Happened[][] {
  const runs: Happened[][] = [];
  for (const entry of entries) {
    const [first] = runs.at(-1) ?? [];
    if (first !== undefined && isOfRun(first, entry)) runs.at(-1)?.push(entry);
    else runs.push([entry]);
  }
  return runs;
}

function areUpdatesOfOne(folding: Folding): (first: Happened, next: Happened) => boolean {
  return ({ change: first }, { change: next }) =>
    first !== null &&
    next !== null &&
    areOfOne(first, next) &&
    (isOfWorker(first) || [first, next].every((change) => actOf(change, html``, folding) === null));
}

function belongTogether(first: Happened, next: Happened, folding: Folding): boolean {
  const { within, language, timeZone } = folding;
  if (first.change === null || next.change === null) return false;
  if (first.change.changedBy !== next.change.changedBy) return false;
  if (dayOf(language, first.event.at, timeZone) !== dayOf(language, next.event.at, timeZone)) return false;
  if (isOfWorker(first.change)) return within !== null || areOfOne(first.change, next.change);
  const isOfPerson = first.change.changedBy.startsWith("user:");
  if (isOfPerson && millis(first) - millis(next) > HOUR_MS) return false;
  const acts = [first.change, next.change].map((change) => actOf(change, html``, folding));
  if (acts.every((act) => act === null)) {
    return within !== null || areOfOne(first.change, next.change) || areAlike(first.change, next.change);
  }
  // Acts are alike if their sentences are, without their resources.
  return within === null && areAlike(first.change, next.change) && String(acts[0]) === String(acts[1]);
}

/** A created resource keeps its own line. */
function areOfOne(...changes: [HistoryChange, HistoryChange]): boolean {
  const [first, next] = changes;
  return first.type === next.type && first.resource.id === next.resource.id && changes.every(isUpdate);
}

function areAlike(first: HistoryChange, next: HistoryChange): boolean {
  return first.type === next.type && first.action === next.action && first.type in historyWords.en.counts;
}

function isUpdate({ action }: HistoryChange): boolean {
  return action === "updated";
}

function actOf(change: HistoryChange, resource: Html, { wordings, language, timeZone }: Folding): Html | null {
  const who = html`<strong>${writerIn(language, change.changedBy, change.writerName)}</strong>`;
  return actIn(change, { who, resource, ...wordings(change.type), language, timeZone });
}

function isOfWorker({ changedBy }: HistoryChange): boolean {
  return changedBy === "worker";
}

function millis({ event }: Happened): number {
  return Date.parse(isoTimestamp(event.at));
}

/** A group as one entry, with its changes behind it. */
export function foldedEvent(run: readonly Happened[], folding: Folding): Event[] {
  const changes = run.flatMap(({ change }) => change ?? []);
  const [latest] = run;
  if (latest === undefined || changes.length < 2) return run.map(({ event }) => event);
  const summary = changes.every(isOfWorker) ? newsOf(changes, folding) : deedsOf(changes, folding);
  const content = html`<details class="folded"><summary>${summary}</summary>
<ul>${run.map(({ event }) => html`<li>${event.content}</li>`)}</ul></details>`;
  return [{ at: latest.event.at, content }];
}

/** "Shipped: INV-3, INV-4 · 5 changes" */
function newsOf(changes: readonly HistoryChange[], { language }: Folding): string {
  const latest = new Map<string, string>();
  for (const { changed, resource } of changes) {
    const name = resource.name ?? "";
    const status = differencesIn(changed).find(({ field }) => field === "wms_status")?.to;
    if (!latest.has(name) && typeof status === "string") latest.set(name, orderStatusWord(status, language));
  }
  const byStatus = Map.groupBy(latest, ([, status]) => status);
  const lines = [...byStatus].map(([status, invoices]) => `${status}: ${invoices.map(([name]) => name).join(", ")}`);
  return [...lines, counted(language, changes.length, historyWords[language].changes)].join(" · ");
}

/** "Ana Pop connected 12 companies to sud", "Ana Pop changed 3 contacts: Ion Marin, Dan Rus and Ana Luca" */
function alikeOf(changes: readonly HistoryChange[], folding: Folding): Html | null {
  const [first] = changes;
  const resources = new Map(changes.map(({ resource: { id, name } }) => [id, name ?? `#${id}`]));
  if (first === undefined || resources.size < 2) return null;
  const { counts } = historyWords[folding.language];
  const { verb } = summaryOf(first, folding.wordings(first.type), null);
  const things = counted(folding.language, resources.size, counts[first.type as keyof typeof counts]);
  const who = writerIn(folding.language, first.changedBy, first.writerName);
  const names = listOf(folding.language, [...resources.values()], LISTED);
  return actOf(first, html`${things}`, folding) ?? html`<strong>${who}</strong> ${verb} ${things}: ${names}`;
}

/** "Ana Pop changed owner, city and 3 more" */
function deedsOf(changes: readonly HistoryChange[], folding: Folding): Html {
  const { wordings, within, language } = folding;
  const [{ changedBy, writerName, type } = { changedBy: null, writerName: null, type: "" }] = changes;
  const who = html`<strong>${writerIn(language, changedBy, writerName)}</strong>`;
  if (within === null) return alikeOf(changes, folding) ?? html`${who} ${updatesOf(changes, wordings(type))}`;
  const deeds = new Map<string, Set<string>>();
  for (const change of changes) {
    const { verb, items } = summaryOf(change, wordings(change.type), within);
    const known = deeds.get(verb) ?? new Set();
    for (const item of items) known.add(item);
    deeds.set(verb, known);
  }
  const parts = [...deeds].flatMap(([verb, items]) =>
    [...items].map((item, index) => (index === 0 ? `${verb} ${item}` : item)),
  );
  return html`${who} ${listOf(language, parts, LISTED)}`;
}
