import { html } from "../web/html.ts";
import type { NoticeWords } from "../web/notice.ts";
import { userWords } from "./user-words.ts";

/** The lines that the next page shows after a user or an invitation was changed. */
export const userNotices: NoticeWords = {
  "invitation-revoked": (_values, language) => html`${userWords[language].revoked}`,
  "role-saved": (_values, language) => html`${userWords[language].roleSaved}`,
  "user-deactivated": (_values, language) => html`${userWords[language].deactivateDone}`,
  "second-factor-reset": (_values, language) => html`${userWords[language].resetDone}`,
  "second-factor-was-off": (_values, language) => html`${userWords[language].wasOff}`,
  "user-reactivated": (_values, language) => html`${userWords[language].reactivateDone}`,
};
