import type { InLanguages } from "../../kit/web/language.ts";

/** The words of the page that mails an invoice. */
export const mailInvoiceWords = {
  en: {
    title: (number: string) => `Send invoice ${number} by mail`,
    attached: "The invoice is attached as PDF, as it is when the mail is sent. Replies go to you.",
    to: "To",
    subject: "Subject",
    text: "Text",
    send: "Send",
    sent: "The mail is on its way.",
    notMailable: "A draft or a cancelled invoice is not mailed.",
    noMail: "Liaison sends no mail here. Download the PDF and send it yourself.",
    cannot: {
      to: "Write one e-mail address.",
      subject: (most: number) => `Write a subject in one line, ${most} characters at most.`,
      text: (most: number) => `Write a text, ${most} characters at most.`,
    },
  },
  ro: {
    title: (number: string) => `Trimite factura ${number} prin e-mail`,
    attached: "Factura se atașează ca PDF, așa cum este la trimitere. Răspunsurile vin la dumneavoastră.",
    to: "Către",
    subject: "Subiect",
    text: "Text",
    send: "Trimite",
    sent: "E-mailul este pe drum.",
    notMailable: "O ciornă sau o factură anulată nu se trimite prin e-mail.",
    noMail: "Liaison nu trimite e-mailuri aici. Descărcați PDF-ul și trimiteți-l dumneavoastră.",
    cannot: {
      to: "Scrieți o adresă de e-mail.",
      subject: (most: number) => `Scrieți un subiect pe un rând, de cel mult ${most} de caractere.`,
      text: (most: number) => `Scrieți un text de cel mult ${most} de caractere.`,
    },
  },
} satisfies InLanguages<object>;
