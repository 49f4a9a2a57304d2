import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { beforeEach, test } from "node:test";
import {
  createKeyring,
  generateEncryptionKey,
  formatEncryptionKeys,
  parseEncryptionKeys,
  type Keyring,
} from "../../src/platform/encryption/keyring.ts";
import { advisoryLocks, tryLock } from "../../src/platform/postgres/advisory-locks.ts";
import { asTenantId } from "../../src/platform/postgres/tenant-id.ts";
import { codeOf } from "../doors/pages/second-factor.ts";
import { visitor } from "../doors/pages/visitor.ts";
import { waitingForLocks } from "../harness.ts";
import { poll } from "../program.ts";
import { createInstallation, requester } from "./installation.ts";

const installation = await createInstallation();
const { json, run, sql, start } = installation;
const url = await installation.serve();
const { id: tenantId } = await json(["tenant", "create", "acme", "--name", "Acme"]);
const tenant = asTenantId(String(tenantId));
const capabilities = "companies:write,contacts:write,addresses:write";
const { token } = await json(["key", "create", "--tenant", "acme", "--name", "n", "--capabilities", capabilities]);
const send = requester(url, token);

/** Every stored secret: which key encrypted it, and when its row was last updated. */
async function stored(): Promise<{ key: string; updated_at: string }[]> {
  return (await sql(`
    select split_part(value, ':', 1) as key, updated_at::text from (
      select phone, updated_at from companies union all select wms_api_key, updated_at from companies
      union all select phone, updated_at from contacts union all select mobile, updated_at from contacts
      union all select phone, updated_at from addresses
    ) secrets (value, updated_at) where value is not null order by updated_at, key`)) as never;
}

async function keysInUse(): Promise<string[]> {
  return [...new Set((await stored()).map(({ key }) => key))];
}

function keyFile(): string[] {
  const text = fs.readFileSync(path.join(installation.dataDir, "encryption.keys"), "utf8");
  return text
    .trim()
    .split(",")
    .map((entry) => entry.split(":")[0] ?? "");
}

function keyring(): Keyring {
  return createKeyring(
    parseEncryptionKeys(fs.readFileSync(path.join(installation.dataDir, "encryption.keys"), "utf8")),
  );
}

let company = "";
let contact = "";

/** Two companies (one of them deleted, one with a WMS key), a contact with two numbers and an address: 4 rows. */
beforeEach(async () => {
  await sql("truncate companies, contacts, addresses cascade");
  const created = await send("POST", "/api/v1/companies", { name: "A", phone: "0264 000 001" });
  assert.equal(created.status, 201, created.text);
  company = `/api/v1/companies/${created.body.data.id}`;
  await sql("update companies set wms_api_key = $1", [
    keyring().encrypt(tenant, "companies.wms_api_key", "wms secret"),
  ]);
  const numbers = { first_name: "Ana", last_name: "Pop", phone: "0264 000 002", mobile: "0722 000 003" };
  contact = `/api/v1/contacts/${(await send("POST", `${company}/contacts`, numbers)).body.data.id}`;
  await send("POST", `${company}/contacts`, { first_name: "No", last_name: "Number" });
  await send("POST", `${company}/addresses`, { address: "Street 1", phone: "0264 000 004" });
  const deleted = await send("POST", "/api/v1/companies", { name: "B", phone: "0264 000 005" });
  await send("DELETE", `/api/v1/companies/${deleted.body.data.id}`);
});

test("rotation encrypts every secret with a new key, while a running server goes on answering in clear", async () => {
  const before = await stored();
  const keysBefore = keyFile();
  const rotation = start(["encryption", "rotate", "--json"]);
  while (rotation.process.exitCode === null) {
    const shown = await send("GET", company);
    assert.equal(shown.body.data?.phone, "0264 000 001", shown.text);
  }
  const { code, stdout, stderr } = await rotation.finished();
  assert.equal(code, 0, stderr);
  assert.deepEqual(JSON.parse(stdout), { rows: 4 });

  const [current = "", ...older] = keyFile();
  assert.deepEqual(older, keysBefore);
  assert.equal(fs.statSync(path.join(installation.dataDir, "encryption.keys")).mode & 0o777, 0o600);
  const expected = before.map(({ updated_at }) => ({ key: current, updated_at }));
  assert.deepEqual(await stored(), expected, "every secret is under the new key, and updated_at is as it was");
  const [row] = await sql("select wms_api_key from companies where wms_api_key is not null");
  assert.equal(keyring().decrypt(tenant, "companies.wms_api_key", row?.wms_api_key ?? ""), "wms secret");
  const { phone, mobile } = (await send("GET", contact)).body.data;
  assert.deepEqual({ phone, mobile }, { phone: "0264 000 002", mobile: "0722 000 003" });

  await send("PUT", company, { phone: "0264 999 999" });
  assert.deepEqual(await keysInUse(), [current], "the server encrypts with the new key");
  assert.deepEqual(await json(["encryption", "rotate"]), { rows: 4 });
  assert.equal(keyFile().length, keysBefore.length + 2);
});

