import { html } from "../web/html.ts";
import type { Language } from "../web/language.ts";
import type { NoticeWords } from "../web/notice.ts";
import { userWords } from "./user-words.ts";

/** The lines that the next page shows after a user or an invitation was changed. */
export const userNotices: NoticeWords = {
  "invitation-revoked": (_values, language) => html`${userWords[language].revoked}`,
  "role-saved": (values, language) => html`${userWords[language].roleSaved}${invitationsEnded(values, language)}`,
  "user-deactivated": (values, language) =>
    html`${userWords[language].deactivateDone}${invitationsEnded(values, language)}`,
  "second-factor-reset": (_values, language) => html`${userWords[language].resetDone}`,
  "second-factor-was-off": (_values, language) => ({ meaning: "attention", line: html`${userWords[language].wasOff}` }),
  "user-reactivated": (_values, language) => html`${userWords[language].reactivateDone}`,
};

function invitationsEnded({ invitations }: Readonly<Record<string, string>>, language: Language): string | null {
  const count = Number(invitations);
  return count > 0 ? ` ${userWords[language].invitationsEnded(count)}` : null;
}
