import assert from "node:assert/strict";
import { test } from "node:test";
import { poll } from "../program.ts";
import { createInstallation, requester } from "./installation.ts";

const installation = await createInstallation();
const { json, run } = installation;
const url = await installation.serve();

/** Every other process follows within this many seconds (docs/contract.md 2.6). */
const FOLLOWS_WITHIN = 5;

await json(["tenant", "create", "acme", "--name", "Acme"]);

async function createKey(...more: string[]): Promise<{ id: number; token: string }> {
  return await json(["key", "create", "--tenant", "acme", "--name", "n", "--capabilities", "companies:write", ...more]);
}

test("a new key works at a running server, for what it may do and from where", async () => {
  const send = requester(url, (await createKey("--allow-ip", "127.0.0.0/8")).token);
  const created = await send("POST", "/api/v1/companies", { name: "A" });
  assert.equal(created.status, 201, created.text);
  assert.equal((await send("GET", "/api/v1/companies")).status, 200);
  assert.equal((await send("GET", `/api/v1/companies/${created.body.data.id}/contacts`)).status, 403);
  const elsewhere = requester(url, (await createKey("--allow-ip", "10.0.0.0/8")).token);
  assert.deepEqual((await elsewhere("GET", "/api/v1/companies")).body, { error: "IP address not allowed." });
});

test("a revoked key is refused by a running server", async () => {
  const key = await createKey();
  const send = requester(url, key.token);
  assert.equal((await send("GET", "/api/v1/companies")).status, 200);
  await json(["key", "revoke", "--tenant", "acme", String(key.id)]);
  await poll("the refusal", async () => (await send("GET", "/api/v1/companies")).status === 403, FOLLOWS_WITHIN);
  assert.deepEqual((await send("GET", "/api/v1/companies")).body, { error: "API key is inactive or expired." });
});

test("a suspended tenant is refused by a running server, and served again when resumed", async () => {
  const send = requester(url, (await createKey()).token);
  assert.equal((await send("GET", "/api/v1/companies")).status, 200);
  await json(["tenant", "suspend", "acme"]);
  await poll("the refusal", async () => (await send("GET", "/api/v1/companies")).status === 403, FOLLOWS_WITHIN);
  assert.deepEqual((await send("GET", "/api/v1/companies")).body, { error: "Account suspended." });
  await json(["tenant", "resume", "acme"]);
  await poll("the resumption", async () => (await send("GET", "/api/v1/companies")).status === 200, FOLLOWS_WITHIN);
});

test("a key's last use is listed", async () => {
  const { id, token } = await createKey();
  await requester(url, token)("GET", "/api/v1/companies");
  const used = "select from api_keys where id = $1 and last_used_at is not null";
  await poll("the last use", async () => (await installation.sql(used, [id])).length === 1);
  const keys: { id: number; last_used_at: string | null }[] = await json(["key", "list", "--tenant", "acme"]);
  assert.match(keys.find((key) => key.id === id)?.last_used_at ?? "", /^\d{4}-/);
});

test("a second server on the same port is refused with a line that names PORT", async () => {
  const { code, stdout, stderr } = await run(["serve"], { environment: { PORT: new URL(url).port } });
  assert.match(stderr, /^PORT \d+ is in use on 127\.0\.0\.1: .*\n$/);
  assert.equal(stdout, "");
  assert.equal(code, 1);
});
