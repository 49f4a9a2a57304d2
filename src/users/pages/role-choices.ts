import type { Choice } from "../../web/forms/select.ts";
import type { Language } from "../../web/language.ts";
import { roleWords } from "../user-words.ts";

/** The roles to choose one of. */
export function roleChoices(language: Language): Choice[] {
  const { admin, member } = roleWords[language];
  return [
    { value: "member", label: member },
    { value: "admin", label: admin },
  ];
}
