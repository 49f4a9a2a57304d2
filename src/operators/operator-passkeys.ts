import type { Deps } from "../deps.ts";
import type { PasskeyOwner } from "../passkeys/own-passkeys.ts";
import { usingPasskey } from "../passkeys/passkey-store.ts";
import type { PasskeyDoor } from "../passkeys/sign-in.ts";
import { askable, trim } from "../platform/text.ts";
import { aliveAt } from "../sessions/begin-session.ts";
import { operatorAccountOf, OPERATORS_TURN, strangersTurn } from "../sessions/subjects.ts";
import { EMAIL_MAX } from "../users/user.ts";
import type { OperatorSession } from "../web/session.ts";
import {
  findOperatorPasskey,
  insertSessionByPasskey,
  operatorHasFactor,
  operatorPasskeys,
  passkeysOfOperator,
} from "./operator-passkey-queries.ts";
import { findOperatorByEmail } from "./operator-queries.ts";
import { renewAwaiting } from "./operator-session-queries.ts";
import { accountOfOperator } from "./operator-session.ts";

/** An operator as the owner of passkeys. */
export function passkeyOwnerOfOperator({ database }: Deps, session: OperatorSession): PasskeyOwner {
  const { id, operator } = session;
  return {
    door: "operators",
    session: id,
    account: accountOfOperator(database, session),
    name: `${operator.email} · operator`,
    displayName: operator.name,
    passkeys: passkeysOfOperator(database, operator.id),
    async standing() {
      const hasSecondFactor = await operatorHasFactor(database, operator.id);
      return hasSecondFactor === null ? null : { hasPassword: true, mayUse: true, hasSecondFactor, isFresh: false };
    },
    reporting: () => [],
  };
}

/** The operators' door. */
export const operatorPasskeyDoor: PasskeyDoor<OperatorSession> = {
  door: "operators",
  turnOf: (_deps, { network }) => strangersTurn("operators", network),
  named({ database }, named) {
    const email = askable(trim(named.email), EMAIL_MAX);
    if (email === null) return null;
    return {
      account: operatorAccountOf(email),
      async find() {
        const operator = await findOperatorByEmail(database, email);
        if (operator === null) return null;
        return { tenant: null, passkeys: await passkeysOfOperator(database, operator.id).list() };
      },
    };
  },
  async find({ database }, { credentialId, userHandle }) {
    const passkey = await findOperatorPasskey(database, credentialId);
    // An authenticator that lists no accounts returns no handle.
    if (passkey === null || (userHandle ?? passkey.userHandle) !== passkey.userHandle) return null;
    return {
      ...passkey,
      account: operatorAccountOf(passkey.email),
      turn: OPERATORS_TURN,
      begin: async (answered, from) =>
        await insertSessionByPasskey(database, passkey, answered, from, aliveAt(from.time)),
    };
  },
  awaiting({ database }, session) {
    const { id, operator } = session;
    return {
      ...accountOfOperator(database, session),
      list: async () => await passkeysOfOperator(database, operator.id).list(),
      async find({ credentialId }) {
        const passkey = await findOperatorPasskey(database, credentialId);
        if (passkey === null || passkey.operator !== operator.id) return null;
        return {
          ...passkey,
          // The challenge ends with the step that it is for.
          begin: async ({ checked }, from) => {
            const using = usingPasskey(operatorPasskeys, { id: passkey.id, owner: operator.id }, checked);
            return await renewAwaiting(database, id, using, from);
          },
        };
      },
    };
  },
};
