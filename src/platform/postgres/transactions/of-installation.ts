import type pg from "pg";
import { asOwner } from "../as-owner.ts";
import { AS_TEXT } from "../request-settings.ts";
import { callOfTenant, withTenant, type Call, type Row } from "../statement.ts";
import { INSTALLATION } from "../tenant-id.ts";
import { beginPatiently, inTransaction, runTransaction, type Run, type Savepoint } from "./transaction.ts";

// Row-level security hides the installation's rows from the role of requests, so the owner reads and writes them.

/** On a cluster, a function may query the node that it runs on (docs/decisions/0021-on-a-cluster.md). */
const BEGIN = `${beginPatiently(INSTALLATION)};set local citus.allow_nested_distributed_execution = on`;

/** Calls of one transaction. Rows per statement. */
export async function runOfInstallation(connection: pg.ClientConfig, calls: Call[]): Promise<Row[][]> {
  return await asOwner({ ...connection, ...AS_TEXT, pipeline: true }, (client) =>
    runTransaction(client, BEGIN, withTenant(INSTALLATION, calls)),
  );
}

/** Statements that depend on each other's answers. */
export async function transactionOfInstallation<T>(
  connection: pg.ClientConfig,
  work: (run: Run, savepoint: Savepoint) => Promise<T>,
): Promise<T> {
  return await asOwner({ ...connection, ...AS_TEXT }, (client) =>
    inTransaction(client, BEGIN, (run, savepoint) => work((call) => run(callOfTenant(INSTALLATION, call)), savepoint)),
  );
}
