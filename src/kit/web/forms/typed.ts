import type { FieldErrors } from "../../../platform/fields/field-reasons.ts";
import type { Field, FieldTable, Input } from "../../../platform/fields/fields.ts";
import { readNumber } from "../assets/numbers.js";
import { readDay } from "../assets/typed-day.js";
import type { Language } from "../language.ts";

/** Typed texts as input, and the errors of ambiguous ones, which the input leaves out. */
export type ReadInput = { input: Input; errors: FieldErrors | null };

/**
 * Converts typed texts to a body of the API: numbers are read in a language, dates also as `25.11.2026`. Other texts
 * stay unchanged, and the rules of their fields reject them.
 * @param at prefix of the fields in error names: `lines.0.` @param currency that of the amounts
 */
export function readTyped(
  fields: FieldTable,
  typed: Input,
  language: Language,
  { at = "", currency }: { at?: string; currency?: string | null | undefined } = {},
): ReadInput {
  const input: Record<string, unknown> = { ...typed };
  let errors: FieldErrors | null = null;
  for (const field of fields) {
    const text = typed[field.name];
    const read = typeof text === "string" ? readField(field, text, language, currency) : null;
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

/** A date such as `25.11.2026` in the API's format; other texts unchanged. */
export function dayIn(text: string): string {
  return readDay(text) ?? text;
}

/** The input of a form without decimals, whose texts are never ambiguous. */
export function typedInput(fields: FieldTable, typed: Input, language: Language): Input {
  return readTyped(fields, typed, language).input;
}

/** Null if the text needs no conversion. */
function readField(
  { kind, isAmount }: Pick<Field, "kind" | "isAmount">,
  text: string,
  language: Language,
  currency: string | null | undefined,
): string | [string, string] | null {
  if (kind === "date") return dayIn(text);
  if (kind !== "decimal") return null;
  const read = readNumber(text, language, isAmount === true ? currency : null);
  return read?.readings ?? read?.value ?? null;
}
