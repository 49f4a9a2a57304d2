import type { InLanguages } from "../../kit/web/language.ts";
import type { FieldLabels } from "../../kit/web/messages.ts";
import type { ActivityField, ActivityKind } from "./activity.ts";

export const activityLabels: InLanguages<FieldLabels<ActivityField | "callback_date">> = {
  en: { kind: "Kind", note: "Note", contact_id: "With", at: "When", callback_date: "Call back on" },
  ro: { kind: "Tip", note: "Notă", contact_id: "Cu", at: "Când", callback_date: "De sunat pe" },
};

/** Verbs behind the name of the user: without a contact, and with the contact's name behind them. */
type Verbs = Record<ActivityKind, { alone: string; with: string }>;

export const activityWords = {
  en: {
    log: "Log",
    hint: "Write a note …",
    kinds: { note: "Note", call: "Call out", call_in: "Call in", email: "E-mail", meeting: "Meeting" },
    verbs: {
      note: { alone: "wrote a note", with: "wrote a note about" },
      call: { alone: "called", with: "called" },
      call_in: { alone: "took a call", with: "took a call from" },
      email: { alone: "sent an e-mail", with: "e-mailed" },
      meeting: { alone: "had a meeting", with: "met" },
    },
    /** Before the company's name. */
    at: { note: "at", call: "", call_in: "from", email: "to", meeting: "at" },
    nextCall: (day: string) => `Call back on ${day}`,
    add: "Add",
    written: "Written?",
    logIt: "Log it",
    anotherTime: "At another time",
    nobody: "No contact",
    mendTitle: "Edit what you wrote",
    mend: "Edit",
    mended: "Saved.",
    deleteIt: "Delete…",
    delete: "Delete for good",
    forGood: "It cannot be brought back.",
    deleted: "Deleted.",
    title: "Activity",
    none: "No notes, calls, e-mails or meetings yet.",
    older: "Older ones",
    logged: "Logged.",
    replaces: (who: string, day: string) => `Replaces ${who}’s call of ${day}.`,
    keepBoth: "Keep both",
  },
  ro: {
    log: "Notează",
    hint: "Scrieți o notă …",
    kinds: { note: "Notă", call: "Apel făcut", call_in: "Apel primit", email: "E-mail", meeting: "Întâlnire" },
    verbs: {
      note: { alone: "a scris o notă", with: "a scris o notă despre" },
      call: { alone: "a telefonat", with: "a telefonat către" },
      call_in: { alone: "a primit un apel", with: "a primit un apel de la" },
      email: { alone: "a trimis un e-mail", with: "a trimis un e-mail către" },
      meeting: { alone: "a avut o întâlnire", with: "s-a întâlnit cu" },
    },
    at: { note: "la", call: "la", call_in: "de la", email: "către", meeting: "la" },
    nextCall: (day: string) => `De sunat pe ${day}`,
    add: "Adaugă",
    written: "Ați scris?",
    logIt: "Notează",
    anotherTime: "Alt moment",
    nobody: "Nimeni anume",
    mendTitle: "Modificați ce ați scris",
    mend: "Modifică",
    mended: "Salvat.",
    deleteIt: "Șterge…",
    delete: "Șterge definitiv",
    forGood: "Nu mai poate fi recuperat.",
    deleted: "Șters.",
    title: "Activitate",
    none: "Nimeni nu a notat încă nimic.",
    older: "Mai vechi",
    logged: "Notat.",
    replaces: (who: string, day: string) => `Înlocuiește apelul din ${day}, programat de ${who}.`,
    keepBoth: "Păstrează-le pe amândouă",
  },
} satisfies InLanguages<
  { kinds: Record<ActivityKind, string>; at: Record<ActivityKind, string>; verbs: Verbs } & Record<string, unknown>
>;
