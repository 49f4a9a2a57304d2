import type { Field, FieldTable } from "../../platform/fields/fields.ts";
import type { RowByName } from "../../platform/fields/reader.ts";
import { trim } from "../../platform/text.ts";
import { inControl, type FieldValues } from "../web/forms/field.ts";
import type { Form } from "../web/forms/form.ts";
import { html, type Html } from "../web/html.ts";
import type { InLanguages } from "../web/language.ts";
import { valueIn, writerIn, type Wording } from "./change-words.ts";
import type { ChangedMeanwhile } from "./meanwhile-queries.ts";

/** A form with a conflict, as it is shown again. */
export type Reconciled = {
  values: FieldValues;
  /** Notes beside the fields: the changes stored meanwhile. */
  notes: Readonly<Record<string, Html>>;
  /** The message above the form. */
  message: string;
};

/** The hidden field with the original value of an encrypted field, which the history does not have. */
export function wasName(field: string): string {
  return `was-${field}`;
}

/**
 * Merges a form with the changes stored meanwhile. A field that the person edited keeps the typed value; any other
 * shows the stored one.
 */
export function reconcile(
  fields: FieldTable,
  form: Form,
  current: RowByName,
  meanwhile: ReadonlyMap<string, ChangedMeanwhile>,
  wording: Wording,
): Reconciled {
  const words = conflictWords[wording.language];
  const shown = { ...wording, currency: current.currency };
  const posted = fields.filter(({ name }) => form.has(name));
  const values: Record<string, string | null> = { ...current };
  const notes: Record<string, Html> = {};
  for (const field of posted) {
    const { name } = field;
    const typed = form.get(name) ?? "";
    const other = meanwhile.get(name);
    const plain = compared(field);
    const isMine = other === undefined || plain(typed) !== plain(before(form, other));
    if (isMine) values[name] = typed;
    if (other === undefined) continue;
    const who = writerIn(wording.language, other.changedBy, other.writerName);
    const changed = other.isSecret
      ? words.changedSecret(who)
      : words.changed(who, valueIn(other, other.from, shown), valueIn(other, other.to, shown));
    notes[name] = html`${changed} ${isMine ? words.mineStands : words.theirsStands}`;
  }
  const [first] = meanwhile.values();
  const who = writerIn(wording.language, first?.changedBy ?? null, first?.writerName ?? null);
  return { values, notes, message: words.message(who) };
}

/**
 * Proposes the typed values of a form to another row, into which the edited one was merged meanwhile. An empty field
 * keeps the value of that row.
 */
export function reconcileMerged(fields: FieldTable, form: Form, kept: RowByName, wording: Wording): Reconciled {
  const words = conflictWords[wording.language];
  const values: Record<string, string | null> = { ...kept };
  const notes: Record<string, Html> = {};
  for (const field of fields) {
    const { name, kind } = field;
    const plain = compared(field);
    const [sent, stored] = [plain(form.get(name) ?? ""), plain(kept[name] ?? "")];
    // A box that is not ticked says nothing about another record.
    const typed = kind !== "boolean" ? sent : sent === "1" || sent === "true" ? "true" : "";
    if (typed === "" || typed === stored) continue;
    values[name] = typed;
    if (stored === "") continue;
    const difference = { field: name, from: null, to: stored, isSecret: false };
    notes[name] =
      html`${words.keptHas(valueIn(difference, stored, { ...wording, currency: kept.currency }))} ${words.mineStands}`;
  }
  return { values, notes, message: words.merged };
}

/** A value as it is compared: stored, or posted by the field's control. */
function compared(field: Field): (text: string) => string {
  return field.kind === "decimal" ? plainNumber : (text) => trim(inControl(field, text));
}

/** A decimal without zeros at its end, which do not change its value. */
export function plainNumber(text: string): string {
  return /^-?\d+\.\d+$/.test(text) ? text.replace(/\.?0+$/, "") : text;
}

function before(form: Form, { field, from, isSecret }: ChangedMeanwhile): string {
  if (isSecret) return trim(form.get(wasName(field)) ?? "");
  if (from === null || from === undefined) return "";
  return typeof from === "string" ? from : JSON.stringify(from);
}

const conflictWords = {
  en: {
    message: (who: string) =>
      `While you were editing, ${who} saved changes. Yours are not saved yet: look at what is marked, then save again.`,
    changed: (who: string, from: string, to: string) => `${who} changed this from ${from} to ${to}.`,
    changedSecret: (who: string) => `${who} changed this.`,
    merged:
      "While you were editing, this record was merged with another one, and the other one stays. Yours is not saved yet: look at what is marked, then save again.",
    keptHas: (value: string) => `The record that stays has ${value}.`,
    mineStands: "This field shows your value. Saving replaces the new one.",
    theirsStands: "You did not change this field, so it shows the new value.",
  },
  ro: {
    message: (who: string) =>
      `Cât timp modificați, ${who} a salvat modificări. Ale dumneavoastră nu sunt încă salvate: verificați ce este marcat, apoi salvați din nou.`,
    changed: (who: string, from: string, to: string) => `${who} a modificat din ${from} în ${to}.`,
    changedSecret: (who: string) => `${who} a modificat aici.`,
    merged:
      "Cât timp modificați, fișa a fost contopită cu alta, care rămâne. Modificările dumneavoastră nu sunt încă salvate: verificați ce este marcat, apoi salvați din nou.",
    keptHas: (value: string) => `Fișa care rămâne are ${value}.`,
    mineStands: "Aici este valoarea dumneavoastră, care o va înlocui când salvați.",
    theirsStands: "Nu ați modificat câmpul: aici este valoarea salvată între timp.",
  },
} satisfies InLanguages<object>;
