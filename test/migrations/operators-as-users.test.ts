import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { migrate } from "../../src/platform/postgres/migrations/migrate.ts";
import { generateTotpSecret } from "../../src/users/totp.ts";
import { hashRecoveryCode } from "../../src/users/recovery-code.ts";
import { startServer } from "../harness.ts";
import { addPasskey, memberWithPasskey, ORIGIN, signInBy } from "../passkeys/people.ts";
import { codeOf } from "../web/second-factor.ts";
import { PASSWORD, PASSWORD_HASH, visitor } from "../web/visitor.ts";
import { MIGRATIONS } from "./more-migrations.ts";

const NAME = "0400_operators-as-users";
const TENANTS = "/operator/tenants";
const server = await startServer({ LIAISON_PUBLIC_URL: ORIGIN });
const { deps } = server;
const sql = async (text: string, parameters?: unknown[]) => await server.sql(text, parameters);

/** The statements of earlier migrations that make the tables of operators. */
function statementsOfTables(): string {
  const texts = ["0001_tenants-and-users", "0370_passkeys-of-operators"].map((name) =>
    fs.readFileSync(path.join(MIGRATIONS, `${name}.sql`), "utf8"),
  );
  const statements = texts.join("\n").match(/^create (?:table|index|unique index) operator[^]*?;$/gm) ?? [];
  assert.equal(statements.length, 9);
  return statements.join("\n");
}

/** The database as it was, with what operators had. */
async function before(): Promise<void> {
  await sql(statementsOfTables());
  await sql("delete from migrations where name = $1", [NAME]);
  await sql("delete from tenants where id = 0");
}

test("operators of an earlier release sign in with what they had: password, code, recovery code and passkey", async () => {
  await before();
  const secret = generateTotpSecret();
  const sealed = deps.keyring.encrypt("", "operators.totp_secret", secret);
  await sql(
    `insert into operators (email, name, password_hash, totp_secret, totp_confirmed_at)
     values ('Plain@example.com', 'Plain', $1, null, null), ('careful@example.com', 'Careful', $1, $2, now())`,
    [PASSWORD_HASH, sealed],
  );
  await sql("insert into operator_recovery_codes (operator_id, code_hash) values (2, $1)", [hashRecoveryCode("AB-CD")]);
  await sql(
    `insert into operator_sessions (operator_id, token_hash, address, user_agent, created_at, last_seen_at)
     values (1, 'x', '', '', now(), now())`,
  );
  // The passkey of a user, as the operator's: its row is moved to the former table.
  const { passkey } = await memberWithPasskey(server);
  await sql(
    `insert into operator_passkeys (operator_id, name, credential_id, public_key, user_handle, counter, transports, verifies)
     select 1, name, credential_id, public_key, user_handle, counter, transports, verifies from passkeys`,
  );
  await sql("delete from passkeys");

  assert.deepEqual(await migrate(server.connection), [NAME]);
  assert.deepEqual(await sql("select to_regclass('operators') as t, to_regclass('operator_passkeys') as p"), [
    { t: null, p: null },
  ]);
  const plain = visitor(server);
  assert.equal((await plain.post("/sign-in", { workspace: "", email: "plain@example.com", password: PASSWORD })).location, TENANTS);
  assert.equal((await signInBy(passkey, visitor(server))).location, TENANTS);
  assert.equal((await addPasskey(plain)).added.location, "/profile");
  for (const code of [codeOf(secret), "abcd"]) {
    const careful = visitor(server);
    const form = { workspace: "", email: "careful@example.com", password: PASSWORD };
    assert.equal((await careful.post("/sign-in", form)).location, "/sign-in/code");
    assert.equal((await careful.post("/sign-in/code", { code })).location, TENANTS, code);
  }
});

test("an installation without operators has no workspace of its own until the first one is created", async () => {
  const other = await startServer();
  assert.deepEqual(await other.sql("select id from tenants"), []);
});
