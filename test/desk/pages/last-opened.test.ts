import assert from "node:assert/strict";
import { test } from "node:test";
import { listOpened } from "../../../src/desk/last-opened/last-opened-queries.ts";
import { signedIn, type Member } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";

const server = await startServer();
const tenant = await server.createTenant();

let numbers = 0;
const company = async () => {
  const name = `Company ${++numbers}`;
  return { name, id: (await tenant.post("/api/v1/companies", { name })).body.data.id as number };
};

const opened = async ({ userId }: Member, most = 50, of = tenant) =>
  (await listOpened(of.id, server.deps.database, String(userId), most)).map(({ kind, name }) => `${kind} ${name}`);

test("what somebody opened last is remembered, the latest first, each once, and nobody else's", async () => {
  const [member, colleague] = [await signedIn(server, tenant), await signedIn(server, tenant)];
  const { id, name } = await company();
  const child = await tenant.post(`/api/v1/companies/${id}/contacts`, { first_name: "Ion", last_name: "Marin" });
  const invoice = await tenant.post(`/api/v1/companies/${id}/invoices`, { number: "F-1" });
  const paths = [`/companies/${id}`, `/contacts/${child.body.data.id}`, `/invoices/${invoice.body.data.id}`];
  for (const path of [...paths, paths[0] ?? ""]) assert.equal((await member.get(path)).status, 200);
  assert.deepEqual(await opened(member), [`company ${name}`, "invoice F-1", "contact Ion Marin"]);
  assert.deepEqual(await opened(member, 1), [`company ${name}`]);
  assert.deepEqual(await opened(colleague), []);
});

test("what is missing, deleted or another tenant's is not among what somebody opened last", async () => {
  const member = await signedIn(server, tenant);
  const [kept, gone] = [await company(), await company()];
  for (const { id } of [kept, gone]) await member.get(`/companies/${id}`);
  const foreign = await server.createTenant();
  const theirs = (await foreign.post("/api/v1/companies", { name: "Theirs" })).body.data.id;
  for (const id of [theirs, 999_999_999, "x"]) assert.equal((await member.get(`/companies/${id}`)).status, 404);
  await tenant.delete(`/api/v1/companies/${gone.id}`);
  assert.deepEqual(await opened(member), [`company ${kept.name}`]);
  assert.deepEqual(await opened(member, 50, foreign), []);
});

test("the latest twenty are remembered, however much somebody opens", async () => {
  const member = await signedIn(server, tenant);
  const all = [];
  for (let n = 0; n < 23; n++) all.push(await company());
  for (const { id } of all) await member.get(`/companies/${id}`);
  assert.deepEqual(
    await opened(member),
    all
      .map(({ name }) => `company ${name}`)
      .toReversed()
      .slice(0, 20),
  );
  const [row] = await server.sql("select cardinality(opened) as n from last_opened where user_id = $1", [
    member.userId,
  ]);
  assert.equal(row?.n, 20);
});