test("an interrupted rotation overwrites nothing, and the next run finishes it with the same key", async () => {
  const keysBefore = keyFile();
  const writer = await installation.client();
  await writer.query("begin");
  const phone = keyring().encrypt(tenant, "companies.phone", "0264 777 777");
  await writer.query("update companies set phone = $1 where deleted_at is null", [phone]);
  const rotation = start(["encryption", "rotate", "--json"]);
  await poll("the rotation to wait for the lock", async () => {
    return (await sql(waitingForLocks)).length > 0;
  });
  // It waits for five seconds. On a slow machine that wait may be over, and it has written no row.
  rotation.process.kill("SIGINT");
  await writer.query("commit");
  const { code, stdout, stderr } = await rotation.finished();
  assert.deepEqual({ code, stdout, stderr }, { code: 130, stdout: "", stderr: "Interrupted.\n" });
  assert.equal((await send("GET", company)).body.data.phone, "0264 777 777");
  const used = (await keysInUse()).length;

  const { rows } = await json(["encryption", "rotate"]);
  assert.deepEqual([used, rows], used === 2 ? [2, 3] : [1, 4], "what was written by then stays, and the rest follows");
  assert.equal(keyFile().length, keysBefore.length + 1);
  assert.deepEqual(await keysInUse(), keyFile().slice(0, 1));
  assert.equal((await send("GET", company)).body.data.phone, "0264 777 777");
});

test("an operator's second factor is re-encrypted with a stored answer, and goes on opening what it opened", async () => {
  const password = "violet harbour 91";
  const email = "ops@example.com";
  await json(["operator", "create", "--email", email, "--name", "Ops"], { input: `${password}\n` });
  const operator = visitor({ url });
  await operator.post("/sign-in", { workspace: "", email, password });
  await operator.post("/profile/second-factor");
  const { text } = await operator.get("/profile/second-factor");
  const secret = (/id="secret">([^<]+)</.exec(text)?.[1] ?? "").replaceAll(" ", "");
  const form = { once: /name="once" value="([^"]+)"/.exec(text)?.[1] ?? "", code: codeOf(secret) };
  const confirm = async () => await operator.post("/profile/second-factor/confirm", form);
  assert.equal((await confirm()).status, 200);
  const stored = async () => (await sql("select totp_secret from users where tenant_id = 0"))[0]?.totp_secret ?? "";
  const before = await stored();
  assert.deepEqual(await json(["encryption", "rotate"]), { rows: 6 });
  assert.match((await confirm()).text, /id="recovery-codes"/, "the answer is stored");
  assert.notEqual(await stored(), before);
  assert.equal((await stored()).split(":")[0], keyFile()[0]);
  assert.equal(keyring().decrypt("", "operators.totp_secret", await stored()), secret);
  const again = visitor({ url });
  assert.equal((await again.post("/sign-in", { workspace: "", email, password })).location, "/sign-in/code");
  const code = codeOf(secret, 1);
  assert.equal((await again.post("/sign-in/code", { code })).location, "/operator/tenants");
  await json(["operator", "remove", "--email", email]);
});

test("a rotation beside another one is refused, and adds no key", async () => {
  const keysBefore = keyFile();
  const other = await installation.client();
  assert.ok(await tryLock(other, advisoryLocks.keyRotation));
  const { code, stderr } = await run(["encryption", "rotate"]);
  await other.end();
  assert.deepEqual({ code, stderr }, { code: 1, stderr: "The keys are being rotated by another process.\n" });
  assert.deepEqual(keyFile(), keysBefore);
});

test("a value that does not decrypt is reported, and stops nothing else from being re-encrypted", async () => {
  await sql("update addresses set phone = 'k1:' || repeat('A', 60)");
  const { code, stderr } = await run(["encryption", "rotate"]);
  assert.equal(
    stderr,
    "Rows re-encrypted: 4. Values that do not decrypt with the present keys, and were left unchanged: 1.\n",
  );
  assert.equal(code, 1);
  assert.deepEqual(new Set(await keysInUse()), new Set(["k1", keyFile()[0]]));
});

test("with keys from the environment the first one is used, and none is added", async () => {
  const other = await createInstallation();
  const old = generateEncryptionKey([]);
  const next = generateEncryptionKey([old]);
  const under = (keys: (typeof old)[]) => ({ environment: { LIAISON_ENCRYPTION_KEYS: formatEncryptionKeys(keys) } });
  const { id } = await other.json(["tenant", "create", "acme", "--name", "A"], under([old]));
  const phone = createKeyring([old]).encrypt(asTenantId(String(id)), "companies.phone", "0264");
  await other.sql("insert into companies (tenant_id, name, country, phone) values ($1, 'A', 'R', $2)", [id, phone]);
  assert.deepEqual(await other.json(["encryption", "rotate"], under([next, old])), { rows: 1 });
  assert.deepEqual(await other.json(["encryption", "rotate"], under([next, old])), { rows: 0 });
  const [row] = await other.sql("select phone from companies");
  assert.equal(createKeyring([next]).decrypt(asTenantId(String(id)), "companies.phone", row?.phone ?? ""), "0264");
  assert.equal(fs.existsSync(path.join(other.dataDir, "encryption.keys")), false);
  const foreign = await other.run(["tenant", "list"], under([old]));
  assert.match(foreign.stderr, /^LIAISON_ENCRYPTION_KEYS does not hold the keys of this database: .*\n$/);
  assert.equal(foreign.code, 1);
});
