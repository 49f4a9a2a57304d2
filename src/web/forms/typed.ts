import type { FieldErrors } from "../../platform/fields/field-reasons.ts";
import type { Field, FieldTable, Input } from "../../platform/fields/fields.ts";
import { readBeside, readNumber } from "../assets/numbers.js";
import { readDay } from "../assets/typed-day.js";
import type { Language } from "../language.ts";

/** Typed texts as input, and the errors of ambiguous ones, which the input leaves out. */
export type ReadInput = { input: Input; errors: FieldErrors | null };

/**
 * Converts typed texts to a body of the API: numbers are read in a language, dates also as `25.11.2026`. Other texts
 * stay unchanged, and the rules of their fields reject them.
 * @param at prefix of the fields in error names: `lines.0.`
 * @param seen the texts whose value the form has shown (`seenTexts`). Others get an error if another language
 * reads another value.
 */
export function readTyped(
  fields: FieldTable,
  typed: Input,
  language: Language,
  { at = "", seen = null }: { at?: string; seen?: ReadonlySet<string> | null } = {},
): ReadInput {
  const input: Record<string, unknown> = { ...typed };
  let errors: FieldErrors | null = null;
  for (const field of fields) {
    const text = typed[field.name];
    const read = typeof text === "string" ? readField(field, text, language) : null;
    if (read === null) continue;
    if (typeof read === "string") {
      input[field.name] = read;
      if (field.kind === "decimal" && seen?.has(String(text).trim()) === false && isReadOtherwise(String(text), read)) {
        (errors ??= {})[at + field.name] = [{ code: "unseen", value: read }];
      }
      continue;
    }
    delete input[field.name];
    const [whole, decimals] = read;
    (errors ??= {})[at + field.name] = [{ code: "ambiguous", whole, decimals }];
  }
  return { input, errors };
}

/** The hidden field of a form for the texts whose value it shows beside their fields; numbers have no semicolon. */
export const SEEN = "seen";

/** The value of that field for these texts. */
export function seenOf(texts: readonly string[], language: Language): string {
  return [...new Set(texts.map((text) => text.trim()))].filter((text) => readBeside(text, language) !== "").join(";");
}

/** The texts whose value a posted form has shown. */
export function seenTexts(form: { get(name: string): string | undefined }): ReadonlySet<string> {
  return new Set(form.get(SEEN)?.split(";"));
}

/** A date such as `25.11.2026` in the API's format; other texts unchanged. */
export function dayIn(text: string): string {
  return readDay(text) ?? text;
}

/** The input of a form without decimals, whose texts are never ambiguous. */
export function typedInput(fields: FieldTable, typed: Input, language: Language): Input {
  return readTyped(fields, typed, language).input;
}

function isReadOtherwise(text: string, value: string): boolean {
  return (["en", "ro"] as const).some((language) => readNumber(text, language)?.value !== value);
}

/** Null if the text needs no conversion. */
function readField({ kind }: Pick<Field, "kind">, text: string, language: Language): string | [string, string] | null {
  if (kind === "date") return dayIn(text);
  if (kind !== "decimal") return null;
  const read = readNumber(text, language);
  return read?.readings ?? read?.value ?? null;
}
