import { html } from "../web/html.ts";
import type { NoticeWords } from "../web/notice.ts";
import { signInWords } from "./sign-in-words.ts";

/** The lines that the sign-in page shows about what came before. */
export const signInNotices: NoticeWords = {
  "sign-in-again": (_values, language) => html`${signInWords[language].again}`,
};
