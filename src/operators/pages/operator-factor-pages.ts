import { factorPages } from "../../profile/second-factor-page.ts";
import type { OperatorRequest } from "../../web/page.ts";
import { accountOfOperator } from "../operator-session.ts";
import { operatorWords } from "../operator-words.ts";

/** The pages below /operator/second-factor, for the operator's own factor. */
export const operatorFactorPages = factorPages<OperatorRequest>(
  {
    path: "/operator/second-factor",
    area: "operator",
    home: "/operator/tenants",
    homeName: (language) => operatorWords[language].tenants,
  },
  (database, { operator }) => ({
    account: accountOfOperator(database, operator),
    workspace: "operator",
    email: operator.operator.email,
    timeZone: "UTC",
  }),
);
