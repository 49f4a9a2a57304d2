import assert from "node:assert/strict";
import { argon2Sync } from "node:crypto";
import { test } from "node:test";
import { idArgument, slugArgument } from "../../src/cli/arguments.ts";
import {
  parseAllowedNetworks,
  parseCapabilities,
  parseExpiry,
  parseRate,
} from "../../src/people/api-keys/key-specification.ts";
import { Refusal } from "../../src/platform/refusal.ts";
import { createInstallation, type RunOptions } from "./installation.ts";

const installation = await createInstallation();
const { json, run, sql } = installation;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

await sql(
  "insert into tenants (slug, name, country) values ('acme', 'Acme', 'Romania'), ('other', 'Other', 'Romania')",
);

/** Somebody whom a test begins with, of a password that nobody has. Returns the id. */
async function userOfAcme(email: string): Promise<number> {
  const [user] = await sql(
    `insert into users (tenant_id, email, name, role, password_hash, changed_by)
     select id, $1, 'Ion', 'member', '$argon2id$', 'command' from tenants where slug = 'acme' returning id`,
    [email],
  );
  return Number(user?.id);
}

/** An operator, likewise. */
async function operatorNamed(email: string): Promise<number> {
  await sql("insert into tenants (id, slug, name) values (0, '', 'operators') on conflict do nothing");
  const [operator] = await sql(
    `insert into users (tenant_id, email, name, role, password_hash)
     values (0, $1, 'Ion', 'operator', '$argon2id$') returning id`,
    [email],
  );
  return Number(operator?.id);
}

const isRefusal = (complaint: RegExp) => (error: unknown) =>
  error instanceof Refusal && complaint.test(error.message) && !error.message.includes("\n");

/** One clear line on standard error, nothing on standard output, a non-zero exit code. */
async function refused(args: string[], complaint: RegExp, options?: RunOptions): Promise<void> {
  const { code, stdout, stderr } = await run(args, options);
  assert.equal(stdout, "", args.join(" "));
  assert.match(stderr, complaint, args.join(" "));
  assert.equal(stderr.trim().split("\n").length, 1, stderr);
  assert.equal(code, 1);
}

test("migrate says what it applied, which is nothing on a current database", async () => {
  assert.deepEqual(await json(["migrate"]), { applied: [] });
  assert.match((await run(["migrate"])).stdout, /up to date/);
});

test("a database of another line of development is refused, and the refusal says what to do", async () => {
  const [last] = await sql("select id, name from migrations order by id desc limit 1");
  const rename = async (name: unknown) => await sql("update migrations set name = $2 where id = $1", [last?.id, name]);
  await rename("0000_elsewhere");
  const complaint = new RegExp(
    `^This database has the migration 0000_elsewhere where this version has ${last?.name}: .+`,
  );
  await refused(["migrate"], complaint);
  await refused(["serve"], complaint);
  await rename(last?.name);
});

test("passwords work again where single sign-on was the only way, once", async () => {
  await run(["tenant", "create", "southwind"]);
  const user = ["user", "create", "--tenant", "southwind", "--email", "ana@southwind.example", "--name", "Ana"];
  const { id } = await json(user);
  await sql(
    `insert into single_sign_on (tenant_id, sso_issuer, sso_client_id, sso_client_secret, sso_on, sso_only, sso_break_glass)
     select id, '', '', '', true, true, $1 from tenants where slug = 'southwind'`,
    [id],
  );
  const allow = ["tenant", "allow-passwords", "southwind"];
  assert.deepEqual(await json(allow), { tenant: "southwind", passwords: true });
  assert.deepEqual(await sql("select sso_on as on, sso_only as only, sso_break_glass as admin from single_sign_on"), [
    { on: true, only: false, admin: null },
  ]);
  assert.match((await run(allow)).stderr, /already allows passwords\. Nothing was changed/);
});

test("a tenant is created, suspended, resumed and listed", async () => {
  const created = await json(["tenant", "create", " northwind ", "--name", " Northwind ", "--country", "Moldova"]);
  assert.deepEqual(created, { id: created.id, slug: "northwind", name: "Northwind" });
  assert.equal(typeof created.id, "number");

  const suspended = await json(["tenant", "suspend", "northwind"]);
  assert.match(suspended.suspended_at, TIMESTAMP);
  assert.deepEqual(suspended, { ...created, country: "Moldova", suspended_at: suspended.suspended_at });
  assert.deepEqual(await json(["tenant", "suspend", "northwind"]), suspended);
  const resumed = await json(["tenant", "resume", "northwind"]);
  assert.deepEqual(resumed, { ...suspended, suspended_at: null });

  const listed = await json(["tenant", "list"]);
  assert.deepEqual(listed.slice(1, 3), [
    { ...resumed, deleting_at: null },
    { ...listed[2], slug: "other", country: "Romania" },
  ]);
  assert.match((await run(["tenant", "list"])).stdout, /northwind +Northwind +Moldova/);
});

