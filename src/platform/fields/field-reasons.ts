import { sentenceOf, type Sentences } from "../reason.ts";

/**
 * Every possible error of a field. `bound`: how many characters, marks, places or items, or the least or largest
 * number.
 */
export type FieldReason =
  | { code: PlainCode }
  | {
      code:
        | "tooShort"
        | "tooLong"
        | "tooSmall"
        | "tooLarge"
        | "tooManyItems"
        | "tooManyMarks"
        | "tooManyPlaces"
        | "tooManyDigits"
        | "tooManyFields"
        | "tooManyArchived";
      bound: number;
    }
  | { code: "requiredWithout"; other: string }
  | { code: "noCustomField"; key: string }
  /** A number with two readings: without its separator, and with decimals. */
  | { code: "ambiguous"; whole: string; decimals: string }
  /** A day with two readings: the day first, and the month first. */
  | { code: "ambiguousDay"; days: readonly [string, string] };

type PlainCode =
  | "required"
  | "notText"
  | "notStorable"
  | "notEmail"
  | "notUrl"
  | "notInteger"
  | "notBoolean"
  | "notDate"
  | "notTimestamp"
  | "notDecimal"
  | "notZero"
  | "notArray"
  | "notObject"
  | "notSelectable"
  | "taken"
  | "notRemovable"
  | "withWarehouse"
  | "passwordOfOwner"
  | "passwordCommon";

/**
 * Field -> all its errors, in rule order; the fields in the order of their table. An item's field is
 * `lines.0.quantity`.
 */
export type FieldErrors = Record<string, FieldReason[]>;

export type FieldSentences = Sentences<FieldReason, [label: string]>;

/** The sentences of the API and of the commands. Those of the pages are in web/messages.ts. */
const sentences: FieldSentences = {
  required: (field) => `The ${field} field is required.`,
  requiredWithout: (field, { other }) => `The ${field} field is required when ${other} is not present.`,
  notText: (field) => `The ${field} field must be a string.`,
  notStorable: (field) => `The ${field} field contains invalid characters.`,
  notEmail: (field) => `The ${field} field must be a valid email address.`,
  notUrl: (field) => `The ${field} field must be a valid URL.`,
  notInteger: (field) => `The ${field} field must be an integer.`,
  notBoolean: (field) => `The ${field} field must be true or false.`,
  notDate: (field) => `The ${field} field must be a valid date.`,
  notTimestamp: (field) => `The ${field} field must be a valid date and time.`,
  notDecimal: (field) => `The ${field} field must be a number.`,
  notZero: (field) => `The ${field} field must not be 0.`,
  ambiguous: (field, { whole, decimals }) => `The ${field} field can mean ${whole} or ${decimals}.`,
  ambiguousDay: (field, { days: [one, other] }) => `The ${field} field can mean ${one} or ${other}.`,
  notArray: (field) => `The ${field} field must be an array.`,
  notObject: (field) => `The ${field} field must be an object.`,
  notSelectable: (field) => `The selected ${field} is invalid.`,
  taken: (field) => `The ${field} has already been taken.`,
  notRemovable: (field) => `The ${field} field must have every option that records use. Archive the option instead.`,
  noCustomField: (_field, { key }) => `There is no custom field ${key}.`,
  withWarehouse: (field) => `The ${field} cannot be draft, because the invoice is with the warehouse.`,
  tooShort: (field, { bound }) => `The ${field} field must be at least ${bound} characters.`,
  tooLong: (field, { bound }) => `The ${field} field must not be greater than ${bound} characters.`,
  tooManyMarks: (field, { bound }) => `The ${field} field must not have more than ${bound} combining marks in a row.`,
  tooSmall: (field, { bound }) => `The ${field} field must be at least ${bound}.`,
  tooLarge: (field, { bound }) => `The ${field} field must not be greater than ${bound}.`,
  tooManyPlaces: (field, { bound }) => `The ${field} field must not have more than ${bound} decimal places.`,
  tooManyDigits: (field, { bound }) => `The ${field} field must not have more than ${bound} digits.`,
  tooManyFields: (_field, { bound }) => `There are ${bound} fields already. Archive one first.`,
  tooManyArchived: (_field, { bound }) => `There are ${bound} fields already, with archived ones. Delete one first.`,
  tooManyItems: (field, { bound }) => `The ${field} field must not have more than ${bound} items.`,
  passwordOfOwner: (field) => `The ${field} field must not be the e-mail address or the workspace.`,
  passwordCommon: (field) => `The ${field} field must not be one of the commonest passwords.`,
};

/** The API's sentence about a field, whose name is written with spaces. The key of a custom field stays as it is. */
export function fieldSentence(field: string, reason: FieldReason): string {
  return sentenceOf(sentences, reason, field.startsWith("custom.") ? field : field.replaceAll("_", " "));
}

/** The API's sentences about all invalid fields. */
export function fieldMessages(errors: FieldErrors): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(errors).map(([field, reasons]) => [field, reasons.map((reason) => fieldSentence(field, reason))]),
  );
}
