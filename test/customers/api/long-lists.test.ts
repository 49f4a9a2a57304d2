import assert from "node:assert/strict";
import { test } from "node:test";
import { startServer } from "../../harness.ts";

/** A deep page is read from the nearer end, and a search that few companies match by an index of its own. */
const server = await startServer();
const tenant = await server.createTenant();
const COMPANIES = 17_000;
const PER_PAGE = 200;

test("every page of a long list has the rows of its place, whatever its order and its filters", async () => {
  const owner = await tenant.createUser();
  await server.sql(
    `insert into companies (tenant_id, name, country, status, assigned_to)
     select $1, case when n % 60 = 0 then 'Stork ' else 'Company ' end || n * 7919 % 1000, 'Romania',
       case when n % 100 = 0 then 'churned' else 'active' end, case when n % 90 > 0 then $2::bigint end
     from generate_series(1, $3::integer) n`,
    [tenant.id, owner, COMPANIES],
  );
  const filters = [
    ["", "true"],
    ["&status=active", "status = 'active'"],
    [`&assigned_to=${owner}`, "assigned_to is not null"],
    [`&assigned_to=${owner}&status=active`, "assigned_to is not null and status = 'active'"],
    ["&search=company", "name like 'Company%'"],
    ["&search=stork", "name like 'Stork%'"],
    [`&search=stork&status=active&assigned_to=${owner}`, "name like 'S%' and assigned_to > 0 and status = 'active'"],
  ] as const;
  const orders = {
    id: "id",
    "-id": "id desc",
    name: 'name collate "C", id',
    "-name": 'name collate "C" desc, id desc',
  };
  for (const [filter, condition] of filters) {
    for (const [sort, order] of Object.entries(orders)) {
      const rows = await server.sql(
        `select id from companies where tenant_id = $1 and ${condition} order by ${order}`,
        [tenant.id],
      );
      const expected = rows.map(({ id }) => Number(id));
      const last = Math.ceil(expected.length / PER_PAGE);
      for (const page of new Set([1, 42, last, last + 1])) {
        const { body } = await tenant.get(`/api/v1/companies?per_page=${PER_PAGE}&page=${page}&sort=${sort}${filter}`);
        const ids = body.data.map(({ id }: { id: number }) => id);
        assert.deepEqual(ids, expected.slice((page - 1) * PER_PAGE, page * PER_PAGE), `${sort}${filter}, page ${page}`);
        assert.equal(body.total, expected.length, `${sort}${filter}, page ${page}`);
      }
    }
  }
});
