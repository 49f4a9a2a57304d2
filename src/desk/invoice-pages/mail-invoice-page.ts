import type { Deps } from "../../kit/deps.ts";
import { mailing } from "../../kit/mail/mailing.ts";
import { errorLine, errorSummary, formActions } from "../../kit/web/forms/field.ts";
import { onceField } from "../../kit/web/forms/once.ts";
import { html, type Html } from "../../kit/web/html.ts";
import { icon } from "../../kit/web/icon.ts";
import { messagesIn, type FieldMessages } from "../../kit/web/messages.ts";
import { notice, type NoticeWords } from "../../kit/web/notice.ts";
import type { Page, PageRequest, Shown } from "../../kit/web/page.ts";
import { invoiceOf } from "../../orders/invoices/pages/invoice-of.ts";
import { recipientOf, type Address } from "../../orders/reminders/letters.ts";
import { wayWords } from "../../orders/wms/pages/way-words.ts";
import { findDetails, lettersLanguage } from "../../people/tenants/workspace-details-queries.ts";
import { fieldTable } from "../../platform/fields/fields.ts";
import type { RowByName } from "../../platform/fields/reader.ts";
import { validate } from "../../platform/fields/validation.ts";
import { changedBy } from "../../platform/fields/writer.ts";
import { invoiceText } from "./invoice-mail.ts";
import { mailInvoiceWords } from "./mail-invoice-words.ts";
import { isMailable } from "./mail-invoice.ts";

/** The most characters of each part of a letter. The activity that is written down has room for all of them. */
const MOST = { to: 255, subject: 150, text: 3_500 } as const;
const PARTS = ["to", "subject", "text"] as const;
// A line break would begin another header of the mail.
const letterFields = fieldTable([
  { name: "to", kind: "email", max: MOST.to, required: true },
  { name: "subject", kind: "string", max: MOST.subject, required: true, isLine: true },
  { name: "text", kind: "string", max: MOST.text, required: true },
]);

type Letter = Record<(typeof PARTS)[number], string>;
/** The proposed letter about an invoice, and the address that it is proposed for. */
type Proposed = { invoice: RowByName; letter: Letter; recipient: Address | null; language: "en" | "ro" };

/** GET /invoices/{id}/mail: the letter to the customer, before it is sent. */
export const askToMailPage: Page = async (deps, request) => {
  const proposed = await propose(deps, request);
  return formPage(deps, request, proposed, proposed.letter, null);
};

/** POST /invoices/{id}/mail: queues the mail, once for each form. */
export const mailInvoicePage: Page = async (deps, request) => {
  const { actor, form, session } = request;
  const proposed = await propose(deps, request);
  const { invoice, recipient, language } = proposed;
  const typed: Letter = {
    to: (form.get("to") ?? "").trim(),
    subject: (form.get("subject") ?? "").trim(),
    text: (form.get("text") ?? "").replaceAll("\r\n", "\n").trim(),
  };
  const checked = validate(letterFields, typed, "create");
  const errors =
    checked.errors && messagesIn(request.language, checked.errors, mailInvoiceWords[request.language].parts);
  if (errors !== null || deps.config.mail === null || !isMailable(invoice.status ?? null))
    return { ...formPage(deps, request, proposed, typed, errors), status: 422 };
  const { to, subject, text } = checked.values as Letter;
  const replyTo = { name: session.user.name, address: session.user.email };
  const contactId = recipient?.email === to ? recipient.contactId : null;
  const details = { language, subject, text, replyTo, invoice: String(invoice.id), contactId, by: changedBy(actor) };
  await deps.database.write(actor.tenant, mailing(deps, actor.tenant, { email: to }, { kind: "invoice", details }));
  return { to: `/invoices/${invoice.id}`, notice: notice("invoice-mailed") };
};

async function propose(deps: Deps, request: PageRequest): Promise<Proposed> {
  const { actor, session } = request;
  const { invoice } = await invoiceOf(deps, request);
  const details = await findDetails(actor.tenant, deps.database);
  const usual = lettersLanguage(details, session.workspace.country);
  const recipient = await recipientOf(actor.tenant, deps.database, String(invoice.company_id), usual);
  const language = recipient?.language ?? usual;
  const letter = { to: recipient?.email ?? "", ...invoiceText(invoice, language, details, session, true) };
  return { invoice, letter, recipient, language };
}

function formPage(
  { config }: Deps,
  { language }: PageRequest,
  { invoice, language: spoken }: Proposed,
  letter: Letter,
  errors: FieldMessages | null,
): Shown {
  const words = mailInvoiceWords[language];
  const { id, number = "", status = null } = invoice;
  const title = words.title(number ?? "");
  const why = !isMailable(status) ? words.notMailable : config.mail === null ? words.noMail : null;
  const row = (part: (typeof PARTS)[number], control: (described: Html | null) => Html) =>
    html`<div class="field" id="field-${part}"><label for="${part}">${words.parts[part]}</label>
${control(errors?.[part] === undefined ? null : html` aria-invalid="true" aria-describedby="${part}-error"`)}
${errorLine(part, errors)}</div>`;
  const form = html`${errorSummary(errors, language)}<form class="record" method="post" action="/invoices/${id}/mail">${onceField()}
${row("to", (wrong) => html`<input id="to" name="to" type="email" required maxlength="${MOST.to}" value="${letter.to}"${wrong}>`)}
${row("subject", (wrong) => html`<input id="subject" name="subject" required maxlength="${MOST.subject}" value="${letter.subject}" lang="${spoken}"${wrong}>`)}
${row("text", (wrong) => html`<textarea id="text" name="text" required rows="12" maxlength="${MOST.text}" lang="${spoken}"${wrong}>${letter.text}</textarea>`)}
<p>${words.attached} <a href="/invoices/${id}/pdf">${wayWords[language].pdf}</a></p>
${formActions(words.send, `/invoices/${id}`, language)}</form>`;
  const instead = html`<p>${why}</p>${isMailable(status) && html`<p class="actions"><a class="button" href="/invoices/${id}/pdf">${wayWords[language].pdf}</a></p>`}`;
  const main = html`<a class="back" href="/invoices/${id}">${icon("back")}${number}</a>
<header class="heading"><h1>${title}</h1></header>
${why === null ? form : instead}`;
  return { title, area: "orders", main };
}

/** The line after a mail was queued. */
export const mailInvoiceNotices: NoticeWords = {
  "invoice-mailed": (_values, language) => html`${mailInvoiceWords[language].sent}`,
};
