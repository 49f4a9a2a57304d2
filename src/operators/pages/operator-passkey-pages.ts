import { passkeyDoorPages } from "../../passkeys/pages/door-pages.ts";
import { ownPasskeyPages, type OwnPlace } from "../../passkeys/pages/own-pages.ts";
import type { OperatorRequest } from "../../web/page.ts";
import { operatorPasskeyDoor, passkeyOwnerOfOperator } from "../operator-passkeys.ts";
import { endOperatorSession } from "../operator-session.ts";

/** The pages below /operator/sign-in/passkey. */
export const operatorPasskeyDoorPages = passkeyDoorPages({
  door: operatorPasskeyDoor,
  cookie: "operator",
  path: "/operator/sign-in",
  home: "/operator/tenants",
  sessionIn: ({ operator }) => operator,
  end: endOperatorSession,
});

export const OPERATOR_PASSKEYS: OwnPlace = {
  path: "/operator/passkeys",
  area: "operator",
  home: "/operator/profile",
};

/** The pages below /operator/passkeys. */
export const operatorPasskeyPages = ownPasskeyPages<OperatorRequest>(OPERATOR_PASSKEYS, (deps, { operator }) =>
  passkeyOwnerOfOperator(deps, operator),
);
