import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { createInstallation } from "./installation.ts";

/** All statements that are compiled from descriptions of lists, so that a review sees what a change does to them. */
const SNAPSHOT = path.join(import.meta.dirname, "..", "plans", "statements.sql");

const { run, json } = await createInstallation();

test("the statements of lists are those of test/plans/statements.sql", async () => {
  const { code, stdout } = await run(["db", "statements"]);
  assert.equal(code, 0);
  const update = "npm run -s liaison -- db statements > test/plans/statements.sql";
  assert.ok(stdout === fs.readFileSync(SNAPSHOT, "utf8"), `they have changed: run ${update}, and read the difference`);
});

test("a statement is printed with the names of its parameters", async () => {
  const { statements } = await json(["db", "statements", "count_invoices_of_status", "--json"]);
  const [{ name, sql }] = statements;
  assert.equal(name, "count_invoices_of_status");
  assert.match(sql, /k\.company_id = :parent[^]*k\.status = :status/);
});

test("an unknown statement is named", async () => {
  const { code, stdout, stderr } = await run(["db", "statements", "nothing"]);
  assert.deepEqual({ code, stdout }, { code: 1, stdout: "" });
  assert.match(stderr, /"nothing"/);
});