test("a tenant is created with the link of its first admin, on a server's own address", async () => {
  const made = await json(["tenant", "create", "alone", "--admin", " ana@alone.example "]);
  assert.deepEqual(made, {
    id: made.id,
    slug: "alone",
    name: "alone",
    admin: { email: "ana@alone.example", link: made.admin.link },
  });
  const environment = { LIAISON_PUBLIC_URL: "https://crm.example" };
  const told = await run(["tenant", "create", "told-too", "--name", "Told", "--admin", "i@told.example"], {
    environment,
  });
  assert.match(
    told.stdout,
    /^Created the tenant "told-too" \(id \d+\)\.\nThe link for i@told\.example, shown only now; it works once, within seven days:\nhttps:\/\/crm\.example\/invitations\/[\w-]{43}\n$/,
  );
  const url = await installation.serve();
  const link = new URL(made.admin.link);
  assert.equal(link.origin, "http://127.0.0.1:0");
  const page = await fetch(`${url}${link.pathname}`);
  assert.match(await page.text(), /You are invited to the workspace alone/);
  const rows = await sql(
    "select action, changed_by from changes c join tenants t on t.id = tenant_id where slug = 'alone'",
  );
  assert.deepEqual(rows, [{ action: "created", changed_by: "command" }]);

  await refused(["tenant", "create", "alone", "--admin", "b@alone.example"], /There is a tenant "alone" already/);
  await refused(["tenant", "create", "unmade", "--admin", "nobody"], /must be a valid email address/);
  await refused(
    ["tenant", "create", "new", "--admin", "b@alone.example"],
    /"new" is reserved for the operators' pages/,
  );
  assert.equal((await sql("select slug from tenants where slug = 'unmade'")).length, 0);
});

test("a tenant that cannot be is refused", async () => {
  for (const slug of ["Acme", "a.b", "a--b", "a-", "a".repeat(64)])
    assert.throws(() => slugArgument(slug), isRefusal(/is not a slug/), slug);
  await Promise.all([
    // As operands, these are not like others.
    ...["-a", ""].map((slug) => refused(["tenant", "create", "--name", "X", "--", slug], /is not a slug/)),
    refused(["tenant", "create", "acme", "--name", "X", "--json"], /There is a tenant "acme" already/),
    refused(["tenant", "create", "blank", "--name", "  "], /The name field is required/),
    refused(["tenant", "create", "long", "--name", "x".repeat(256)], /not be greater than 255 characters/),
    refused(["tenant", "suspend", "nobody"], /There is no tenant "nobody"/),
    refused(["tenant", "resume", "nobody"], /There is no tenant "nobody"/),
  ]);
});

test("what commands do to users and keys stands in the workspace's history, as an operator's and without a secret", async () => {
  const { id: tenant } = await json(["tenant", "create", "told", "--name", "Told"]);
  const of = ["--tenant", "told"];
  const user = await json(["user", "create", ...of, "--email", "eva@example.com", "--name", "Eva", "--role", "admin"]);
  await sql("update users set totp_secret = 'x', totp_confirmed_at = now() where id = $1", [user.id]);
  await json(["user", "reset-second-factor", ...of, "--email", "eva@example.com"]);
  await json(["user", "set-password", ...of, "--email", "eva@example.com"]);
  const key = await json(["key", "create", ...of, "--name", "Shop", "--capabilities", "companies:read"]);
  await json(["key", "revoke", ...of, String(key.id)]);
  const lines = await sql(
    "select type, resource_id::int as id, action, changed, changed_by as by from changes where tenant_id = $1 order by at",
    [tenant],
  );
  const fields = (line: Record<string, unknown>) => JSON.parse(String(line.changed)) as object;
  assert.deepEqual(
    lines.map((line) => [line.type, line.id, line.action, line.by, fields(line)]),
    [
      [
        "user",
        user.id,
        "created",
        "command",
        { name: from(null, "Eva"), email: from(null, "eva@example.com"), role: from(null, "admin") },
      ],
      ["user", user.id, "updated", "command", { totp_confirmed: from(false, true) }],
      ["user", user.id, "updated", "command", { totp_confirmed: from(true, false) }],
      [
        "api_key",
        key.id,
        "created",
        "command",
        { name: from(null, "Shop"), capabilities: from(null, ["companies:read"]) },
      ],
      ["api_key", key.id, "updated", "command", { revoked: from(false, true) }],
    ],
  );
});

