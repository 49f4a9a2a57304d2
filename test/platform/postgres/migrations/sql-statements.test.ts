import assert from "node:assert/strict";
import { test } from "node:test";
import { statementsOf } from "../../../../src/platform/postgres/migrations/sql-statements.ts";

test("a file is divided where its statements end, and nowhere else", () => {
  const statements = [
    "-- Up; Migration\ncreate table a (b text default ';''')",
    'select ";" from a /* ; */',
    "create function f() returns void language plpgsql as $body$ begin perform 1; execute $$ select 2; $$; end $body$",
    "select 1 - 2 / 3, $1",
    "select 4",
  ];
  assert.deepEqual(statementsOf(statements.join(";\n")), statements);
  assert.deepEqual(statementsOf(`${statements.join("; ")};\n-- the end; of it\n`), statements);
});
