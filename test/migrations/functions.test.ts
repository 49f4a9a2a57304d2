import assert from "node:assert/strict";
import { test } from "node:test";
import type { Connection } from "../../src/platform/postgres/database.ts";
import { migrate } from "../../src/platform/postgres/migrations/migrate.ts";
import { createDatabase } from "../harness.ts";
import { clientOf, migrationsAnd } from "./more-migrations.ts";

/** A function's body stands in its file alone; what brings it into a database (migrations/README.md). */
const ANSWER = "functions/answer";

test("a function whose file is new or has changed is made by the next start, without a migration", async () => {
  const connection = await createDatabase();
  for (const answer of [1, 2]) {
    assert.deepEqual(await migrate(connection, { directory: migrationsAnd({ [ANSWER]: answering(answer) }) }), []);
    assert.equal(await askedIn(connection), answer);
  }
});

test("functions that have not changed are left alone", async () => {
  const connection = await createDatabase();
  const client = await clientOf(connection);
  const directory = migrationsAnd({ [ANSWER]: answering(1) });
  await migrate(connection, { directory });
  const versions = "select proname, xmin from pg_proc where pronamespace = 'public'::regnamespace order by proname";
  const { rows } = await client.query(versions);
  await migrate(connection, { directory });
  assert.deepEqual((await client.query(versions)).rows, rows);
});

test("a migration loads the functions that it uses itself, as their files have them", async () => {
  const connection = await createDatabase();
  const directory = migrationsAnd({
    "9999_answers": `create table answers (n integer);
      -- Load functions: answer, one_more
      alter table answers alter column n set default answer();
      insert into answers values (default), (one_more(default_answer => 2));`,
    [ANSWER]: answering(1),
    "functions/one_more": `create or replace function one_more(default_answer integer) returns integer
      language sql as $$ select default_answer + 1 $$;`,
  });
  assert.deepEqual(await migrate(connection, { directory }), ["9999_answers"]);
  const { rows } = await (await clientOf(connection)).query("select n from answers");
  assert.deepEqual(rows, [{ n: 1 }, { n: 3 }]);
});

test("a start of the previous release leaves the functions of the next one as they are", async () => {
  const connection = await createDatabase();
  const previous = migrationsAnd({ [ANSWER]: answering(1) });
  const next = migrationsAnd({ [ANSWER]: answering(2), "9999_answers": "-- answer() is another one." });
  await migrate(connection, { directory: previous });
  assert.deepEqual(await migrate(connection, { directory: next }), ["9999_answers"]);
  assert.deepEqual(await migrate(connection, { directory: previous }), []);
  assert.equal(await askedIn(connection), 2);
});

function answering(answer: number): string {
  return `create or replace function answer() returns integer language sql as $$ select ${answer} $$;`;
}

async function askedIn(connection: Connection): Promise<number> {
  const { rows } = await (await clientOf(connection)).query("select answer() as answer");
  return rows[0].answer;
}