const from = (was: unknown, to: unknown) => ({ from: was, to });

test("a user without the password gets another one, and earlier sessions and links end", async () => {
  const user = { id: await userOfAcme("dan@example.com") };
  await sql(
    `insert into invitations (tenant_id, email, role, token_hash, created_at, expires_at, for_user)
     select tenant_id, email, role, '\\x00', now(), now() + interval '30 minutes', id from users where id = $1`,
    [user.id],
  );
  const operator = { id: await operatorNamed("dan@example.com") };
  const stored = async () =>
    await sql("select password_hash as hash, session_epoch as epoch from users where id in ($1, $2) order by id", [
      user.id,
      operator.id,
    ]);
  const before = await stored();
  const ofUser = ["user", "set-password", "--tenant", "acme", "--email"];
  const ofOperator = ["operator", "set-password", "--email"];
  for (const args of [ofUser, ofOperator]) {
    const { id } = args === ofUser ? user : operator;
    await refused([...args, "dan@example.com"], /at least 12 characters/, { input: "short\n" });
    await refused([...args, "nobody@example.com"], /no (?:user|operator) with the e-mail address nobody@example\.com/);
    const given = await json([...args, " Dan@example.com "], { input: "violet harbour 91\n" });
    assert.deepEqual(given, { id, email: "Dan@example.com" });
    assert.match((await json([...args, "dan@example.com"])).password, /^[A-Za-z0-9]{20}$/);
  }
  await refused(["user", "set-password", "--tenant", "other", "--email", "dan@example.com"], /has no user/);
  const after = await stored();
  assert.deepEqual(
    after.map(({ epoch }) => epoch),
    [2, 2],
  );
  const [link] = await sql("select revoked_at is not null as ended from invitations where for_user = $1", [user.id]);
  assert.deepEqual(link, { ended: true });
  for (const [index, { hash }] of after.entries()) {
    assert.match(String(hash), /^\$argon2id\$/);
    assert.notEqual(hash, before[index]?.hash);
  }
});

test("a second factor that was lost is reset, once, and it is known that a command did it", async () => {
  const user = { id: await userOfAcme("lost@example.com") };
  const reset = ["user", "reset-second-factor", "--tenant", "acme", "--email"];
  await refused([...reset, "lost@example.com"], /The user lost@example\.com has no second factor/);
  await sql("update users set totp_secret = 'x', totp_confirmed_at = now() where id = $1", [user.id]);
  assert.deepEqual(await json([...reset, "Lost@example.com"]), { id: user.id, second_factor: false });
  const [row] = await sql(
    `select totp_secret is null and totp_confirmed_at is null as is_off, session_epoch, second_factor_reset_by as by
     from users where id = $1`,
    [user.id],
  );
  assert.deepEqual(row, { is_off: true, session_epoch: 1, by: "command" });
  await refused([...reset, "nobody@example.com"], /has no user with the e-mail address nobody@example\.com/);
  await refused(["user", "reset-second-factor", "--tenant", "other", "--email", "lost@example.com"], /has no user/);
});

test("an operator's second factor that was lost is reset, once, and the operator's sessions end", async () => {
  const operator = { id: await operatorNamed("lost@example.com") };
  const reset = ["operator", "reset-second-factor", "--email"];
  await refused([...reset, "lost@example.com"], /The operator lost@example\.com has no second factor/);
  await sql("update users set totp_secret = 'x', totp_confirmed_at = now(), totp_last_step = 1 where id = $1", [
    operator.id,
  ]);
  await sql("insert into recovery_codes (tenant_id, user_id, code_hash) values (0, $1, 'x')", [operator.id]);
  assert.deepEqual(await json([...reset, "Lost@example.com"]), { id: operator.id, second_factor: false });
  const [row] = await sql(
    `select totp_secret, totp_confirmed_at, totp_last_step, session_epoch,
       (select count(*)::int from recovery_codes where user_id = $1) as codes
     from users where id = $1`,
    [operator.id],
  );
  assert.deepEqual(row, {
    totp_secret: null,
    totp_confirmed_at: null,
    totp_last_step: null,
    session_epoch: 1,
    codes: 0,
  });
  await refused([...reset, "nobody@example.com"], /There is no operator with the e-mail address nobody@example\.com/);
});

