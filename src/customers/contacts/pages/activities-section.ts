import { eventList } from "../../../kit/web/event-list.ts";
import { html } from "../../../kit/web/html.ts";
import { momentBefore, momentText } from "../../../platform/http/lists/moment-cursor.ts";
import { readActivities } from "../../activities/activity-queries.ts";
import { activityWords } from "../../activities/activity-words.ts";
import { activityEvent } from "../../activities/pages/activity-list.ts";
import { composer, type RefusedActivity } from "../../activities/pages/composer.ts";
import type { ChildNoun } from "../../company-children/pages/noun.ts";

const SHOWN = 20;

/** The activities with a contact, newest first, and the form that adds to them. */
export function activitiesSection(refused: RefusedActivity | null): NonNullable<ChildNoun["sections"]> {
  return async ({ database }, request, { id }) => {
    const { actor, language, query } = request;
    const words = activityWords[language];
    const before = momentBefore(query.get("before"));
    const whose = { of: { contact_id: String(id) }, kind: null, by: null, from: null, to: null, timeZone: "UTC" };
    const { rows: shown, next } = await readActivities(actor.tenant, database, whose, { before, limit: SHOWN });
    const action = `/contacts/${id}/activities`;
    return html`<section class="section" id="activities">
<header><h2>${words.title}</h2></header>
<div class="log" tabindex="-1">${composer({ action, contacts: [], refused, swaps: "activities notice", timeZone: request.session.workspace.timeZone, language })}</div>
${shown.length === 0 && html`<p class="empty">${words.none}</p>`}
${eventList(
  shown.map((each) => activityEvent(each, request, { withContact: false, within: each.companyId })),
  request,
  "h3",
)}
${next !== null && html`<p><a href="?before=${momentText(next)}">${words.older}</a></p>`}
</section>`;
  };
}
