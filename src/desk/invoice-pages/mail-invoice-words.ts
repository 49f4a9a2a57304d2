import type { InLanguages } from "../../kit/web/language.ts";

/** The words of the page that mails an invoice. */
export const mailInvoiceWords = {
  en: {
    title: (number: string) => `Send invoice ${number} by mail`,
    attached: "The invoice is attached as PDF, as it is when the mail is sent. Replies go to you.",
    parts: { to: "To", subject: "Subject", text: "Text" },
    send: "Send",
    sent: "The mail is on its way.",
    notMailable: "A draft or a cancelled invoice is not mailed.",
    noMail: "Liaison sends no mail here. Download the PDF and send it yourself.",
  },
  ro: {
    title: (number: string) => `Trimite factura ${number} prin e-mail`,
    attached: "Factura se atașează ca PDF, așa cum este la trimitere. Răspunsurile vin la dumneavoastră.",
    parts: { to: "Către", subject: "Subiect", text: "Text" },
    send: "Trimite",
    sent: "E-mailul este pe drum.",
    notMailable: "O ciornă sau o factură anulată nu se trimite prin e-mail.",
    noMail: "Liaison nu trimite e-mailuri aici. Descărcați PDF-ul și trimiteți-l dumneavoastră.",
  },
} satisfies InLanguages<object>;
