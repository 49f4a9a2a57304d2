import type { Language } from "../../web/language.ts";
import { messagesIn } from "../../web/messages.ts";
import type { Rejection } from "../kind.ts";
import { kindOf } from "../kinds.ts";
import { importReasonIn } from "../reading/reasons.ts";
import { importWords } from "./import-words.ts";

/**
 * Everything wrong with a row, in the page's language, with the file's values. Fields have the names that the file
 * gives them.
 */
export function rejectionIn(language: Language, kind: string, { errors, row, cells = {} }: Rejection): string {
  const ofFields = Object.entries(errors).map(([field, reasons]) => {
    const value = cells[field];
    const isChosen = reasons.some(({ code }) => code === "notSelectable");
    if (isChosen) return importWords[language].unknownValue(choice(language, kind, field), value ?? "");
    const said = messagesIn(language, { [field]: reasons }, { [field]: field })[field] ?? [];
    return [...said, ...(value === undefined ? [] : [importWords[language].fileHas(value)])].join(" ");
  });
  return [...(row === undefined ? [] : [importReasonIn(language, row)]), ...ofFields].join(" ");
}

/** The allowed values of a field, as the beginning of a sentence. */
function choice(language: Language, kind: string, field: string): string {
  const values = kindOf(kind).bulk.fields.find(({ name }) => name === field)?.values;
  const words = importWords[language];
  if (values !== undefined) return words.oneOf(field, values.join(", "));
  return words.noSuch[field] ?? words.noSuchUser(field);
}
