import {
  listed,
  noteAnswer,
  passkeyStore,
  type AnsweredChallenge,
  type PasskeyStatements,
  type PasskeyStore,
} from "../passkeys/passkey-store.ts";
import { MOST_PASSKEYS } from "../passkeys/passkey.ts";
import type { Database } from "../platform/postgres/database.ts";
import { column, oneValue, selectList, type Selected, type Statement } from "../platform/postgres/statement.ts";
import type { Alive, Beginning } from "../sessions/session-queries.ts";
import { deleteDeadStatement } from "./operator-session-queries.ts";

/** The statements of operators' passkeys (passkeys/passkey-store.ts). */
export const operatorPasskeys = {
  list: {
    name: "list_operator_passkeys",
    text: `select ${listed.sql} from operator_passkeys where operator_id = $1 order by id limit ${MOST_PASSKEYS}`,
  },
  hold: { name: "hold_operator_of_passkeys", text: "select id from operators where id = $1 for update" },
  insert: {
    name: "insert_operator_passkey",
    text: `insert into operator_passkeys (operator_id, name, credential_id, public_key, user_handle, counter, transports, verifies)
    select $1::bigint, $2, $3, $4, $5, $6::bigint, $7, $8::boolean
    where (select count(*) from operator_passkeys where operator_id = $1::bigint) < ${MOST_PASSKEYS}
    on conflict (credential_id) do nothing returning id`,
  },
  use: {
    name: "use_operator_passkey",
    text: `update operator_passkeys set counter = $3, last_used_at = now(), verifies = verifies or $4
    where operator_id = $1 and id = $2 and (counter < $3 or (counter = 0 and $3 = 0)) returning id`,
  },
  // Every operator has a password, so no passkey is the last way to sign in.
  delete: {
    name: "delete_operator_passkey",
    text: "delete from operator_passkeys where operator_id = $1 and id = $2 returning id",
  },
  answer: {
    name: "answer_operator_passkey_challenge",
    text: `insert into operator_passkey_challenges (challenge_hash, expires_at)
    values ($1, to_timestamp($2::double precision / 1000)) on conflict do nothing returning expires_at`,
  },
  forget: {
    name: "forget_operator_passkey_challenges",
    text: "delete from operator_passkey_challenges where expires_at < to_timestamp($1::double precision / 1000)",
  },
} satisfies PasskeyStatements;

/** The passkeys of an operator. */
export function passkeysOfOperator(database: Database, operator: string): PasskeyStore {
  return passkeyStore(operatorPasskeys, {
    id: operator,
    read: async (statement, parameters) => (await database.owner([{ statement, parameters }]))[0],
    transaction: async (work) => await database.ownerTransaction(work),
  });
}

const factorStatement: Statement = {
  name: "operator_has_factor",
  text: "select totp_confirmed_at is not null from operators where id = $1",
};

/** Whether an operator has a second factor; null for one who was removed. */
export async function operatorHasFactor(database: Database, operator: string): Promise<boolean | null> {
  const [rows] = await database.owner([{ statement: factorStatement, parameters: [operator] }]);
  const value = oneValue(rows);
  return value === null ? null : value === "t";
}

const stored = selectList({
  id: column.text("p.id"),
  credentialId: column.text("p.credential_id"),
  userHandle: column.text("p.user_handle"),
  publicKey: column.text("p.public_key"),
  counter: column.number("p.counter"),
  operator: column.text("o.id"),
  email: column.text("o.email"),
});

/** A passkey with its operator, as a sign-in needs it. */
export type OperatorPasskey = Selected<typeof stored>;

const findStatement: Statement = {
  name: "find_operator_passkey",
  text: `select ${stored.sql} from operator_passkeys p join operators o on o.id = p.operator_id where p.credential_id = $1`,
};

export async function findOperatorPasskey(database: Database, credentialId: string): Promise<OperatorPasskey | null> {
  const [rows] = await database.owner([{ statement: findStatement, parameters: [credentialId] }]);
  return stored.first(rows);
}

const insertSessionStatement: Statement = {
  name: "insert_operator_session_by_passkey",
  text: `insert into operator_sessions (operator_id, token_hash, address, user_agent, created_at, last_seen_at)
  values ($1, $2, $3, $4, to_timestamp($5::double precision / 1000), to_timestamp($5::double precision / 1000))`,
};

/** Notes the answer of a passkey, as noteAnswer does, and adds the session that it opens. */
export async function insertSessionByPasskey(
  database: Database,
  { id, operator: owner }: OperatorPasskey,
  answered: AnsweredChallenge,
  { hash, address, userAgent, time }: Beginning,
  { createdAfter, seenAfter }: Pick<Alive, "createdAfter" | "seenAfter">,
): Promise<boolean> {
  return await database.ownerTransaction(async (run) => {
    if (!(await noteAnswer(run, operatorPasskeys, { id, owner }, answered, time))) return false;
    await run(insertSessionStatement, [owner, hash, address, userAgent, time]);
    await run(deleteDeadStatement, [createdAfter, seenAfter]);
    return true;
  });
}
