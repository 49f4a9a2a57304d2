import { passkeyLink } from "../../passkeys/pages/door-pages.ts";
import { doorPages } from "../../sign-in/door-pages.ts";
import { html } from "../../web/html.ts";
import { ownPath } from "../../web/own-path.ts";
import type { OpenPage } from "../../web/page.ts";
import { confirmOperatorCode, endOperatorSession, signInOperator } from "../operator-session.ts";
import { operatorWords } from "../operator-words.ts";

const HOME = "/operator/tenants";

/** GET /operator */
export const operatorHomePage: OpenPage = async () => ({ to: HOME });

/**
 * The pages below /operator/sign-in, and /operator/sign-out. An operator's session has its own cookie, beside a user's.
 */
export const operatorDoorPages = doorPages({
  cookie: "operator",
  path: "/operator/sign-in",
  home: HOME,
  sessionIn: ({ operator }) => operator,
  signIn: signInOperator,
  confirm: confirmOperatorCode,
  end: endOperatorSession,
  words: (language) => operatorWords[language].signIn,
  wrong: async (_deps, { language }) => operatorWords[language].signIn.wrong,
  about(language) {
    const { about, toWorkspaces } = operatorWords[language].signIn;
    return html`<p>${about} <a href="/sign-in">${toWorkspaces}</a></p>`;
  },
  moreFields: () => null,
  insteadOfCode: ({ form, query, language }) =>
    passkeyLink(language, ownPath(form.get("to") ?? query.get("to")), "/operator/sign-in"),
  after: async (_deps, { form, query, language }) =>
    passkeyLink(language, ownPath(form.get("to") ?? query.get("to")), "/operator/sign-in"),
});
