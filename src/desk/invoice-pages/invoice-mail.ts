import { emailAddress } from "../../kit/web/contact-links.ts";
import { amount, day, type InLanguages, type Language } from "../../kit/web/language.ts";
import type { Session } from "../../kit/web/session.ts";
import { dueDayOf } from "../../orders/invoices/due-day.ts";
import type { Address } from "../../orders/reminders/letters.ts";
import type { WorkspaceDetails } from "../../people/tenants/workspace-details-queries.ts";
import type { RowByName } from "../../platform/fields/reader.ts";

type Said = {
  number: string;
  total: string | null;
  issued: string | null;
  due: string | null;
  account: string;
  isAttached: boolean;
};

const words = {
  en: {
    subject: (number: string, seller: string) => `Invoice ${number}, ${seller}`,
    lines: ({ number, total, issued, due, account, isAttached }: Said) => [
      "Hello,",
      `${isAttached ? "Attached is" : "We send you"} the invoice ${number}${issued === null ? "" : ` of ${issued}`}.`,
      `${total === null ? "" : `Total: ${total}. `}${due === null ? "" : `Due on ${due}.`}`,
      account === "" ? "" : `Please pay to the account ${account}.`,
    ],
  },
  ro: {
    subject: (number: string, seller: string) => `Factura ${number}, ${seller}`,
    lines: ({ number, total, issued, due, account, isAttached }: Said) => [
      "Bună ziua,",
      `Vă transmitem ${isAttached ? "atașat " : ""}factura ${number}${issued === null ? "" : ` din ${issued}`}.`,
      `${total === null ? "" : `Total: ${total}. `}${due === null ? "" : `Scadentă la ${due}.`}`,
      account === "" ? "" : `Vă rugăm să plătiți în contul ${account}.`,
    ],
  },
} satisfies InLanguages<object>;

type Sender = Pick<Session, "workspace" | "user">;

/** A letter about an invoice, in the reader's language. @param isAttached the invoice is a file of it */
export function invoiceText(
  invoice: RowByName,
  language: Language,
  { firm }: WorkspaceDetails,
  { workspace, user }: Sender,
  isAttached: boolean,
): { subject: string; text: string } {
  const { subject, lines } = words[language];
  const { number = "", total = null, currency = null, issued_on: issued = null } = invoice;
  const due = dueDayOf(invoice);
  const said = lines({
    number: number ?? "",
    total: amount(language, total, currency),
    issued: issued === null ? null : day(language, issued),
    due: invoice.status !== "issued" || due === null ? null : day(language, due),
    account: [firm.iban, firm.bank].filter(Boolean).join(", "),
    isAttached,
  });
  const body = [...said, [user.name, workspace.name, firm.phone].filter(Boolean).join(", ")];
  const text = body.filter((line) => line.trim() !== "").join("\n\n");
  return { subject: subject(number ?? "", workspace.name), text };
}

/** The address of the letter for the person's own program. */
export function mailAddressOf(invoice: RowByName, { email, language }: Address, of: WorkspaceDetails, by: Sender) {
  const { subject, text } = invoiceText(invoice, language, of, by, false);
  return `${emailAddress(email)}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(text.replaceAll("\n", "\r\n"))}`;
}
