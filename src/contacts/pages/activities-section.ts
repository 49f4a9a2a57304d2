import { activitiesOfContact } from "../../activities/activity-queries.ts";
import { activityWords } from "../../activities/activity-words.ts";
import { activityLine } from "../../activities/pages/activity-list.ts";
import { logForm, type Refused } from "../../activities/pages/log-form.ts";
import type { ChildNoun } from "../../company-children/pages/noun.ts";
import { momentBefore, momentText } from "../../platform/http/moment-cursor.ts";
import { html } from "../../web/html.ts";

const SHOWN = 20;

/** The activities with a contact, newest first, and the form that adds to them. */
export function activitiesSection(refused: Refused | null): NonNullable<ChildNoun["sections"]> {
  return async ({ database }, { actor, language, query, session }, { id }) => {
    const contactId = String(id);
    const words = activityWords[language];
    const { timeZone } = session.workspace;
    const before = momentBefore(query.get("before"));
    const found = await activitiesOfContact(actor.tenant, database, contactId, before, SHOWN + 1);
    const shown = found.slice(0, SHOWN);
    const last = found.length > SHOWN ? shown.at(-1) : undefined;
    return html`<section class="section" id="activities">
<header><h2>${words.title}</h2>${logForm({ contactId, back: `/contacts/${contactId}`, refused }, language)}</header>
${shown.length === 0 && html`<p class="empty">${words.none}</p>`}
<ul class="events">${shown.map((each) => activityLine(each, { language, timeZone, withContact: false }))}</ul>
${last !== undefined && html`<p><a href="?before=${momentText(last)}">${words.older}</a></p>`}
</section>`;
  };
}
