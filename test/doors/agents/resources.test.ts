import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { startServer } from "../../harness.ts";
import { databaseUrl, serve } from "../../program.ts";
import { afterFile } from "../../together.ts";
import { connect, connectEarlier, rawCall } from "./clients.ts";
import { makeResources } from "./every-tool.ts";

const server = await startServer();
const tenant = await server.createTenant();
const there = await makeResources(tenant);

for (const [era, connectTo] of Object.entries({ "2026": connect, "2025": connectEarlier })) {
  test(`${era}: records, errors, pages of the reference and fields are resources`, async () => {
    const { client } = await connectTo(server.url, tenant.token);
    const read = async (uri: string): Promise<string> => {
      const [first] = (await client.readResource({ uri })).contents as { text: string }[];
      return first?.text ?? "";
    };
    const { company } = JSON.parse(await read(`liaison://companies/${there.company}`));
    assert.equal(company.name, "Alfa Foods");
    assert.equal(JSON.parse(await read(`liaison://contacts/${there.contact}`)).contact.last_name, "Pop");
    assert.equal(JSON.parse(await read(`liaison://invoices/${there.invoice}`)).invoice.lines.length, 1);
    assert.match(await read("liaison://errors/tax_id_taken"), /^# tax_id_taken\n/);
    assert.match(await read("liaison://docs/guides/agents"), /^# Assistants\n/);
    assert.ok(JSON.parse(await read("liaison://schema/address")).properties.city);
    for (const noun of ["company", "contact", "invoice"]) {
      const { tools } = await client.listTools();
      const known = Object.keys(tools.find(({ name }) => name === `upsert_${noun}`)?.inputSchema.properties ?? {});
      const fields = Object.keys(JSON.parse(await read(`liaison://schema/${noun}`)).properties);
      assert.deepEqual(
        fields.filter((name) => !known.includes(name)),
        [],
        `upsert_${noun} takes each field`,
      );
    }
    const { resources } = await client.listResources();
    assert.ok(resources.length > 20);
    for (const { uri } of resources) assert.ok(Buffer.byteLength(await read(uri)) <= 25_600, uri);
    const { resourceTemplates } = await client.listResourceTemplates();
    assert.deepEqual(
      resourceTemplates.map(({ uriTemplate }) => uriTemplate),
      [
        "liaison://companies/{id}",
        "liaison://contacts/{id}",
        "liaison://invoices/{id}",
        "liaison://errors/{code}",
        "liaison://docs/{+page}",
        "liaison://schema/{noun}",
      ],
    );
    for (const uri of [
      "liaison://companies/99999",
      "liaison://docs/../secret",
      "liaison://x/1",
      "file:///etc/passwd",
    ]) {
      await assert.rejects(client.readResource({ uri }), { code: -32_602 }, uri);
    }
  });

  test(`${era}: ids are completed by names, for what the key may read`, async () => {
    const complete = async (token: string, uri: string, value: string) => {
      const { client } = await connectTo(server.url, token);
      const ref = { type: "ref/resource", uri } as const;
      return (await client.complete({ ref, argument: { name: "id", value } })).completion.values;
    };
    assert.deepEqual(await complete(tenant.token, "liaison://companies/{id}", "alfa"), [String(there.company)]);
    assert.deepEqual(await complete(tenant.token, "liaison://contacts/{id}", "pop"), [String(there.contact)]);
    const { token } = await tenant.createKey({ capabilities: ["contacts:read"] });
    assert.deepEqual(await complete(token, "liaison://companies/{id}", "alfa"), []);
    const { client } = await connectTo(server.url, token);
    await assert.rejects(client.readResource({ uri: `liaison://companies/${there.company}` }), { code: -32_602 });
  });

  test(`${era}: prompts are instructions with the argument in a line of its own`, async () => {
    const { client } = await connectTo(server.url, tenant.token);
    const { prompts } = await client.listPrompts();
    assert.deepEqual(
      prompts.map(({ name }) => name),
      ["check_company", "stuck_orders", "prepare_call", "reconcile_csv"],
    );
    const { messages } = await client.getPrompt({ name: "check_company", arguments: { tax_id: "RO1\nSend all" } });
    assert.match(JSON.stringify(messages), /\\nRO1 Send all\\n/);
    await assert.rejects(client.getPrompt({ name: "check_company", arguments: {} }), { code: -32_602 });
    const files = async (kind: string) => await client.getPrompt({ name: "reconcile_csv", arguments: { kind } });
    await assert.rejects(files("offers"), { code: -32_602, message: /One of companies, contacts/ });
    assert.match(JSON.stringify(await files("contacts")), /\\ncontacts\\n/);
    const ref = { type: "ref/prompt", name: "prepare_call" } as const;
    const { completion } = await client.complete({ ref, argument: { name: "company", value: "alfa" } });
    assert.deepEqual(completion.values, [String(there.company)]);
  });
}

test("the library is loaded by the first request of an assistant, and not before", async () => {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "liaison-agents-"));
  afterFile(() => fs.rmSync(dataDir, { recursive: true, force: true }));
  const hook = `import { registerHooks } from "node:module";
registerHooks({ resolve(name, context, next) {
  if (name.startsWith("@modelcontextprotocol/")) console.log("loads " + name);
  return next(name, context);
} });`;
  const program = await serve({
    DATABASE_URL: databaseUrl(server.connection),
    DATA_DIR: dataDir,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}`,
  });
  const { token } = tenant;
  const authorization = { authorization: `Bearer ${token}` };
  assert.equal((await fetch(`${program.url}/api/v1/companies`, { headers: authorization })).status, 200);
  assert.equal((await fetch(`${program.url}/mcp`)).status, 405);
  assert.doesNotMatch(program.output(), /loads/);
  const { headers, message } = rawCall("tools/list");
  const sent = { method: "POST", headers: { ...headers, ...authorization }, body: JSON.stringify(message) };
  assert.equal((await fetch(`${program.url}/mcp`, sent)).status, 200);
  assert.match(program.output(), /loads @modelcontextprotocol\/server/);
  program.process.kill("SIGTERM");
  await program.ended;
});
