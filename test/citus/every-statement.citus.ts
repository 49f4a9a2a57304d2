import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { loadStatements } from "../plans/collected-statements.ts";

/** Citus plans every statement of the program. Imported behind the module that collects the statements. */
const { startServer } = await import("../harness.ts");
const server = await startServer();

/** What Citus says of a statement that it cannot run, whatever its parameters. */
const REFUSED =
  /non-IMMUTABLE|STABLE functions|VOLATILE functions|row type for result|not supported|nested distributed|only supported/;

/** Their parameter is never null, and with a null the condition is another. */
const NEVER_NULL = new Set(["activity_of_invoice_mailed_to_contact", "enqueue_webhooks_to_send", "webhooks_to_send"]);

test("no statement needs what Citus lacks", async () => {
  const tenant = await server.createTenant();
  const statements = (await loadStatements()).flatMap(({ made }) => Array.from(made.values()));
  assert.ok(statements.length > 900);
  const client = new pg.Client(server.connection);
  await client.connect();
  const refused: string[] = [];
  // As the role of requests: row-level security changes what Citus can plan.
  for (const { name, text } of statements) {
    const parameters = new Set([...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number))).size;
    await client.query(
      `begin; set local role liaison_app; set local app.tenant_id = '${tenant.id}'; set local citus.allow_nested_distributed_execution = on`,
    );
    const values = Array.from({ length: parameters }, (_, index) => (index === 0 ? tenant.id : null));
    await client.query({ text, values }).catch(({ message }: Error) => {
      if (REFUSED.test(message) && !NEVER_NULL.has(name)) refused.push(`${name}: ${message}`);
    });
    await client.query("rollback");
  }
  await client.end();
  assert.deepEqual(refused, []);
});
