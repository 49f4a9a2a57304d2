import { html } from "../web/html.ts";
import type { NoticeWords } from "../web/notice.ts";
import { invitationWords } from "./invitation-words.ts";
import { signInWords } from "./sign-in-words.ts";

/** The lines about what came before a sign-in. */
export const signInNotices: NoticeWords = {
  "sign-in-again": (_values, language) => ({ meaning: "attention", line: html`${signInWords[language].again}` }),
  "signed-out-meanwhile": (_values, language) => ({ meaning: "attention", line: html`${signInWords[language].ended}` }),
  "account-made": (_values, language) => html`${invitationWords[language].made}`,
  welcome: (_values, language) => html`${invitationWords[language].welcome}`,
};
