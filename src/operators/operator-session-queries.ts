import type { Database } from "../platform/postgres/database.ts";
import { selectList, type Statement } from "../platform/postgres/statement.ts";
import type { OperatorSession } from "../web/session.ts";

const placeStatement: Statement = {
  name: "operator_session_of_token",
  text: "select id from operator_session_of_token($1)",
};

/** The id of the session of a token's hash, alive or not: asked as requests are, so that guesses open no connection. */
export async function idOfToken(database: Database, hash: Buffer): Promise<string | null> {
  const [[id = null] = []] = await database.readShared(placeStatement, [hash]);
  return id;
}

const session = selectList({
  id: "s.id",
  operator: "o.id",
  email: "o.email",
  name: "o.name",
  lastSeenAt: "floor(extract(epoch from s.last_seen_at) * 1000)",
});

const findStatement: Statement = {
  name: "find_operator_session",
  text: `select ${session.sql} from operator_sessions s join operators o on o.id = s.operator_id
  where s.id = $1 and s.token_hash = $2 and s.created_at > to_timestamp($3::double precision / 1000)
    and s.last_seen_at > to_timestamp($4::double precision / 1000)`,
};

/** @param alive as of a user's session, in milliseconds since the epoch */
export async function findLiveOperatorSession(
  database: Database,
  id: string,
  hash: Buffer,
  alive: { createdAfter: number; seenAfter: number },
): Promise<{ session: OperatorSession; lastSeenAt: number } | null> {
  const parameters = [id, hash, alive.createdAfter, alive.seenAfter];
  const [rows] = await database.owner([{ statement: findStatement, parameters }]);
  const [found] = rows ?? [];
  if (found === undefined) return null;
  const row = session.read(found);
  return {
    lastSeenAt: Number(row.lastSeenAt),
    session: {
      id: String(row.id),
      operator: { id: String(row.operator), email: String(row.email), name: String(row.name) },
    },
  };
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
  text: `insert into operator_sessions (operator_id, token_hash, address, user_agent, created_at, last_seen_at)
  select id, $2, $3, $4, to_timestamp($5::double precision / 1000), to_timestamp($5::double precision / 1000)
  from operators where id = $1 and password_hash = $6 for share
  returning id`,
};

const deleteDeadStatement: Statement = {
  name: "delete_dead_operator_sessions",
  text: `delete from operator_sessions where created_at <= to_timestamp($1::double precision / 1000)
    or last_seen_at <= to_timestamp($2::double precision / 1000)`,
};

/**
 * Adds a session, and removes those that are over. False where the operator was removed, or has another password, since the
 * one of this hash was found right.
 */
export async function insertOperatorSession(
  database: Database,
  { id: operatorId, passwordHash }: { id: string; passwordHash: string },
  { hash, address, userAgent, time }: { hash: Buffer; address: string; userAgent: string; time: number },
  alive: { createdAfter: number; seenAfter: number },
): Promise<boolean> {
  const [rows] = await database.owner([
    { statement: insertStatement, parameters: [operatorId, hash, address, userAgent, time, passwordHash] },
    { statement: deleteDeadStatement, parameters: [alive.createdAfter, alive.seenAfter] },
  ]);
  return rows?.length === 1;
}

const deleteStatement: Statement = {
  name: "delete_operator_session",
  text: "delete from operator_sessions where id = $1",
};

export async function deleteOperatorSession(database: Database, id: string): Promise<void> {
  await database.owner([{ statement: deleteStatement, parameters: [id] }]);
}
