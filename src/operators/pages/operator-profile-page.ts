import { ownPasskeys } from "../../passkeys/pages/own-pages.ts";
import { profileWords } from "../../profile/profile-words.ts";
import { factorSection } from "../../profile/second-factor-forms.ts";
import { secondFactorOf } from "../../users/second-factor.ts";
import { html } from "../../web/html.ts";
import type { OperatorPage } from "../../web/page.ts";
import { passkeysOfOperator } from "../operator-passkey-queries.ts";
import { accountOfOperator } from "../operator-session.ts";
import { OPERATOR_PASSKEYS } from "./operator-passkey-pages.ts";

/** GET /operator/profile: an operator's own second factor and passkeys. */
export const operatorProfilePage: OperatorPage = async ({ database, keyring }, { operator: session, language }) => {
  const { operator } = session;
  const words = profileWords[language];
  const [factor, passkeys] = await Promise.all([
    secondFactorOf(keyring, accountOfOperator(database, session).factor),
    passkeysOfOperator(database, operator.id).list(),
  ]);
  const main = html`<header class="heading"><h1>${words.title}</h1></header>
<section class="section"><dl class="facts">
<dt>${words.name}</dt><dd>${operator.name}</dd>
<dt>${words.email}</dt><dd>${operator.email}</dd>
</dl></section>
${factorSection(factor, "/operator/second-factor", language, "UTC")}
${ownPasskeys(OPERATOR_PASSKEYS, passkeys, language, "UTC")}`;
  return { title: words.title, area: "operator", main };
};
