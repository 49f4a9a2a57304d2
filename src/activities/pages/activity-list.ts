import { writerIn } from "../../changes/change-words.ts";
import { changedBy } from "../../platform/fields/writer.ts";
import type { Event } from "../../web/event-list.ts";
import { html } from "../../web/html.ts";
import type { PageRequest } from "../../web/page.ts";
import type { Activity } from "../activity-queries.ts";
import { activityWords } from "../activity-words.ts";

/** An activity among what happened: who, and what was said; also with whom, where it is of a whole company. */
export function activityEvent(
  { id, kind, at, note, changedBy: by, writerName, contact }: Activity,
  { language, actor }: PageRequest,
  withContact: boolean,
): Event {
  const words = activityWords[language];
  const verb = words.verbs[kind];
  const named = withContact ? contact : null;
  const content = html`<strong>${writerIn(language, by, writerName)}</strong>
${
  named === null
    ? verb.alone
    : html`${verb.with} ${named.isLive ? html`<a href="/contacts/${named.id}">${named.name}</a>` : named.name}`
}
${by === changedBy(actor) && html`<a class="mend" href="/activities/${id}">${words.mend}</a>`}
${note !== null && html`<span class="said">${note}</span>`}`;
  return { at, content };
}
