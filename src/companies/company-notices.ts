import { html } from "../web/html.ts";
import type { NoticeWords } from "../web/notice.ts";
import { companyWords } from "./company-words.ts";

/** The lines that the next page shows after a company was written. */
export const companyNotices: NoticeWords = {
  "company-created": (_values, language) => html`${companyWords[language].created}`,
  "company-saved": (_values, language) => html`${companyWords[language].saved}`,
};
