import type { Database } from "../platform/postgres/database.ts";
import { column, selectList, type Selected, type Statement } from "../platform/postgres/statement.ts";
import { askable } from "../platform/text.ts";
import { EMAIL_MAX } from "../users/user.ts";

const operator = selectList({ id: column.text("id"), email: column.text("email"), name: column.text("name") });

/** An operator of the installation. */
export type Operator = Selected<typeof operator>;

const insertStatement: Statement = {
  name: "insert_operator",
  text: `insert into operators (email, name, password_hash) values ($1, $2, $3)
  on conflict (lower(email)) do nothing returning ${operator.sql}`,
};

/** Null if another operator has the e-mail address. */
export async function insertOperator(
  database: Database,
  { email, name, passwordHash }: { email: string; name: string; passwordHash: string },
): Promise<Operator | null> {
  const [rows] = await database.owner([{ statement: insertStatement, parameters: [email, name, passwordHash] }]);
  return operator.first(rows);
}

const signingIn = selectList({
  id: column.text("id"),
  passwordHash: column.text("password_hash"),
  hasSecondFactor: column.flag("totp_confirmed_at is not null"),
});

const byEmailStatement: Statement = {
  name: "find_operator_by_email",
  text: `select ${signingIn.sql} from operators where lower(email) = lower($1)`,
};

/** The operator with an e-mail address, ignoring case; null for a text that no operator can have. */
export async function findOperatorByEmail(
  database: Database,
  email: string,
): Promise<Selected<typeof signingIn> | null> {
  const address = askable(email, EMAIL_MAX);
  if (address === null) return null;
  const [rows] = await database.owner([{ statement: byEmailStatement, parameters: [address] }]);
  return signingIn.first(rows);
}

const setStatement: Statement = {
  name: "set_operator_password",
  text: "update operators set password_hash = $2 where id = $1",
};

const endSessionsStatement: Statement = {
  name: "end_operator_sessions",
  text: "delete from operator_sessions where operator_id = $1",
};

/** Replaces an operator's password, and ends the operator's sessions. */
export async function setOperatorPassword(database: Database, id: string, hash: string): Promise<void> {
  await database.owner([
    { statement: setStatement, parameters: [id, hash] },
    { statement: endSessionsStatement, parameters: [id] },
  ]);
}

const rehashStatement: Statement = {
  name: "replace_operator_hash",
  text: "update operators set password_hash = $3 where id = $1 and password_hash = $2",
};

/** Replaces the hash of an unchanged password. */
export async function replaceOperatorHash(
  database: Database,
  id: string,
  before: string,
  after: string,
): Promise<void> {
  await database.owner([{ statement: rehashStatement, parameters: [id, before, after] }]);
}

const listStatement: Statement = {
  name: "list_operators",
  text: `select ${operator.sql} from operators order by lower(email)`,
};

export async function listOperators(database: Database): Promise<Operator[]> {
  const [rows] = await database.owner([{ statement: listStatement, parameters: [] }]);
  return (rows ?? []).map(operator.read);
}

const deleteStatement: Statement = {
  name: "delete_operator",
  text: "delete from operators where lower(email) = lower($1) returning id",
};

/** Removes an operator with all sessions. Returns the operator's id, or null for an unknown address. */
export async function deleteOperator(database: Database, email: string): Promise<string | null> {
  const address = askable(email, EMAIL_MAX);
  if (address === null) return null;
  const [rows] = await database.owner([{ statement: deleteStatement, parameters: [address] }]);
  const [[id = null] = []] = rows ?? [];
  return id;
}
