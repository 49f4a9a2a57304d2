import { html } from "../../kit/web/html.ts";
import { day } from "../../kit/web/language.ts";
import type { PageRequest } from "../../kit/web/page.ts";
import type { BrokenPromise } from "./promise-queries.ts";
import type { Group } from "./today-items.ts";
import { todayWords } from "./today-words.ts";

type Shown = { request: PageRequest; owners: ReadonlyMap<string, string>; counted: number };

/** The companies that have not paid by the day that they promised. */
export function promiseGroup(
  { promises, total, isCut }: { promises: readonly BrokenPromise[]; total: number; isCut: boolean },
  { request, owners, counted }: Shown,
): Group {
  const { language } = request;
  const words = todayWords[language];
  return {
    id: "promises",
    title: words.promises,
    total: Math.min(total, counted),
    isMore: total > counted || isCut,
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
    foot: total > promises.length && html`<p class="foot"><a href="/money?overdue=1">${words.all}</a></p>`,
    formBackTo: null,
  };
}