test("a user gets the password on standard input, stored as its argon2id hash", async () => {
  const args = ["user", "create", "--tenant", "acme", "--email", "ana@example.com", "--name", "Ana", "--role", "admin"];
  const user = await json(args, { input: "correct horse battery\n" });
  assert.deepEqual(user, { id: user.id, email: "ana@example.com", name: "Ana", role: "admin" });
  const [stored] = await sql("select password_hash from users where id = $1", [user.id]);
  const [, salt, tag] =
    /^\$argon2id\$v=19\$m=65536,t=3,p=4\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(stored?.password_hash ?? "") ?? [];
  const expected = argon2Sync("argon2id", {
    message: "correct horse battery",
    nonce: Buffer.from(String(salt), "base64"),
    parallelism: 4,
    tagLength: 32,
    memory: 65_536,
    passes: 3,
  });
  assert.equal(tag, expected.toString("base64").replace(/=+$/, ""));
});

test("a user without a password gets a generated one, shown once", async () => {
  const args = ["user", "create", "--tenant", "acme", "--name", "Ion", "--email"];
  const first = await json([...args, "ion@example.com"]);
  assert.deepEqual(Object.keys(first), ["id", "email", "name", "role", "password"]);
  assert.match(first.password, /^[A-Za-z0-9]{20}$/);
  assert.equal(first.role, "member");
  const open = await json([...args, "ion2@example.com"], { input: null });
  assert.notEqual(open.password, first.password);
  const { stdout } = await run([...args, "ion3@example.com"]);
  assert.match(stdout, /shown only now: [A-Za-z0-9]{20}\n$/);
});

test("a user that cannot be is refused", async () => {
  const user = (email: string, ...more: string[]) => [
    "user",
    "create",
    "--tenant",
    "acme",
    "--name",
    "A",
    "--email",
    email,
    ...more,
  ];
  await userOfAcme("taken@example.com");
  await Promise.all([
    refused(user("Taken@Example.com"), /with the e-mail address Taken@Example.com already/),
    refused(user("nobody"), /The email field must be a valid email address/),
    refused(user("a@example.com", "--role", "boss"), /The selected role is invalid/),
    refused(user("a@example.com", "--tenant", "nobody"), /There is no tenant "nobody"/),
    refused(user("a@example.com", "--name", " "), /The name field is required/),
    refused(user("a@example.com"), /at least 12 characters/, { input: "violet-harb\n" }),
    refused(user("a@example.com"), /one of the commonest/, { input: "Password2026\n" }),
    refused(user("a@example.com"), /more than one line/, { input: "violet-harbour\nviolet-harbour\n" }),
  ]);
});

test("an operator is created, of no tenant, and stands in no list of tenants", async () => {
  const create = ["operator", "create", "--name", " Ops ", "--email"];
  const operator = await json([...create, "ops@example.com"], { input: "correct horse battery\n" });
  assert.deepEqual(operator, { id: operator.id, email: "ops@example.com", name: "Ops" });
  assert.equal(typeof operator.id, "number");
  assert.match((await json([...create, "ops2@example.com"])).password, /^[A-Za-z0-9]{20}$/);
  await Promise.all([
    refused([...create, "OPS@example.com"], /There is an operator with the e-mail address OPS@example.com already/),
    refused([...create, "nobody"], /The email field must be a valid email address/),
    refused([...create, "ops3@example.com"], /at least 12 characters/, { input: "violet-harb\n" }),
  ]);
  const emails = async () => (await json(["operator", "list"])).map((one: { email: string }) => one.email);
  assert.ok((await emails()).includes("ops@example.com"));
  const slugs = (await json(["tenant", "list"])).map((one: { slug: string }) => one.slug);
  assert.equal(slugs.includes(""), false);
  const ofTenant = ["user", "create", "--email", "x@example.com", "--name", "X", "--tenant", ""];
  await refused(ofTenant, /There is no tenant ""/);
  await refused(["tenant", "suspend", ""], /no tenant ""|is not a slug/);
  const remove = ["operator", "remove", "--email", "OPS@example.com"];
  assert.deepEqual(await json(remove), { id: operator.id, removed: true });
  assert.equal((await emails()).includes("ops@example.com"), false);
  await refused(remove, /There is no operator with the e-mail address OPS@example\.com/);
});

