import assert from "node:assert/strict";
import { test } from "node:test";
import { readFileSync } from "node:fs";
import { asOwner } from "../../src/platform/postgres/as-owner.ts";
import { composed } from "../../src/platform/text.ts";
import { startServer } from "../harness.ts";

const NAME = "0011_composed-texts";
const server = await startServer();
const tenant = await server.createTenant();
/** A decomposed text, and what is stored of it. */
const SENT = "Bras\u0327ov";
const STORED = "Bra\u015fov";
/** Ten runs of 100 marks: to compose them in one piece takes quadratic time. */
const HOSTILE = `a${"\u0301\u0316".repeat(500)}`;

test("a start composes what an earlier release stored, and breaks endless runs of marks", async () => {
  const companies = "/api/v1/companies";
  const create = async (path: string, body: object): Promise<number> => (await tenant.post(path, body)).body.data.id;
  const company = await create(companies, { name: "Plain" });
  const whole = await create(companies, { name: "Întreg", city: STORED });
  const invoices = `${companies}/${company}/invoices`;
  const invoice = await create(invoices, { number: "1" });
  const doubled = await create(invoices, { number: "2" });
  await create(invoices, { number: `${STORED} 2` });
  // As the previous release has stored them.
  await server.sql("update companies set name = $2, notes = $3 where id = $1", [company, SENT, HOSTILE]);
  await server.sql("update invoices set number = $2, lines = $3 where id = $1", [
    invoice,
    `${SENT} 1`,
    JSON.stringify([{ position: 1, description: SENT }]),
  ]);
  await server.sql("update invoices set number = $2 where id = $1", [doubled, `${SENT} 2`]);
  const versions = async (id: number) =>
    (await server.sql("select updated_at::text as v from companies where id = $1", [id]))[0]?.v;
  const [before, untouched] = [await versions(company), await versions(whole)];
  // Later migrations stay: this one runs again by itself.
  const sql = readFileSync(new URL(`../../migrations/${NAME}.sql`, import.meta.url), "utf8");
  await asOwner(server.connection, async (client) => await client.query(sql));

  const [stored] = await server.sql("select name, notes, search_text from companies where id = $1", [company]);
  assert.equal(stored?.name, STORED);
  assert.match(String(stored?.search_text), /^brasov/);
  assert.equal(composed(String(stored?.notes)), stored?.notes);
  assert.equal(String(stored?.notes).replaceAll("\u034f", "").normalize("NFD"), HOSTILE.normalize("NFD"));
  assert.deepEqual(
    await server.sql("select number, lines::json->0->>'description' as line from invoices where id = $1", [invoice]),
    [{ number: `${STORED} 1`, line: STORED }],
  );
  // Its composed number belongs to another invoice.
  assert.deepEqual(await server.sql("select number from invoices where id = $1", [doubled]), [{ number: `${SENT} 2` }]);
  assert.notEqual(await versions(company), before);
  assert.equal(await versions(whole), untouched);
  const { body } = await tenant.get(`${companies}/${company}/history`);
  assert.deepEqual(body.data[0].changed.name, { from: SENT, to: STORED });
  assert.equal(body.data[0].by.kind, "command");
});
