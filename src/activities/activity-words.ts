import type { InLanguages } from "../web/language.ts";
import type { FieldLabels } from "../web/messages.ts";

export const activityLabels: InLanguages<FieldLabels> = {
  en: { kind: "Kind", note: "Note" },
  ro: { kind: "Fel", note: "Notă" },
};

export const activityWords = {
  en: {
    log: "Log",
    logHint: "What was said (optional)",
    /** The buttons: what somebody did. */
    kinds: { call: "Call", email: "E-mail", meeting: "Meeting" },
    title: "Calls, e-mails and meetings",
    none: "Nobody has logged a call, an e-mail or a meeting yet.",
    older: "Older ones",
    logged: "Logged.",
  },
  ro: {
    log: "Notează",
    logHint: "Ce s-a discutat (opțional)",
    kinds: { call: "Apel", email: "E-mail", meeting: "Întâlnire" },
    title: "Apeluri, e-mailuri și întâlniri",
    none: "Nimeni nu a notat încă un apel, un e-mail sau o întâlnire.",
    older: "Mai vechi",
    logged: "Notat.",
  },
} satisfies InLanguages<object>;
