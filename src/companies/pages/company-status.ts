import type { Html } from "../../web/html.ts";
import type { Language } from "../../web/language.ts";
import { state, type Meaning } from "../../web/state.ts";
import { companyStatuses } from "../company-words.ts";

const MEANINGS: Record<string, Meaning> = {
  active: "good",
  prospect: "waiting",
  inactive: "neutral",
  churned: "wrong",
};

/** A company's status as a page shows it. */
export function companyStatus(status: string, language: Language): Html {
  return state(MEANINGS[status] ?? "neutral", companyStatuses[language][status] ?? status);
}
