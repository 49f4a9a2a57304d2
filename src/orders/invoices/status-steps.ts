import type { InLanguages } from "../../kit/web/language.ts";

/** The changes of status that an invoice's page offers. The API and an import accept any. */
const steps = {
  issue: { from: ["draft"], to: "issued" },
  pay: { from: ["issued"], to: "paid" },
  unpay: { from: ["paid"], to: "issued" },
  cancel: { from: ["draft", "issued"], to: "cancelled" },
  reopen: { from: ["cancelled"], to: "issued" },
} as const satisfies Record<string, { from: readonly string[]; to: string }>;

export type StepName = keyof typeof steps;

const names = Object.keys(steps) as StepName[];

/** The steps from a status. */
export function stepsFrom(status: string | null): StepName[] {
  return names.filter((name) => steps[name].from.some((from) => from === status));
}

/** The status that a step leads to; null if it is no step from the present status: then its button is outdated. */
export function stepTo(step: string, status: string | null): string | null {
  const name = stepsFrom(status).find((each) => each === step);
  return name === undefined ? null : steps[name].to;
}

type StepWords = {
  /** The button. */
  act: string;
  /** The notice after it. */
  done: string;
};

export const stepWords: InLanguages<Readonly<Record<StepName, StepWords>>> = {
  en: {
    issue: { act: "Issue", done: "Issued." },
    pay: { act: "Mark paid", done: "Marked as paid." },
    unpay: { act: "Undo the payment", done: "Marked as not paid." },
    cancel: { act: "Cancel invoice", done: "Cancelled." },
    reopen: { act: "Reopen", done: "Reopened." },
  },
  ro: {
    issue: { act: "Emite", done: "Emisă." },
    pay: { act: "Marchează ca încasată", done: "Marcată ca încasată." },
    unpay: { act: "Anulează încasarea", done: "Încasarea este anulată." },
    cancel: { act: "Anulează factura", done: "Anulată." },
    reopen: { act: "Redeschide", done: "Redeschisă." },
  },
};
