import { listOf, type InLanguages, type Language } from "../../kit/web/language.ts";
import type { AlikeEvidence } from "./compare-companies.ts";

/** The evidence that two companies look the same, in words. */
const evidenceWords: InLanguages<Record<AlikeEvidence, string>> = {
  en: { tax_id: "fiscal id", phone: "phone", email_domain: "e-mail domain", name: "name" },
  ro: { tax_id: "codul fiscal", phone: "telefonul", email_domain: "domeniul de e-mail", name: "denumirea" },
};

/** "phone and name" */
export function evidenceIn(language: Language, evidence: readonly AlikeEvidence[]): string {
  const words = evidence.map((kind) => evidenceWords[language][kind]);
  return listOf(language, words, words.length);
}
