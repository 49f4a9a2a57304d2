import { draftOf, type Draft, type Writable } from "../../../platform/fields/draft.ts";
import type { Field, Input } from "../../../platform/fields/fields.ts";
import type { RowNote } from "../cells/read-cell.ts";
import type { Target } from "../kind.ts";
import type { CsvHeader } from "../reading/header.ts";
import type { Existing } from "./find-existing.ts";

/** Cells that are no value of their fields: those of fields that may be empty are left out of rows of pages. */
export function withoutUnfit(
  bulk: Writable,
  { language, choices }: Pick<CsvHeader, "language" | "choices">,
  { input: read, notes = [] }: { input: Input; notes: readonly RowNote[] | undefined },
  draft: Draft,
): { draft: Draft; notes: readonly RowNote[] } {
  const wrong = Object.keys(draft.messages ?? {});
  if (language === null || wrong.length === 0) return { draft, notes };
  const isLeft = (name: string) => {
    const field = bulk.fields.find((one) => one.name === name);
    return field !== undefined && mayBeLeftOut(field) && choices[name] !== "skip";
  };
  if (!wrong.every(isLeft)) {
    // The row is skipped for what cannot be left out.
    const others = Object.entries(draft.messages ?? {}).filter(([name]) => !isLeft(name));
    return { draft: { ...draft, messages: Object.fromEntries(others) }, notes };
  }
  const input = Object.fromEntries(Object.entries(read).filter(([name]) => !wrong.includes(name)));
  const unfit = wrong.map((field): RowNote => ({ field, text: String(read[field]), why: "unfit" }));
  return { draft: draftOf(bulk, input, draft.mode), notes: [...notes, ...unfit] };
}

/** E-mail addresses, days, whole numbers, phones and users. Amounts are never left out. */
export function mayBeLeftOut({ kind, required, encrypted }: Field): boolean {
  return required !== true && (kind === "email" || kind === "date" || kind === "integer" || encrypted === "phone");
}

/** Our own files of invoices have the day that they are due by the terms, which stays computed. */
export function withoutComputed(
  { bulk: { computedDay }, header }: Target,
  changes: Input,
  { found }: Existing,
): Record<string, unknown> {
  if (!header.isFile || computedDay === undefined || found[computedDay.field] !== null) return { ...changes };
  const { field, as } = computedDay;
  return Object.fromEntries(Object.entries(changes).filter(([name, value]) => name !== field || value !== found[as]));
}
