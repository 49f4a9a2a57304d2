import { emailAddress } from "../../kit/web/contact-links.ts";
import { amount, day, type InLanguages } from "../../kit/web/language.ts";
import type { Session } from "../../kit/web/session.ts";
import { dueDayOf } from "../../orders/invoices/due-day.ts";
import type { Address } from "../../orders/reminders/letters.ts";
import type { WorkspaceDetails } from "../../people/tenants/workspace-details-queries.ts";
import type { RowByName } from "../../platform/fields/reader.ts";

type Said = { number: string; total: string | null; issued: string | null; due: string | null; account: string };

const words = {
  en: {
    subject: (number: string, seller: string) => `Invoice ${number}, ${seller}`,
    lines: ({ number, total, issued, due, account }: Said) => [
      "Hello,",
      `We send you the invoice ${number}${issued === null ? "" : ` of ${issued}`}.`,
      `${total === null ? "" : `Total: ${total}. `}${due === null ? "" : `Due on ${due}.`}`,
      account === "" ? "" : `Please pay to the account ${account}.`,
    ],
  },
  ro: {
    subject: (number: string, seller: string) => `Factura ${number}, ${seller}`,
    lines: ({ number, total, issued, due, account }: Said) => [
      "Bună ziua,",
      `Vă transmitem factura ${number}${issued === null ? "" : ` din ${issued}`}.`,
      `${total === null ? "" : `Total: ${total}. `}${due === null ? "" : `Scadentă la ${due}.`}`,
      account === "" ? "" : `Vă rugăm să plătiți în contul ${account}.`,
    ],
  },
} satisfies InLanguages<object>;

/** The address of a letter about an invoice, in the reader's language, which the person's own program sends. */
export function invoiceMail(
  invoice: RowByName,
  { email, language }: Address,
  { firm }: WorkspaceDetails,
  { workspace, user }: Pick<Session, "workspace" | "user">,
): string {
  const { subject, lines } = words[language];
  const { number = "", total = null, currency = null, issued_on: issued = null } = invoice;
  const due = dueDayOf(invoice);
  const said = lines({
    number: number ?? "",
    total: amount(language, total, currency),
    issued: issued === null ? null : day(language, issued),
    due: invoice.status !== "issued" || due === null ? null : day(language, due),
    account: [firm.iban, firm.bank].filter(Boolean).join(", "),
  });
  const body = [...said, [user.name, workspace.name, firm.phone].filter(Boolean).join(", ")];
  const text = body.filter((line) => line.trim() !== "").join("\r\n\r\n");
  return `${emailAddress(email)}?subject=${encodeURIComponent(subject(number ?? "", workspace.name))}&body=${encodeURIComponent(text)}`;
}
