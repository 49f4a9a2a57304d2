import type { Html } from "../../../kit/web/html.ts";
import type { Language } from "../../../kit/web/language.ts";
import { state } from "../../../kit/web/state.ts";
import type { WorkspaceMember } from "../member-queries.ts";
import { userWords } from "../user-words.ts";

/** Whether somebody can sign in. */
export function userState({ deactivatedAt }: Pick<WorkspaceMember, "deactivatedAt">, language: Language): Html {
  const words = userWords[language];
  return deactivatedAt === null ? state("good", words.active) : state("neutral", words.deactivated);
}
