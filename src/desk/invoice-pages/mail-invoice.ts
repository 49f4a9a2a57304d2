import { NOTE_MAX } from "../../customers/activities/activity.ts";
import { keptContact } from "../../customers/companies/merged-queries.ts";
import { actingAs } from "../../kit/actor.ts";
import type { MailCompletions, MailNotes } from "../../kit/mail/send-mail.ts";
import { renderPaper } from "../../kit/paper/render-paper.ts";
import { shortened } from "../../platform/text.ts";
import { findInvoiceToMail, loggingMailedInvoice } from "./invoice-mail-queries.ts";
import { pdfName, readPaper } from "./invoice-pdf.ts";

/** Whether customers get an invoice of this status. */
export function isMailable(status: string | null): boolean {
  return status !== "draft" && status !== "cancelled";
}

/** The PDF of an invoice is made when its mail is sent. */
export const invoiceMails = {
  async invoice(deps, { tenant, details, workspace, country }) {
    const { invoice: id, language } = details;
    const contactId = details.contactId && (await keptContact(tenant, deps.database, details.contactId));
    const found = await findInvoiceToMail(tenant, deps.database, id, contactId);
    if (found?.hasContact !== true) return null;
    if (!isMailable(found.status)) return { notSent: "cancelled" };
    const asked = { actor: actingAs("worker", { id: tenant, country }), params: { id } };
    const read = async () => await readPaper(deps, asked, { name: workspace, country }, language);
    const { paper, pdf: content } = await renderPaper(deps, tenant, read);
    return { ...details, contactId, attachment: { filename: pdfName(paper), contentType: "application/pdf", content } };
  },
} satisfies MailCompletions;

/** A mailed invoice is an e-mail to its company. */
export const invoiceMailNotes = {
  invoice(details, text) {
    const file = details.attachment === undefined ? "" : `\n\n[${details.attachment.filename}]`;
    return loggingMailedInvoice(details, `${shortened(text.trim(), NOTE_MAX - file.length - 1)}${file}`);
  },
} satisfies MailNotes;
