import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { startServer } from "../../harness.ts";
import { databaseUrl, serve, type Server } from "../../program.ts";
import { afterFile } from "../../together.ts";
import { rawCall } from "./clients.ts";

const CALLS = 500;
const ROUNDS = 6;

/** Milliseconds of a processor that a process has used, in user and system mode. */
function cpuMs({ process }: Server): number {
  const tasks = `/proc/${process.pid}/task`;
  return fs.readdirSync(tasks).reduce((sum, task) => {
    const [ran] = fs.readFileSync(`${tasks}/${task}/schedstat`, "utf8").split(" ");
    return sum + Number(ran) / 1e6;
  }, 0);
}

/**
 * Of a profile of calls, a fifth is garbage collection (of the GET, a fiftieth) and a tenth the library's validation: a
 * failed one, of which each message has several, leaves objects that only a full collection frees. The ratio is 1.8 on
 * a machine of its own, and grows beside other work, where collections take longer.
 */
const MOST = 2.5;

test(`a call of get_company takes at most ${MOST} times the processor time of the same GET`, async () => {
  const shared = await startServer();
  const tenant = await shared.createTenant();
  const company = { name: "Alfa Foods", tax_id: "RO1", city: "Cluj-Napoca", notes: "Prefers mornings." };
  const { id } = (await tenant.post("/api/v1/companies", company)).body.data;
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "liaison-agents-"));
  afterFile(() => fs.rmSync(dataDir, { recursive: true, force: true }));
  const environment = { DATABASE_URL: databaseUrl(shared.connection), DATA_DIR: dataDir, LIAISON_RATE_LIMIT: "0" };
  const server = await serve(environment);
  const authorization = { authorization: `Bearer ${tenant.token}` };
  const { headers, message } = rawCall("tools/call", { name: "get_company", arguments: { id } });
  const sent = { method: "POST", headers: { ...headers, ...authorization }, body: JSON.stringify(message) };
  const works = {
    get: async () => await fetch(`${server.url}/api/v1/companies/${id}?include=terms`, { headers: authorization }),
    call: async () => await fetch(`${server.url}/mcp`, sent),
  };
  const spent = { get: 0, call: 0 };
  // The first round warms the program up.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const name of ["get", "call"] as const) {
      const before = cpuMs(server);
      for (let done = 0; done < CALLS; done++) assert.match(await (await works[name]()).text(), /Alfa Foods/);
      if (round > 0) spent[name] += cpuMs(server) - before;
    }
  }
  server.process.kill("SIGTERM");
  await server.ended;
  const ratio = spent.call / spent.get;
  console.log(`get ${spent.get.toFixed(0)} ms, call ${spent.call.toFixed(0)} ms, ratio ${ratio.toFixed(2)}`);
  assert.ok(ratio <= MOST, String(ratio));
});
