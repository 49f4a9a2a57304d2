import { activityLabels, activityWords } from "../../customers/activities/activity-words.ts";
import { phoneLink } from "../../kit/web/contact-links.ts";
import { onceField } from "../../kit/web/forms/once.ts";
import { html, type Html } from "../../kit/web/html.ts";
import { icon } from "../../kit/web/icon.ts";
import { day } from "../../kit/web/language.ts";
import type { PageRequest } from "../../kit/web/page.ts";
import { shellWords } from "../../kit/web/shell-words.ts";
import { dayAfter, daysBetween } from "../../platform/dates.ts";
import { ofOwner } from "./invoice-rows.ts";
import { groupFoot, type Group, type TodayItem } from "./today-items.ts";
import type { CallBack } from "./today-queries.ts";
import { todayWords } from "./today-words.ts";

type Shown = {
  request: PageRequest;
  /** The names of owners by their companies' ids; empty if they are not shown. */
  owners: ReadonlyMap<string, string>;
  /** The owner whose companies the page is about; null for all. */
  assignedTo: string | null;
  today: string;
};

/** The calls that are due. */
export function callGroup(
  { callBacks, total, isCut }: { callBacks: readonly CallBack[]; total: number; isCut: boolean },
  shown: Shown,
): Group {
  const { request, assignedTo } = shown;
  const words = todayWords[request.language];
  return {
    id: "calls",
    title: words.calls,
    total,
    isMore: isCut,
    items: callBacks.map((callBack) => callItem(callBack, shown)),
    action: null,
    foot: groupFoot(
      total > callBacks.length ? `/companies?callback=due${ofOwner(assignedTo)}` : null,
      isCut,
      request.language,
    ),
    formBackTo: null,
  };
}

function callItem(callBack: CallBack, { request, owners, today }: Shown): TodayItem {
  const { call, id, name, date, about, invoice, contact, phone } = callBack;
  const { language } = request;
  const words = todayWords[language];
  const late = daysBetween(date, today);
  const why = late === 0 ? words.due : words.late(late);
  return {
    id: `call-${call}`,
    sign: icon("phone"),
    what: html`<a href="/companies/${id}" title="${name}">${name}</a>${about !== null && html` <a class="muted" href="/calls/${call}" title="${about}">${about}</a>`}${invoice !== null && html` <a href="/invoices/${invoice.id}">${invoice.number}</a>`}`,
    whom: html`${contact !== null && html`<a href="/contacts/${contact.id}">${contact.name}</a>`}${contact !== null && phone !== null && " · "}${phoneLink(phone)}`,
    amount: null,
    why: late === 0 ? why : html`<span class="late">${why}</span>`,
    whyText: day(language, date),
    owner: owners.get(id) ?? null,
    actions: html`${called(callBack, request)}${postponing(callBack, request)}`,
  };
}

/** The form of a call, in its row: a note, and when to call again. */
function called({ call, id, name, contact }: CallBack, { language, address, session }: PageRequest): Html {
  const [words, activity] = [todayWords[language], activityWords[language]];
  const note = `note-${call}`;
  return html`<details class="menu log"><summary class="button">${words.called}<span class="hidden"> ${name}</span></summary>
<form method="post" action="/companies/${id}/called">${onceField()}<input type="hidden" name="to" value="${address}"><input type="hidden" name="call" value="${call}">
${contact !== null && html`<input type="hidden" name="contact_id" value="${contact.id}">`}
<label class="hidden" for="${note}">${activityLabels[language].note}</label>
<textarea id="${note}" name="note" rows="3" placeholder="${activity.hint}"></textarea>
<label class="again">${words.again} <input type="date" name="callback_date" min="${dayAfter(0, session.workspace.timeZone)}"></label>
<p class="actions"><button class="main">${words.saveCall}</button></p></form></details>`;
}

function postponing({ call, id, name, contact }: CallBack, { language, address }: PageRequest): Html {
  const words = todayWords[language];
  const choice = (when: string, label: string) =>
    html`<button name="when" value="${when}">${label}<span class="hidden"> ${name}</span></button>`;
  return html`<form method="post" action="/companies/${id}/call-back">${onceField()}<input type="hidden" name="to" value="${address}"><input type="hidden" name="call" value="${call}">${contact !== null && html`<input type="hidden" name="contact_id" value="${contact.id}">`}
${choice("no-answer", words.noAnswer)}<details class="menu"><summary class="button">${icon("more")}<span class="hidden">${shellWords[language].more} ${name}</span></summary>
<div>${choice("tomorrow", words.tomorrow)}${choice("week", words.nextWeek)}${choice("done", words.notNeeded)}</div></details></form>`;
}
