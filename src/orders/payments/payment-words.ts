import type { InLanguages } from "../../kit/web/language.ts";
import type { FieldLabels } from "../../kit/web/messages.ts";
import type { NameOf } from "../../platform/fields/fields.ts";
import type { paymentFields, PaymentMeans } from "./payment.ts";

/** The payment's fields as people read them. */
export const paymentLabels: InLanguages<FieldLabels<NameOf<typeof paymentFields>>> = {
  en: { amount: "Amount", paid_on: "Date", means: "How", reference: "Reference" },
  ro: { amount: "Sumă", paid_on: "Data", means: "Cum", reference: "Document" },
};

export const meansWords: InLanguages<Readonly<Record<PaymentMeans, string>>> = {
  en: { bank: "Bank", cash: "Cash", card: "Card", set_off: "Set off", other: "Other" },
  ro: { bank: "Virament", cash: "Numerar", card: "Card", set_off: "Compensare", other: "Altfel" },
};
