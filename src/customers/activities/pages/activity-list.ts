import { writerIn } from "../../../kit/changes/change-words.ts";
import type { Event } from "../../../kit/web/event-list.ts";
import { html, type Html } from "../../../kit/web/html.ts";
import { icon } from "../../../kit/web/icon.ts";
import { initials } from "../../../kit/web/initials.ts";
import { day, type Language } from "../../../kit/web/language.ts";
import type { PageRequest } from "../../../kit/web/page.ts";
import { changedBy } from "../../../platform/fields/writer.ts";
import type { Activity } from "../activity-queries.ts";
import { activityWords } from "../activity-words.ts";
import type { ActivityKind } from "../activity.ts";

/** Icons of kinds; the sentence names the kind too. */
const ICONS = {
  note: "note",
  call: "phone",
  call_in: "phone",
  email: "email",
  meeting: "users",
} as const satisfies Record<ActivityKind, unknown>;

/**
 * An activity as an event: its author, its note, and the day to call again.
 * @param where `withContact`: whether the contact is named; `within`: the company of the page, which is not named
 */
export function activityEvent(
  activity: Activity,
  { language, actor }: PageRequest,
  { withContact, within }: { withContact: boolean; within: string | null },
): Event {
  const { id, kind, at, note, changedBy: by, writerName, contact, callbackDate } = activity;
  const words = activityWords[language];
  const verb = words.verbs[kind];
  const named = withContact ? contact : null;
  const author = writerIn(language, by, writerName);
  const content = html`${icon(ICONS[kind])}${by?.startsWith("user:") && initials(author)} <strong class="who">${author}</strong>
${
  named === null
    ? verb.alone
    : html`${verb.with} ${named.isLive ? html`<a href="/contacts/${named.id}">${named.name}</a>` : named.name}`
}
${activity.companyId !== within && companyOf(activity, named === null ? kind : "meeting", language)}
${by === changedBy(actor) && html`<a class="mend" href="/activities/${id}">${words.mend}</a>`}
${note !== null && html`<span class="said">${note}</span>`}
${callbackDate !== null && html`<span class="next">${words.nextCall(day(language, callbackDate))}</span>`}`;
  return { at, content };
}

function companyOf({ companyId, companyName, isCompanyLive }: Activity, kind: ActivityKind, language: Language): Html {
  const name = isCompanyLive ? html`<a href="/companies/${companyId}">${companyName}</a>` : companyName;
  return html`${activityWords[language].at[kind]} ${name}`;
}
