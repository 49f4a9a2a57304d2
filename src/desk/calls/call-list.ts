import type { PlannedCall } from "../../customers/calls/planned-call-queries.ts";
import { html, type Html } from "../../kit/web/html.ts";
import { icon } from "../../kit/web/icon.ts";
import { day } from "../../kit/web/language.ts";
import type { PageRequest } from "../../kit/web/page.ts";
import { dayAfter } from "../../platform/dates.ts";
import { callWords } from "./call-words.ts";

/** The calls to come of a company or an invoice, the earliest first, and the link that plans another one. */
export function callList(calls: readonly PlannedCall[], planAt: string, { language, session }: PageRequest): Html {
  const words = callWords[language];
  const today = dayAfter(0, session.workspace.timeZone);
  const line = ({
    id,
    date,
    about,
    contactId,
    contactName,
    assignedTo,
    userName,
    invoiceId,
    invoiceNumber,
  }: PlannedCall) =>
    html`<li><a href="/calls/${id}"${date < today && html` class="late"`}>${day(language, date)}</a>${[
      contactId !== null && html` · <a href="/contacts/${contactId}">${contactName}</a>`,
      about !== null && html` · ${about}`,
      invoiceId !== null && html` · <a href="/invoices/${invoiceId}">${invoiceNumber}</a>`,
      assignedTo !== null && html` <span class="muted">${words.forUser(userName ?? `#${assignedTo}`)}</span>`,
    ]}</li>`;
  return html`<section class="section unprinted" id="calls"><header><h2>${words.title}</h2>
<a class="button quiet" href="${planAt}">${icon("add")}${words.plan}</a></header>
${calls.length > 0 && html`<ul>${calls.map(line)}</ul>`}</section>`;
}
