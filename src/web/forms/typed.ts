import type { FieldErrors } from "../../platform/fields/field-reasons.ts";
import type { Field, FieldTable, Input } from "../../platform/fields/fields.ts";
import { readDay, readNumber } from "../assets/numbers.js";
import type { Language } from "../language.ts";

/** The input that texts are, and the messages of those that have two readings: these are in no input. */
export type ReadInput = { input: Input; errors: FieldErrors | null };

/**
 * Texts as people wrote them, as a body of the API has them: numbers are read in a language, and days also as `25.11.2026`.
 * Any other text stays as it is, and the rules of its field refuse it.
 * @param at where the fields are, in their names in messages: `lines.0.`
 */
export function readTyped(fields: FieldTable, typed: Input, language: Language, at = ""): ReadInput {
  const input: Record<string, unknown> = { ...typed };
  let errors: FieldErrors | null = null;
  for (const field of fields) {
    const text = typed[field.name];
    const read = typeof text === "string" ? readField(field, text, language) : null;
    if (read === null) continue;
    if (typeof read === "string") {
      input[field.name] = read;
      continue;
    }
    delete input[field.name];
    const [whole, decimals] = read;
    (errors ??= {})[at + field.name] = [{ code: "ambiguous", whole, decimals }];
  }
  return { input, errors };
}

/** A day as the API writes it, of one that was written `25.11.2026`; any other text as it is. */
export function dayIn(text: string): string {
  return readDay(text) ?? text;
}

/** The input of a form whose fields have one reading: none of them is a decimal. */
export function typedInput(fields: FieldTable, typed: Input, language: Language): Input {
  return readTyped(fields, typed, language).input;
}

/** Null where the text is what the field has. */
function readField({ kind }: Pick<Field, "kind">, text: string, language: Language): string | [string, string] | null {
  if (kind === "date") return dayIn(text);
  if (kind !== "decimal") return null;
  const read = readNumber(text, language);
  return read?.readings ?? read?.value ?? null;
}