test("a key is created, listed without its secret, and revoked", async () => {
  const create = ["key", "create", "--tenant", "acme", "--name", "erp", "--capabilities"];
  const limits = ["--expires", "2099-01-31T12:00:00+02:00", "--allow-ip", "10.0.0.0/8,2001:db8::/32", "--rate", "7"];
  const created = await json([...create, "companies:write, wms-orders:read", ...limits]);
  assert.match(created.token, /^acme\.lsn_[0-9A-Za-z]{49}$/);
  const capabilities = ["companies:write", "wms-orders:read"];
  const expires = "2099-01-31T10:00:00.000000Z";
  assert.deepEqual(created, { id: created.id, token: created.token, capabilities, expires_at: expires });

  const key = (await json(["key", "list", "--tenant", "acme"])).find(({ id }: { id: number }) => id === created.id);
  const secret = created.token.slice("acme.".length);
  assert.deepEqual(key, {
    id: created.id,
    name: "erp",
    prefix: secret.slice(0, 8),
    last4: secret.slice(-4),
    capabilities,
    expires_at: expires,
    allow_ip: ["10.0.0.0/8", "2001:db8::/32"],
    rate: 7,
    last_used_at: null,
    revoked_at: null,
  });
  const revoke = ["key", "revoke", String(created.id), "--tenant"];
  await refused([...revoke, "other"], /The tenant "other" has no key/);
  const revoked = await json([...revoke, "acme"]);
  assert.match(revoked.revoked_at, TIMESTAMP);
  assert.deepEqual(revoked, { ...key, revoked_at: revoked.revoked_at });
});

test("a key that cannot be is refused", async () => {
  const key = (...more: string[]) => [
    "key",
    "create",
    "--tenant",
    "acme",
    "--name",
    "n",
    "--capabilities",
    "companies:read",
    ...more,
  ];
  await Promise.all([
    refused(key("--capabilities", "companies:delete"), /no capability "companies:delete": choose from/),
    refused(key("--expires", "2020-01-01T00:00:00Z"), /is in the past/),
    refused(key("--allow-ip", "10.0.0.0/33"), /is not an IPv4 or IPv6 network/),
    refused(key("--rate", "-1"), /is not a whole number/),
    refused(key("--name", ""), /The name field is required/),
    refused(key("--tenant", "nobody", "--json"), /There is no tenant "nobody"/),
    refused(["key", "revoke", "0", "--tenant", "acme"], /is not the id of a key/),
  ]);
  // What else an option refuses, of which the program says the same line.
  assert.throws(() => parseCapabilities(" , "), isRefusal(/A key needs a capability/));
  assert.throws(() => parseExpiry("2099-02-30"), isRefusal(/is not a date or an ISO 8601 time/));
  assert.throws(() => parseAllowedNetworks(" "), isRefusal(/list of allowed networks is empty/));
  assert.throws(() => parseRate("2147483648"), isRefusal(/is not a whole number/));
  const networks = Array.from({ length: 1_001 }, (_, n) => `10.0.${n >> 8}.${n & 255}`);
  assert.equal(parseAllowedNetworks(networks.slice(1).join()).length, 1_000);
  assert.throws(() => parseAllowedNetworks(networks.join()), isRefusal(/may have 1000 allowed networks at most/));
  for (const id of ["x", "9223372036854775808"])
    assert.throws(() => idArgument("a key", id), isRefusal(/is not the id of a key/));
});

test("wrong usage, settings and databases are one line each", async () => {
  const database = (url: string) => ({ environment: { DATABASE_URL: url } });
  const nowhere = "postgres://someone:hunter2@127.0.0.1:1/none";
  const missing = installation.environment.DATABASE_URL?.replace(/test_\w+/, "test_missing") ?? "";
  await Promise.all([
    refused(["nonsense"], /unknown command 'nonsense'/),
    refused(["key", "revoke", "1"], /required option '--tenant <slug>' not specified/),
    refused(["tenant", "list", "extra"], /too many arguments/),
    refused(["tenant", "list", "--nonsense"], /unknown option '--nonsense'/),
    refused(["tenant", "list"], /^PORT must be/, { environment: { PORT: "x" } }),
    refused(["tenant", "list"], /^(?!.*hunter2).*database.*ECONNREFUSED/, database(nowhere)),
    refused(["serve"], /^(?!.*hunter2).*database.*ECONNREFUSED/, database(nowhere)),
    refused(["serve"], /"test_missing" does not exist/, database(missing)),
  ]);
});

test("every command explains itself", async () => {
  const { code, stdout } = await run(["key", "create", "--help"]);
  assert.equal(code, 0);
  assert.match(stdout, /--capabilities <list>[^]*--json/);
  assert.match((await run(["--help"])).stdout, /serve[^]*migrate[^]*tenant[^]*encryption/);
});

test("--json may stand before the operands", async () => {
  const { stdout } = await run(["tenant", "suspend", "--json", "other"]);
  assert.equal(JSON.parse(stdout).slug, "other");
});
