import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { createInstallation, requester } from "../../cli/installation.ts";
import { startReceiver } from "../../exchange/webhooks/receiver.ts";
import { createSeeded } from "./seeded.ts";

const environment = { LIAISON_WEBHOOK_PRIVATE_NETWORKS: "127.0.0.1/32" };
const receiver = await startReceiver();
const { json, sql, url, dataDir } = await createSeeded(environment);

test("the webhooks of a tenant that moves go on where they were: nothing is sent twice, or left out; followers begin anew", async () => {
  const key = [
    "key",
    "create",
    "--tenant",
    "acme",
    "--name",
    "ERP",
    "--capabilities",
    "webhooks:write,companies:write,changes:read",
  ];
  const { token } = await json(key);
  const api = requester(url, token);
  assert.equal((await api("POST", "/api/v1/webhooks", { url: receiver.url })).status, 201);
  await api("POST", "/api/v1/companies", { name: "Before" });
  await receiver.untilHeard(1);
  const { next } = (await api("GET", "/api/v1/changes?limit=1")).body;
  await json(["tenant", "suspend", "acme"]);
  // A feed that began before what it keeps: the first changes are older than 30 days.
  const oldest =
    "select c.id from changes c join tenants t on t.id = c.tenant_id where t.slug = 'acme' and c.type = 'company' order by c.at limit 3";
  await sql(`delete from feed where change_id in (${oldest})`);
  await sql(`update changes set at = '2026-01-01' where id in (${oldest})`);
  const csv = path.join(dataDir, "untold.csv");
  fs.writeFileSync(csv, "name\nUntold\n");
  await json(["import", "companies", "--tenant", "acme", csv]);

  const file = path.join(dataDir, "acme.backup");
  await json(["tenant", "backup", "acme", file]);
  const target = await createInstallation();
  Object.assign(target.environment, environment);
  await target.json(["tenant", "restore", file]);
  await target.json(["tenant", "resume", "acme"]);
  const moved = requester(await target.serve(), token);
  await receiver.untilHeard(2);
  const follow = async (after: string) => await moved("GET", `/api/v1/changes?after=${after}`);
  assert.equal((await follow(next)).status, 410);
  assert.equal((await follow((await follow("")).body.next)).status, 200);
  await moved("POST", "/api/v1/companies", { name: "Since" });
  await receiver.untilHeard(3);
  assert.deepEqual(
    receiver.heard.map(({ body }) => body.data.changed.name.to),
    ["Before", "Untold", "Since"],
  );
});
