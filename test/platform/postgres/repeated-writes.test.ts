import assert from "node:assert/strict";
import { test } from "node:test";
import { startServer } from "../../harness.ts";

/** Apart from the rules of companies, which run on a cluster too: Citus rejects a trigger on a distributed table. */
const server = await startServer();
const PATH = "/api/v1/companies";

test("a write that PostgreSQL ended for the sake of another one is repeated, and answered once", async () => {
  const own = await server.createTenant();
  // A sequence is not rolled back, so that the second try finds that there was a first one.
  await server.sql("create sequence tries; grant usage on sequence tries to public");
  const codes = ["40001", "40P01", "26000", "42P05", "25P02"];
  for (const code of codes) {
    await server.sql(`create or replace function fail_once() returns trigger language plpgsql as $$
      begin
        if nextval('public.tries') % 2 = 1 then raise exception using errcode = '${code}'; end if;
        return new;
      end $$`);
    await server.sql(
      "create or replace trigger fail_once before insert on companies for each row execute function fail_once()",
    );
    const posted = await own.post(PATH, { name: code });
    assert.equal(posted.status, 201, `${code}: ${posted.text}`);
  }
  await server.sql("drop trigger fail_once on companies");
  const [row] = await server.sql("select last_value::int as tries from tries");
  assert.deepEqual([row?.tries, (await own.get(PATH)).body.total], [2 * codes.length, codes.length]);
});
