import { profileWords } from "../../profile/profile-words.ts";
import { factorPages } from "../../profile/second-factor-page.ts";
import type { OperatorRequest } from "../../web/page.ts";
import { accountOfOperator } from "../operator-session.ts";

/** The pages below /operator/second-factor, for the operator's own factor. */
export const operatorFactorPages = factorPages<OperatorRequest>(
  {
    path: "/operator/second-factor",
    area: "operator",
    home: "/operator/profile",
    homeName: (language) => profileWords[language].title,
  },
  (database, { operator }) => ({
    account: accountOfOperator(database, operator),
    workspace: "operator",
    email: operator.operator.email,
    timeZone: "UTC",
  }),
);
