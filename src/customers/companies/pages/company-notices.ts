import { html } from "../../../kit/web/html.ts";
import { undoButton, type NoticeWords } from "../../../kit/web/notice.ts";
import { isId } from "../../../platform/ids.ts";
import { companyWords } from "../company-words.ts";
import { deletionWords } from "./company-deletion-words.ts";

/**
 * A file of its own: each room has the words of its notices.
 * The lines that the next page shows after a company was written.
 */
export const companyNotices: NoticeWords = {
  "company-created": (_values, language) => html`${companyWords[language].created}`,
  "company-alike": ({ id }, language) => {
    const words = companyWords[language];
    return html`${words.createdAlike} ${isId(id ?? "") && html`<a href="/companies/${id}">${words.open}</a>`}`;
  },
  "company-deleted": ({ id = "", name = "" }, language) =>
    html`${deletionWords[language].deleted(name)} ${undoButton("companies", id, language)}`,
  "company-restored": (_values, language) => html`${deletionWords[language].restored}`,
  "company-saved": (_values, language) => html`${companyWords[language].saved}`,
};
