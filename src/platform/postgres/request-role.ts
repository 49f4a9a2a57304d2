import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";
import pg from "pg";
import { Refusal } from "../refusal.ts";
import { advisoryLocks } from "./advisory-locks.ts";
import { asOwner } from "./as-owner.ts";
import type { Connection, Database } from "./database.ts";
import { CONNECT_TIMEOUT_MS } from "./request-settings.ts";
import { readSetting, writeFirstSetting } from "./settings.ts";
import type { Statement } from "./statement.ts";
import { retryWhileFull } from "./transactions/while-full.ts";

/** The name in `settings` of the password, which all processes share. */
const PASSWORD = "request_role_password";
const INSUFFICIENT_PRIVILEGE = "42501";

/**
 * How requests connect to the database: as a separate login role that owns nothing and can change only to liaison_app,
 * which has the privileges. It is created at the first start. Roles belong to the whole server, so each database has
 * its own. If the owner may not create it, throws Refusal: one line with the statement that a superuser must run.
 */
export async function openRequestRole(connection: Connection): Promise<Connection> {
  return await asOwner(connection, async (client) => {
    await checkGrants(client);
    await client.query("select pg_advisory_lock($1)", [advisoryLocks.requestRole]);
    const { name, exists } = await findRole(client);
    await writeFirstSetting(client, PASSWORD, randomBytes(24).toString("base64url"));
    const password = (await readSetting(client, PASSWORD)) ?? "";
    const requests = { ...connection, user: name, password };
    if (exists && (await retryWhileFull(() => refusalOf(requests))) === null) return requests;
    // All processes set the same password, so none invalidates that of another.
    const login = `role ${name} login password '${scramSecret(password)}'`;
    await setUp(client, exists ? `alter ${login}` : `create ${login} in role liaison_app`);
    const refusal = await retryWhileFull(() => refusalOf(requests));
    if (refusal === null) return requests;
    throw new Refusal(
      `The database refuses the role ${name}, by which requests log in (pg_hba.conf, method scram-sha-256): ${refusal.message}`,
    );
  });
}

/**
 * A dump that was restored before the role existed has lost its grants and row policies; `--no-policies` leaves out
 * row-level security with them. Names that end with digits are shards of Citus.
 */
async function checkGrants(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ isWhole: boolean }>(
    `select coalesce(bool_and(has_any_column_privilege(app.oid, t.oid, 'select')
        and (t.relname = 'tenants' or exists (select from pg_policy where polrelid = t.oid)))
      and bool_or(t.relrowsecurity), false) as "isWhole"
    from pg_roles app, pg_class companies join pg_class t on t.relnamespace = companies.relnamespace
      and (t.relrowsecurity or t.relname = 'tenants') and t.relkind in ('r', 'p') and t.relname !~ '[0-9]$'
    where app.rolname = 'liaison_app' and companies.oid = 'companies'::regclass`,
  );
  if (rows[0]?.isWhole === true) return;
  throw new Refusal(
    "The database lacks the rights of the role liaison_app, as a dump does that was restored without it: run `create role liaison_app nologin`, and restore the dump again into an empty database, with its privileges and policies.",
  );
}

async function findRole(client: pg.Client): Promise<{ name: string; exists: boolean }> {
  const { rows } = await client.query<{ name: string; exists: boolean }>(
    `select name, exists (select from pg_roles where rolname = name)
    from (select 'liaison_requests_' || oid as name from pg_database where datname = current_database()) role`,
  );
  return rows[0] ?? { name: "", exists: false };
}

/** Why the database rejects a connection; null if it accepts it. */
async function refusalOf(connection: Connection): Promise<pg.DatabaseError | null> {
  const client = new pg.Client({ connectionTimeoutMillis: CONNECT_TIMEOUT_MS, ...connection });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.end();
    return null;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code?.startsWith("28")) return error;
    throw error;
  }
}

async function setUp(client: pg.Client, statement: string): Promise<void> {
  try {
    await client.query(statement);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new Refusal(
      `The role of DATABASE_URL may not create the role of requests; as a superuser run: ${statement};`,
    );
  }
}

/** A password as PostgreSQL stores it (RFC 5803): if it appears in a log or a message, it cannot be used to sign in. */
function scramSecret(password: string): string {
  const iterations = 4_096;
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, iterations, 32, "sha256");
  const clientKey = createHmac("sha256", salted).update("Client Key").digest();
  const storedKey = createHash("sha256").update(clientKey).digest("base64");
  const serverKey = createHmac("sha256", salted).update("Server Key").digest("base64");
  return `SCRAM-SHA-256$${iterations}:${salt.toString("base64")}$${storedKey}:${serverKey}`;
}

const roleStatement: Statement = {
  name: "request_role",
  text: `select current_user = session_user and login.rolname = session_user
      and not (login.rolsuper or login.rolcreaterole or login.rolcreatedb or login.rolbypassrls or login.rolreplication)
      and not exists (select from pg_shdepend d where d.refclassid = 'pg_authid'::regclass and d.refobjid in (login.oid, app.oid) and d.deptype = 'o')
      and array(select m.roleid from pg_auth_members m where m.member in (login.oid, app.oid)) = array[app.oid],
    current_setting('enable_seqscan') = 'off'
  from pg_roles login, pg_roles app where login.rolname = session_user and app.rolname = 'liaison_app'`,
};

/**
 * Checks that requests run as a role that owns nothing and cannot become another, and that no connection pooler drops
 * the connection's options, which limit what a statement may use.
 */
export async function checkRequestRole(database: Database): Promise<void> {
  const [[isBound, hasOptions] = []] = await retryWhileFull(() => database.readShared(roleStatement));
  if (isBound !== "t") {
    throw new Refusal(
      "The role of requests has more rights than requests need: make it a member of liaison_app alone, without objects of its own and without attributes except login.",
    );
  }
  if (hasOptions !== "t") {
    throw new Refusal(
      "DATABASE_URL leads to a connection pooler that drops the connection's options: let it pass `options`, or connect without it.",
    );
  }
}
