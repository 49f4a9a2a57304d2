import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { request } from "../harness.ts";
import { poll } from "../program.ts";
import { connectTo, createDataDirectory, demoToken, serveFrom, usedDataDirectory } from "./data-directory.ts";

test("neither keys nor phone numbers are on the disk in clear, and what has keys is the owner's alone", async () => {
  const dataDir = createDataDirectory();
  const server = await serveFrom(dataDir, { LOG_LEVEL: "trace" });
  const token = demoToken(server);
  const send = async (method: string, target: string, body?: unknown) =>
    await request(server.url, method, target, body, { token });
  const company = { name: "Secretive", tax_id: "RO777", phone: "+40 799 010 203", notes: "conflicting-notes" };
  assert.equal((await send("POST", "/api/v1/companies", company)).status, 201);
  assert.equal((await send("POST", "/api/v1/companies", company)).status, 409);
  assert.equal((await send("PUT", "/api/v1/companies/1", { phone: "+40 799 040 506" })).status, 200);
  const contact = { first_name: "A", last_name: "B", phone: "+40 799 070 809", mobile: "+40 799 101 112" };
  assert.equal((await send("POST", "/api/v1/companies/1/contacts", contact)).status, 201);
  assert.equal(
    (await send("POST", "/api/v1/companies/1/addresses", { address: "C", phone: "+40 799 131 415" })).status,
    201,
  );
  const owner = await connectTo(dataDir);
  await owner.query("checkpoint");
  await owner.end();
  server.process.kill("SIGTERM");
  assert.equal(await server.ended, 0, server.complaints());

  const secret = token.slice("demo.lsn_".length);
  const password = /password (\w{20})\n/.exec(server.output())?.[1] ?? "";
  assert.notEqual(password, "", server.output());
  for (const file of filesIn(dataDir).filter((name) => !name.includes("/programs-"))) {
    const bytes = fs.readFileSync(file);
    for (const clear of [secret, password, "+40 799", "+40 264 555 011"]) {
      assert.equal(bytes.includes(clear), false, `${clear} is in ${file}`);
    }
    assert.equal(fs.statSync(file).mode & 0o077, 0, `${file} is for others too`);
  }
  assert.equal(server.complaints().includes(secret), false);
  assert.equal(server.complaints().includes("+40 799"), false);
  const log = fs.readFileSync(path.join(dataDir, "postgres", "server.log"), "utf8");
  assert.doesNotMatch(log, /RO777|conflicting-notes|insert into/);
});

test("a broken key file that is announced is logged, and the server goes on with the keys it has", async () => {
  const { dataDir, token } = await usedDataDirectory();
  const server = await serveFrom(dataDir);
  fs.writeFileSync(path.join(dataDir, "encryption.keys"), "rubbish");
  const owner = await connectTo(dataDir);
  await owner.query("notify liaison_keys");
  await owner.end();
  await poll("the complaint", () => server.complaints().includes("encryption.keys must be"));
  const { body } = await request(server.url, "GET", "/api/v1/companies/1", undefined, { token });
  assert.equal(body.data.phone, "+40 264 555 011");
  server.process.kill("SIGTERM");
  assert.equal(await server.ended, 0, server.complaints());
});

function filesIn(directory: string): string[] {
  return fs
    .readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}
