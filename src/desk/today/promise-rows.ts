import { html } from "../../kit/web/html.ts";
import { day } from "../../kit/web/language.ts";
import type { PageRequest } from "../../kit/web/page.ts";
import { ofOwner } from "./invoice-rows.ts";
import type { BrokenPromise } from "./promise-queries.ts";
import { groupFoot, type Group } from "./today-items.ts";
import { todayWords } from "./today-words.ts";

type Shown = { request: PageRequest; owners: ReadonlyMap<string, string>; assignedTo: string | null };

/** The companies that have not paid by the day that they promised. */
export function promiseGroup(
  { promises, total, isCut }: { promises: readonly BrokenPromise[]; total: number; isCut: boolean },
  { request, owners, assignedTo }: Shown,
): Group {
  const { language } = request;
  const words = todayWords[language];
  return {
    id: "promises",
    title: words.promises,
    total,
    isMore: isCut,
    items: promises.map(({ companyId: id, name, until, note }) => ({
      id: `promise-${id}`,
      sign: html`<span class="state attention" aria-hidden="true"></span>`,
      what: html`<a href="/companies/${id}" title="${name}">${name}</a>`,
      whom: note,
      amount: null,
      why: html`<span class="late">${words.promisedUntil(day(language, until))}</span>`,
      whyText: day(language, until),
      owner: owners.get(id) ?? null,
      actions: html`<a class="button" href="/money/reminders?companies=${id}">${words.remind}<span class="hidden"> ${name}</span></a><a class="button" href="/companies/${id}/promise?to=/today">${words.promiseAgain}<span class="hidden"> ${name}</span></a>`,
    })),
    action: null,
    foot: groupFoot(total > promises.length ? `/money?overdue=1${ofOwner(assignedTo)}` : null, isCut, language),
    formBackTo: null,
  };
}
