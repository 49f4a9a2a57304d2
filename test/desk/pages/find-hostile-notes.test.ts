import assert from "node:assert/strict";
import { test } from "node:test";
import { signedIn } from "../../doors/pages/visitor.ts";
import { startServer } from "../../harness.ts";

const server = await startServer();
const tenant = await server.createTenant();
const member = await signedIn(server, tenant, { name: "Ana Pop" });
const MARKS = "\u0301\u0316";

test("notes of endless marks, as an earlier release stored them, do not stop the search of the workspace", async () => {
  const { id } = (await tenant.post("/api/v1/companies", { name: "Acme" })).body.data;
  await member.post(`/companies/${id}/activities`, { kind: "note", note: "Pallets of abcdef" });
  // Each took 150 ms to compose. The search reads the newest 2,000.
  await server.sql(
    `insert into activities (tenant_id, company_id, kind, note, at, changed_by)
     select $1, $2, 'note', 'a' || n || repeat($3, 1990), now() + n * interval '1 second', 'command'
     from generate_series(1, 400) n`,
    [tenant.id, id, MARKS],
  );
  const answer = await member.get("/find?q=abcdef");
  assert.equal(answer.status, 200, answer.text);
  assert.match(answer.text, /Pallets of/);
});

test("a form refuses a note with more than 30 marks in a row, and stores another one composed", async () => {
  const { id } = (await tenant.post("/api/v1/companies", { name: "Acme" })).body.data;
  const write = async (note: string) => await member.post(`/companies/${id}/activities`, { kind: "note", note });
  const refused = await write(`a${MARKS.repeat(16)}`);
  assert.equal(refused.status, 422);
  assert.match(refused.text, /can have at most 30 accents and other marks on one letter/);
  assert.equal((await write("s\u0326")).status, 303);
  const rows = await server.sql("select note from activities where company_id = $1", [id]);
  assert.deepEqual(rows, [{ note: "ș" }]);
});
