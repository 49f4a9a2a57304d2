import { listActivities } from "../../activities/activity-queries.ts";
import { activityWords } from "../../activities/activity-words.ts";
import { activityEvent } from "../../activities/pages/activity-list.ts";
import { composer, type RefusedActivity } from "../../activities/pages/composer.ts";
import type { ChildNoun } from "../../company-children/pages/noun.ts";
import { momentBefore, momentText } from "../../platform/http/lists/moment-cursor.ts";
import { eventList } from "../../web/event-list.ts";
import { html } from "../../web/html.ts";

const SHOWN = 20;

/** The activities with a contact, newest first, and the form that adds to them. */
export function activitiesSection(refused: RefusedActivity | null): NonNullable<ChildNoun["sections"]> {
  return async ({ database }, request, { id }) => {
    const { actor, language, query } = request;
    const words = activityWords[language];
    const before = momentBefore(query.get("before"));
    const found = await listActivities(actor.tenant, database, { of: "contact", id: String(id) }, before, SHOWN + 1);
    const shown = found.slice(0, SHOWN);
    const last = found.length > SHOWN ? shown.at(-1) : undefined;
    const action = `/contacts/${id}/activities`;
    return html`<section class="section" id="activities">
<header><h2>${words.title}</h2></header>
${composer({ action, contacts: [], refused, swaps: "activities notice", language })}
${shown.length === 0 && html`<p class="empty">${words.none}</p>`}
${eventList(
  shown.map((each) => activityEvent(each, request, false)),
  request,
  "h3",
)}
${last !== undefined && html`<p><a href="?before=${momentText(last)}">${words.older}</a></p>`}
</section>`;
  };
}
