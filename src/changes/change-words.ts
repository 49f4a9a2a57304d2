import { isoTimestamp } from "../platform/dates.ts";
import type { Row } from "../platform/postgres/statement.ts";
import { html, type Html } from "../web/html.ts";
import { moment, type InLanguages, type Language } from "../web/language.ts";
import type { FieldLabels } from "../web/messages.ts";
import { changeOf } from "./change-queries.ts";
import { differencesIn, type Difference } from "./differences.ts";

/** How a change is told: the names of fields, and their values as people read them. */
export type Telling = {
  labels: FieldLabels;
  value: (field: string, value: string) => string;
  language: Language;
  timeZone: string;
};

/** Longer values are cut in a line. */
const LONGEST = 60;

/** A change in one line: when, who, and what. */
export function changeLine(row: Row, telling: Telling): Html {
  const { at, action, changed, changedBy, writerName } = changeOf(row);
  const { language, timeZone } = telling;
  const words = changeWords[language];
  const differences = action === "updated" ? differencesIn(changed) : [];
  const did = words.actions[action ?? ""] ?? words.actions.updated;
  return html`<li><time datetime="${isoTimestamp(at ?? "")}">${moment(language, at ?? "", timeZone)}</time>
<span><strong>${writerIn(language, changedBy, writerName)}</strong> ${did}${differences.map(
    (difference, index) => html`${index > 0 ? "; " : " "}${inWords(difference, telling)}`,
  )}</span></li>`;
}

/** The writer of a change, in words. @param changedBy as it is stored: `user:3`. @param name of the user or the key, as it is called now */
export function writerIn(language: Language, changedBy: string | null, name: string | null): string {
  const [kind = ""] = (changedBy ?? "").split(":");
  const words = changeWords[language];
  if (name !== null) return kind === "key" ? words.key(name) : name;
  return words.writers[kind] ?? words.somebody;
}

/** A value before or after a change, short enough for a line. */
export function valueIn({ field, isSecret }: Difference, value: unknown, telling: Telling): string {
  if (isSecret) return "•••";
  if (value === null || value === undefined) return "—";
  const text = telling.value(field, typeof value === "string" ? value : JSON.stringify(value));
  const characters = Array.from(text.replaceAll(/\s+/g, " "));
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST).join("")}…` : characters.join("");
}

function inWords(difference: Difference, telling: Telling): Html {
  const { field, from, to, isSecret } = difference;
  const label = telling.labels[field] ?? field.replaceAll("_", " ");
  if (isSecret) return html`${label}`;
  return html`${label}: <span class="before">${valueIn(difference, from, telling)}</span> → ${valueIn(difference, to, telling)}`;
}

type Words = {
  actions: Readonly<Record<string, string>>;
  writers: Readonly<Record<string, string>>;
  key: (name: string) => string;
  somebody: string;
};

const changeWords: InLanguages<Words> = {
  en: {
    actions: {
      created: "created it",
      updated: "changed",
      deleted: "deleted it",
      restored: "restored it",
      wms: "had news from the warehouse",
    },
    writers: { command: "An operator", import: "An import", worker: "Liaison", user: "Somebody", key: "An API key" },
    key: (name) => `${name} (API key)`,
    somebody: "Somebody",
  },
  ro: {
    actions: {
      created: "a creat înregistrarea",
      updated: "a modificat",
      deleted: "a șters înregistrarea",
      restored: "a restaurat înregistrarea",
      wms: "a primit vești de la depozit",
    },
    writers: { command: "Un operator", import: "Un import", worker: "Liaison", user: "Cineva", key: "O cheie API" },
    key: (name) => `${name} (cheie API)`,
    somebody: "Cineva",
  },
};
