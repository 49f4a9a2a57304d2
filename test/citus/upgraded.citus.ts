import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { distribute } from "../../src/platform/postgres/distribution/distribution.ts";
import { migrate } from "../../src/platform/postgres/migrations/migrate.ts";
import { previousRelease } from "../migrations/previous-release.ts";
import { open } from "../operation/backup/databases.ts";
import { createCitusDatabase } from "./distributed-database.ts";
import type { Node } from "./nodes.ts";

const nodes = JSON.parse(process.env.LIAISON_TEST_NODES ?? "[]") as Node[];

test("a cluster of the previous release is brought up to date, and records later changes", async () => {
  const connection = await createCitusDatabase(nodes);
  const earlier = (await import(path.join(previousRelease(), "src/platform/postgres/migrations/migrate.ts"))) as {
    migrate: typeof migrate;
  };
  await earlier.migrate(connection);
  await distribute(connection);
  await migrate(connection);

  const client = await open(connection);
  const [tenant] = (await client.query("insert into tenants (slug, name) values ('t', 'T') returning id")).rows;
  const of = [tenant.id];
  const insert = "insert into companies (tenant_id, name, country) values ($1, 'A', 'RO') returning id";
  const [company] = (await client.query(insert, of)).rows;
  const ofCompany = [tenant.id, company.id];
  await client.query("update companies set name = 'B', status = 'active' where tenant_id = $1 and id = $2", ofCompany);
  await client.query(
    `insert into invoices (tenant_id, company_id, number, status, total, currency) values ($1, $2, 'F1', 'issued', 5, 'RON')`,
    ofCompany,
  );
  await client.query("update invoices set total = 7 where tenant_id = $1 and company_id = $2", ofCompany);
  await client.query("update invoices set status = 'paid' where tenant_id = $1 and company_id = $2", ofCompany);
  const { rows } = await client.query("select type, action from changes where tenant_id = $1 order by id", of);
  assert.deepEqual(rows.map(({ type, action }) => `${type} ${action}`).sort(), [
    "company created",
    "company updated",
    "invoice created",
    "invoice updated",
    "invoice updated",
    "payment created",
  ]);
});
