import type { InLanguages } from "../web/language.ts";

/** The statuses that an invoice's page offers, by the invoice's status. The API and an import accept any. */
const steps: Readonly<Record<string, readonly string[]>> = {
  draft: ["issued", "cancelled"],
  issued: ["paid", "cancelled"],
  paid: ["issued"],
  cancelled: ["issued"],
};

export function isStep(from: string, to: string): boolean {
  return steps[from]?.includes(to) === true;
}

/** The name of a step from one status to another. */
type StepName = "issue" | "pay" | "unpay" | "cancel" | "reopen";

/** Null for a change of status that is no step. */
export function stepName(from: string | null, to: string): StepName | null {
  if (from === null || !isStep(from, to)) return null;
  if (to === "paid") return "pay";
  if (to === "cancelled") return "cancel";
  return from === "draft" ? "issue" : from === "paid" ? "unpay" : "reopen";
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
    unpay: { act: "Not paid after all", done: "Marked as not paid." },
    cancel: { act: "Cancel invoice", done: "Cancelled." },
    reopen: { act: "Reopen", done: "Reopened." },
  },
  ro: {
    issue: { act: "Emite", done: "Emisă." },
    pay: { act: "Marchează ca plătită", done: "Marcată ca plătită." },
    unpay: { act: "Totuși neplătită", done: "Marcată ca neplătită." },
    cancel: { act: "Anulează factura", done: "Anulată." },
    reopen: { act: "Redeschide", done: "Redeschisă." },
  },
};
