import { html } from "../../kit/web/html.ts";
import type { InLanguages } from "../../kit/web/language.ts";
import type { NoticeWords } from "../../kit/web/notice.ts";

export const workspaceWords = {
  en: {
    title: "Workspace",
    slug: "Short name",
    slugHint: "What people sign in with, and what keys begin with. It cannot be changed.",
    name: "Name",
    country: "Default country",
    countryHint: "For companies and addresses that are created without one.",
    time_zone: "Time zone",
    timeZoneHint: "Pages show times in this zone.",
    sales: "Sales",
    payment_days: "Payment term, days",
    paymentDaysHint: "From the issue of an invoice until it is due, unless its company has a term.",
    vat_rates: "VAT rates",
    vatRatesHint: "In percent, with blanks between them: 21 11 0. Lines of invoices offer them.",
    begins_with_vat: "New lines begin with the first rate",
    saved: "Saved.",
  },
  ro: {
    title: "Spațiu de lucru",
    slug: "Nume scurt",
    slugHint: "Cu acesta se intră și cu acesta încep cheile. Rămâne cum este.",
    name: "Denumire",
    country: "Țara implicită",
    countryHint: "A firmelor și a adreselor care se adaugă fără țară.",
    time_zone: "Fusul orar",
    timeZoneHint: "Paginile arată orele din acest fus.",
    sales: "Vânzări",
    payment_days: "Termen de plată, zile",
    paymentDaysHint: "De la emiterea facturii până la scadență, dacă firma nu are alt termen.",
    vat_rates: "Cote TVA",
    vatRatesHint: "În procente, despărțite prin spații: 21 11 0. Pozițiile facturilor le propun.",
    begins_with_vat: "Pozițiile noi încep cu prima cotă",
    saved: "Salvat.",
  },
} satisfies InLanguages<object>;

/** The line that the page shows after the workspace was changed. */
export const workspaceNotices: NoticeWords = {
  "workspace-saved": (_values, language) => html`${workspaceWords[language].saved}`,
};
