import type { Language } from "../../../kit/web/language.ts";
import { messagesIn } from "../../../kit/web/messages.ts";
import { columnLabel, labelsOfKind, valueLabels } from "../columns/column-labels.ts";
import type { Rejection } from "../kind.ts";
import { wholeKind, type OfWorkspace } from "../kinds.ts";
import { importReasonIn, type ImportReason } from "../reasons.ts";
import { importWords } from "./import-words.ts";

/** Everything wrong with a row, in the page's language, with the file's values. */
export function rejectionIn(language: Language, of: OfWorkspace, { errors, row, cells = {} }: Rejection): string {
  const labels = labelsOfKind(of, language);
  const ofFields = Object.entries(errors).map(([field, reasons]) => {
    if (reasons.length === 0) return "";
    const value = cells[field];
    const isUser = wholeKind(of).bulk.fields.some((one) => one.name === field && one.kind === "user");
    const isChosen = reasons.some(({ code }) => code === "notSelectable" || (isUser && code === "notInteger"));
    if (isChosen) return importWords[language].unknownValue(choice(language, of, field), value ?? "");
    const said = messagesIn(language, { [field]: reasons }, labels)[field] ?? [];
    return [...said, ...(value === undefined ? [] : [importWords[language].fileHas(value)])].join(" ");
  });
  return [...(row === undefined ? [] : [importReasonIn(language, row)]), ...ofFields]
    .filter((text) => text !== "")
    .join(" ");
}

/** Why a file cannot be imported, with the columns to choose by their labels. */
export function fileReasonIn(language: Language, of: OfWorkspace, reason: ImportReason): string {
  const words = importWords[language];
  const label = (field: string) => {
    const text = columnLabel(of, language, field);
    return language === "en" ? text.charAt(0).toLowerCase() + text.slice(1) : text;
  };
  if (reason.code === "columnMissing") return words.chooseColumn(reason.columns.map(label).join(words.or));
  if (reason.code === "columnTwice") return words.sameColumn(label(reason.column));
  return importReasonIn(language, reason);
}

/** The allowed values of a field, as the beginning of a sentence. */
function choice(language: Language, of: OfWorkspace, field: string): string {
  const { fields, table } = wholeKind(of).bulk;
  const found = fields.find(({ name }) => name === field);
  const values = found?.values;
  const words = importWords[language];
  const label = columnLabel(of, language, field);
  const labels = valueLabels(table, found, language);
  if (values?.length === 0) return words.noOption(label);
  if (values !== undefined) return words.oneOf(label, values.map((value) => labels[value] ?? value).join(", "));
  return words.noSuch[field] ?? words.noSuchUser(label);
}
