import { html } from "../web/html.ts";
import type { NoticeWords } from "../web/notice.ts";
import { webhookWords } from "./webhook-words.ts";

/** The lines that the next page shows after something was done with a webhook. */
export const webhookNotices: NoticeWords = {
  "webhook-saved": (_values, language) => html`${webhookWords[language].savedNotice}`,
  "webhook-deleted": (_values, language) => html`${webhookWords[language].deletedNotice}`,
  "webhook-tested": (_values, language) => html`${webhookWords[language].testSent}`,
  "webhook-sent-again": (_values, language) => html`${webhookWords[language].sentAgain}`,
  "webhook-secrets": (_values, language) => ({
    meaning: "attention",
    line: html`${webhookWords[language].tooManySecrets}`,
  }),
  "webhook-off": (_values, language) => ({ meaning: "attention", line: html`${webhookWords[language].offNotice}` }),
};
