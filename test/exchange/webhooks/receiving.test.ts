import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { startServer } from "../../harness.ts";
import { freePort, poll } from "../../program.ts";
import { runsOf } from "./runs.ts";

/** The receivers of docs/api.md, run as they stand there, in the languages that this machine has. */
const server = await startServer({ LIAISON_WEBHOOK_PRIVATE_NETWORKS: "127.0.0.1" });
const runs = runsOf(server);
const guide = fs.readFileSync(path.join(import.meta.dirname, "../../../docs/api.md"), "utf8");
const chapter = guide.split(/^## /m).find((text) => text.startsWith("Receiving webhooks\n")) ?? "";
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "liaison-receivers-"));
after(() => fs.rmSync(folder, { recursive: true }));

const languages: [name: string, command: string, args: (file: string, port: number) => string[]][] = [
  ["ts", process.execPath, (file) => [file]],
  ["python", "python3", (file) => [file]],
  ["php", "php", (file, port) => ["-S", `127.0.0.1:${port}`, file]],
];

const here = languages.filter(([, command]) => spawnSync(command, ["--version"]).status === 0);

test("the receiver in TypeScript is one of those that can run on this machine", () => {
  assert.ok(here.some(([name]) => name === "ts"));
});

for (const [language, command, args] of here) {
  test(`the receiver in ${language} takes each change once, and nothing of a stranger's`, async () => {
    const program = new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, "m").exec(chapter)?.[1];
    assert.ok(program !== undefined, `docs/api.md has a receiver in ${language}`);
    assert.ok(program.trim().split("\n").length <= 30);
    const file = path.join(folder, `receiver.${language}`);
    fs.writeFileSync(file, program);
    const port = await freePort();
    const tenant = await server.createTenant();
    const { id, secret } = (await tenant.post("/api/v1/webhooks", { url: `http://127.0.0.1:${port}/` })).body.data;
    const env = { PATH: process.env.PATH ?? "", SECRET: secret, PORT: String(port), SEEN: folder };
    const child = spawn(command, args(file, port), { env });
    after(() => child.kill("SIGKILL"));
    let printed = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (printed += text));
    await poll(`the receiver in ${language}`, async () => await isListening(port));

    const company = (await tenant.post("/api/v1/companies", { name: "Ață SRL" })).body.data.id;
    await runs.run(tenant);
    const [delivery] = (await tenant.get(`/api/v1/webhooks/${id}/deliveries`)).body.data;
    assert.equal(delivery.last_status, 204, printed);
    await tenant.post(`/api/v1/webhooks/${id}/deliveries/${delivery.id}/redeliver`);
    await runs.run(tenant);
    const forged = {
      "webhook-id": "1",
      "webhook-timestamp": String(Math.floor(Date.now() / 1000)),
      "webhook-signature": "v1,YQ==",
    };
    const body = JSON.stringify({ type: "company.deleted", data: { resource_id: company } });
    for (const timestamp of [forged["webhook-timestamp"], "abc", ""]) {
      const headers = { ...forged, "webhook-timestamp": timestamp };
      const refused = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", headers, body });
      assert.equal(refused.status, 401, timestamp);
    }
    await poll("what it prints", () => printed.includes(`company.created ${company}`));
    assert.equal(printed.match(/company\.\w+ \d+/g)?.length, 1, printed);
  });
}

async function isListening(port: number): Promise<boolean> {
  const socket = net.connect(port, "127.0.0.1");
  const isThere = await Promise.race([
    once(socket, "connect").then(() => true),
    once(socket, "error").then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return isThere;
}
