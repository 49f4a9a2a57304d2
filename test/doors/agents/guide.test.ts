import assert from "node:assert/strict";
import fs from "node:fs";
import { test } from "node:test";
import { presets } from "../../../src/people/api-keys/assistant-words.ts";
import { startServer } from "../../harness.ts";
import { connectEarlier } from "./clients.ts";
import { specifiedTools } from "./every-tool.ts";

const guide = fs.readFileSync(new URL("../../../docs/agents.md", import.meta.url), "utf8");
const server = await startServer();
const tenant = await server.createTenant({ slug: "demo" });

/** A text whose times, tags and sealed parts are those of every run. */
function everyRuns(json: string): string {
  return json
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replaceAll(/\\"\d+-[0-9a-z]+-[\w-]{22}\\"/g, "ETAG")
    .replaceAll(/k1\.[\w.-]+/g, "SEALED");
}

test("the worked session of docs/agents.md is what the server answers", async () => {
  const [, session = ""] = guide.split("## A worked session");
  const company = { name: "Transilvania Foods SRL", tax_id: "RO18547290", city: "Cluj-Napoca", status: "active" };
  const { id } = (await tenant.post("/api/v1/companies", company)).body.data;
  const person = { first_name: "Ioana", last_name: "Popescu", position: "Purchasing manager" };
  await tenant.post(`/api/v1/companies/${id}/contacts`, person);
  const { token } = await tenant.createKey({ name: "Ana's Claude" });
  const assistant = await connectEarlier(server.url, token);
  const steps = [...session.matchAll(/`(\w+)`[^`]*```json\n([^]*?)```\n\n```json\n([^]*?)```/g)];
  assert.ok(steps.length >= 5);
  /** The tags of this run, by those on the page. */
  const etags = new Map<unknown, unknown>();
  for (const [, name = "", given = "", expected = ""] of steps) {
    const sent = JSON.parse(given) as Record<string, unknown>;
    const result = JSON.parse(expected) as Record<string, unknown>;
    const { data } = await assistant.call(name, {
      ...sent,
      ...(sent.etag !== undefined && { etag: etags.get(sent.etag) }),
    });
    etags.set(result.etag, data.etag);
    assert.equal(everyRuns(JSON.stringify(data, null, 2)), everyRuns(JSON.stringify(result, null, 2)), name);
  }
});

test("docs/agents.md names every tool, and its configurations are JSON", () => {
  for (const { name } of specifiedTools) assert.match(guide, new RegExp(`\`${name}\``), name);
  for (const [, json = ""] of guide.matchAll(/```json\n([^]*?)```/g)) assert.doesNotThrow(() => JSON.parse(json), json);
});

test("docs/agents.md has the capabilities that the page of keys offers", () => {
  const { read, people, records, orders } = presets;
  const further = (all: readonly string[]) => all.filter((each) => !read.some((one) => one === each)).join(",");
  for (const offered of [
    `| \`${read.join(",")}\` |`,
    `| \`${people.join(",")}\` |`,
    `| the first row, and \`${further(records)}\` |`,
    `| the first row, and \`${further(orders)}\` |`,
  ])
    assert.ok(guide.includes(offered), offered);
});
