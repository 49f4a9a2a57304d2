import type { Html } from "../../web/html.ts";
import type { Language } from "../../web/language.ts";
import { state } from "../../web/state.ts";
import type { WorkspaceMember } from "../member-queries.ts";
import { userWords } from "../user-words.ts";

/** Whether somebody can sign in. */
export function userState({ deactivatedAt }: Pick<WorkspaceMember, "deactivatedAt">, language: Language): Html {
  const words = userWords[language];
  return deactivatedAt === null ? state("good", words.active) : state("neutral", words.deactivated);
}
