import { shortened } from "../../platform/text.ts";
import type { InLanguages, Language } from "../web/language.ts";
import type { FieldLabels } from "../web/messages.ts";
import type { Difference } from "./differences.ts";

/** How a change is shown: the labels of fields, and the format of their values. */
export type Wording = {
  labels: FieldLabels;
  value: (field: string, value: string, currency?: string | null) => string;
  /** That of the resource's amounts. */
  currency?: string | null | undefined;
  language: Language;
  timeZone: string;
};

/** Longer values are cut. */
const LONGEST = 60;

/**
 * The author of a change, in words. @param changedBy as stored, `user:3` @param name the current name of the user or
 * key
 */
export function writerIn(language: Language, changedBy: string | null, name: string | null): string {
  const { kind, key, confirmedBy } = writerOf(changedBy, name);
  const words = changeWords[language];
  if (key !== null && confirmedBy !== null) return words.confirmed(key, confirmedBy.name ?? words.somebody);
  if (key !== null && kind === "mcp") return words.assistant(key);
  if (name !== null) return kind === "key" ? words.key(name) : name;
  return (words.writers as Readonly<Record<string, string>>)[kind] ?? words.somebody;
}

/** Between the name of a key and that of the user who confirmed. */
const SEPARATOR = "\u001f";

/** The parts of an author: kind and id as stored, and the current names. `confirmedBy` is null if nobody confirmed. */
export function writerOf(changedBy: string | null, name: string | null) {
  const [kind = "", id = null, confirming] = String(changedBy).split(":");
  if (confirming === undefined) return { kind, id, key: name, confirmedBy: null };
  const [key = null, person = null] = name?.split(SEPARATOR) ?? [];
  return { kind, id, key, confirmedBy: { id: confirming, name: person } };
}

/** A value before or after a change, shortened to fit in a line. */
export function valueIn({ field, isSecret }: Difference, value: unknown, wording: Wording): string {
  if (isSecret) return "•••";
  if (value === null || value === undefined) return "—";
  const text = wording.value(field, typeof value === "string" ? value : JSON.stringify(value), wording.currency);
  return shortened(text.replaceAll(/\s+/g, " "), LONGEST);
}

const changeWords = {
  en: {
    writers: {
      command: "The command line",
      operator: "An operator",
      import: "An import",
      worker: "Liaison",
      user: "A former user",
      key: "An API key",
      mcp: "An assistant",
      invitation: "An invited person",
      "single-sign-on": "Single sign-on",
    },
    key: (name: string) => `${name} (API key)`,
    assistant: (name: string) => `${name} (assistant)`,
    confirmed: (name: string, person: string) => `${name} (assistant, confirmed by ${person})`,
    somebody: "Somebody",
  },
  ro: {
    writers: {
      command: "Linia de comandă",
      operator: "Un operator",
      import: "Un import",
      worker: "Liaison",
      user: "Cineva",
      key: "O cheie API",
      mcp: "Un asistent",
      invitation: "O persoană invitată",
      "single-sign-on": "Autentificarea unică",
    },
    key: (name: string) => `${name} (cheie API)`,
    assistant: (name: string) => `${name} (asistent)`,
    confirmed: (name: string, person: string) => `${name} (asistent, a confirmat ${person})`,
    somebody: "Cineva",
  },
} satisfies InLanguages<object>;
