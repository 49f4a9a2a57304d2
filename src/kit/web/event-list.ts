import { now } from "../../platform/clock.ts";
import { isoTimestamp } from "../../platform/dates.ts";
import { html, type Html } from "./html.ts";
import { dayOf, moment, timeOf } from "./language.ts";
import type { PageRequest } from "./page.ts";
import { shellWords } from "./shell-words.ts";

/** An event; `at` is PostgreSQL's text. */
export type Event = { at: string; content: Html };

/** On the paper of a company, older events are left out (print.css). */
const PRINTED_MS = 30 * 86_400_000;

/** The events in order, under headings with their days. @param level of these headings */
export function eventList(
  events: readonly Event[],
  { language, session }: Pick<PageRequest, "language" | "session">,
  level: "h2" | "h3" = "h2",
): Html[] {
  const { timeZone } = session.workspace;
  const today = dayOf(language, new Date(now()).toISOString(), timeZone);
  return [...Map.groupBy(events, ({ at }) => dayOf(language, at, timeZone))].map(([day, ofDay]) => {
    const heading = day === today ? shellWords[language].today : day;
    const isOld = ofDay.every(({ at }) => now() - Date.parse(isoTimestamp(at)) > PRINTED_MS);
    const shown = html`${level === "h2" ? html`<h2 class="day">${heading}</h2>` : html`<h3 class="day">${heading}</h3>`}
<ul class="events">${ofDay.map(
      ({
        at,
        content,
      }) => html`<li><time datetime="${isoTimestamp(at)}" title="${moment(language, at, timeZone)}">${timeOf(language, at, timeZone)}</time>
<div>${content}</div></li>`,
    )}</ul>`;
    return isOld ? html`<div class="old">${shown}</div>` : shown;
  });
}
