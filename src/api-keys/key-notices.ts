import { html } from "../web/html.ts";
import type { NoticeWords } from "../web/notice.ts";
import { keyWords } from "./key-words.ts";

/** The line that the next page shows after a key was revoked. */
export const keyNotices: NoticeWords = {
  "key-revoked": (_values, language) => html`${keyWords[language].revokedNotice}`,
};
