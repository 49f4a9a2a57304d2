import type { Database } from "../platform/postgres/database.ts";
import { column, oneValue, selectList, type Call, type Statement } from "../platform/postgres/statement.ts";
import type { Alive, Beginning } from "../sessions/session-queries.ts";
import type { OperatorSession } from "../web/session.ts";

const placeStatement: Statement = {
  name: "operator_session_of_token",
  text: "select id from operator_session_of_token($1)",
};

/**
 * The id of the session with a token's hash, live or not. It uses the connections of requests, so that guesses open no
 * others.
 */
export async function idOfToken(database: Database, hash: Buffer): Promise<string | null> {
  const [[id = null] = []] = await database.readShared(placeStatement, [hash]);
  return id;
}

const session = selectList({
  operator: column.text("o.id"),
  email: column.text("o.email"),
  name: column.text("o.name"),
  awaitsCode: column.flag("s.awaits_code"),
  lastSeenAt: column.number("floor(extract(epoch from s.last_seen_at) * 1000)"),
});

const findStatement: Statement = {
  name: "find_operator_session",
  text: `select ${session.sql} from operator_sessions s join operators o on o.id = s.operator_id
  where s.id = $1 and s.token_hash = $2 and s.created_at > to_timestamp($3::double precision / 1000)
    and s.last_seen_at > to_timestamp($4::double precision / 1000)
    and (not s.awaits_code or s.created_at > to_timestamp($5::double precision / 1000))`,
};

/** @param alive as for users' sessions, in milliseconds since the epoch */
export async function findLiveOperatorSession(
  database: Database,
  id: string,
  hash: Buffer,
  alive: Alive,
): Promise<{ session: OperatorSession; lastSeenAt: number } | null> {
  const parameters = [id, hash, alive.createdAfter, alive.seenAfter, alive.awaitingSince];
  const [rows] = await database.owner([{ statement: findStatement, parameters }]);
  const found = session.first(rows);
  if (found === null) return null;
  const { operator, email, name, awaitsCode, lastSeenAt } = found;
  return { lastSeenAt, session: { id, operator: { id: operator, email, name }, awaitsCode } };
}

const touchStatement: Statement = {
  name: "touch_operator_session",
  text: "update operator_sessions set last_seen_at = to_timestamp($2::double precision / 1000) where id = $1",
};

/** @param time milliseconds since the epoch */
export async function touchOperatorSession(database: Database, id: string, time: number): Promise<void> {
  await database.owner([{ statement: touchStatement, parameters: [id, time] }]);
}

const insertStatement: Statement = {
  name: "insert_operator_session",
  text: `insert into operator_sessions
    (operator_id, token_hash, address, user_agent, created_at, last_seen_at, awaits_code)
  select id, $2, $3, $4, to_timestamp($5::double precision / 1000), to_timestamp($5::double precision / 1000),
    totp_confirmed_at is not null
  from operators where id = $1 and password_hash = $6 for share
  returning awaits_code`,
};

/** Also for sessions that passkeys open. */
export const deleteDeadStatement: Statement = {
  name: "delete_dead_operator_sessions",
  text: `delete from operator_sessions where created_at <= to_timestamp($1::double precision / 1000)
    or last_seen_at <= to_timestamp($2::double precision / 1000)`,
};

/**
 * Adds a session, and removes expired ones. Null if, since the check of this hash, the operator was removed or got
 * another password. The same statement reads whether the session awaits a code, because a second factor may be enabled
 * meanwhile.
 */
export async function insertOperatorSession(
  database: Database,
  { id: operatorId, passwordHash }: { id: string; passwordHash: string },
  { hash, address, userAgent, time }: Beginning,
  { createdAfter, seenAfter }: Pick<Alive, "createdAfter" | "seenAfter">,
): Promise<{ awaitsCode: boolean } | null> {
  const [inserted] = await database.owner([
    { statement: insertStatement, parameters: [operatorId, hash, address, userAgent, time, passwordHash] },
    { statement: deleteDeadStatement, parameters: [createdAfter, seenAfter] },
  ]);
  const awaitsCode = oneValue(inserted);
  return awaitsCode === null ? null : { awaitsCode: awaitsCode === "t" };
}

const holdStatement: Statement = {
  name: "hold_awaiting_operator_session",
  // Locks the operator first, as enabling or disabling the second factor does, which also ends sessions.
  text: `select s.id from operators o join operator_sessions s on s.operator_id = o.id
  where s.id = $1 and s.awaits_code for update of o, s`,
};

const renewStatement: Statement = {
  name: "renew_operator_session",
  text: `update operator_sessions set awaits_code = false, token_hash = $2, address = $3, user_agent = $4,
    created_at = to_timestamp($5::double precision / 1000), last_seen_at = to_timestamp($5::double precision / 1000)
  where id = $1`,
};

/**
 * Turns a session that awaits its code into a full one with a new token, and uses the code up; false as in
 * replaceAwaiting.
 */
export async function renewAwaiting(
  database: Database,
  id: string,
  using: Call,
  { hash, address, userAgent, time }: Beginning,
): Promise<boolean> {
  return await database.ownerTransaction(async (run) => {
    const [held] = await run(holdStatement, [id]);
    if (held === undefined || (await run(using.statement, using.parameters)).length === 0) return false;
    await run(renewStatement, [id, hash, address, userAgent, time]);
    return true;
  });
}

const deleteStatement: Statement = {
  name: "delete_operator_session",
  text: "delete from operator_sessions where id = $1",
};

export async function deleteOperatorSession(database: Database, id: string): Promise<void> {
  await database.owner([{ statement: deleteStatement, parameters: [id] }]);
}
