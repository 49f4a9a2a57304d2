import type pg from "pg";
import type { Caller } from "../../sharing/caller.ts";
import { Overloaded } from "../../sharing/overloaded.ts";
import { asOwner } from "../as-owner.ts";
import { asUnavailable } from "../failures.ts";
import { AS_TEXT } from "../request-settings.ts";
import { callOfTenant, withTenant, type Call, type Row } from "../statement.ts";
import { INSTALLATION } from "../tenant-id.ts";
import type { Pool } from "./pool.ts";
import { beginPatiently, inTransaction, runTransaction, type Run, type Savepoint } from "./transaction.ts";

// Row-level security hides the installation's rows from the role of requests, so the owner reads and writes them, each
// time on a new connection. It takes a place of the pool that would have done the work of another tenant.

/** On a cluster, a function may query the node that it runs on (docs/decisions/0021-on-a-cluster.md). */
const BEGIN = `${beginPatiently(INSTALLATION)};set local citus.allow_nested_distributed_execution = on`;

/** `pool`: the one whose place it takes. */
export type OfInstallation = { connection: pg.ClientConfig; pool: Pick<Pool, "places">; caller: Caller };

/** Calls of one transaction. Rows per statement. */
export async function runOfInstallation(asking: OfInstallation, calls: Call[]): Promise<Row[][]> {
  return await connected(asking, { pipeline: true }, (client) =>
    runTransaction(client, BEGIN, withTenant(INSTALLATION, calls)),
  );
}

/** Statements that depend on each other's answers. */
export async function transactionOfInstallation<T>(
  asking: OfInstallation,
  work: (run: Run, savepoint: Savepoint) => Promise<T>,
): Promise<T> {
  return await connected(asking, {}, (client) =>
    inTransaction(client, BEGIN, (run, savepoint) => work((call) => run(callOfTenant(INSTALLATION, call)), savepoint)),
  );
}

/** Fails with Overloaded if there is no place in time, and with DatabaseUnavailable if there is no connection. */
async function connected<T>(
  { connection, pool, caller }: OfInstallation,
  options: pg.ClientConfig,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  let isConnected = false;
  const connecting = async () =>
    await asOwner({ ...connection, ...AS_TEXT, ...options }, async (client) => {
      isConnected = true;
      return await work(client);
    });
  try {
    return await pool.places.use(INSTALLATION, connecting, caller);
  } catch (error) {
    throw isConnected || error instanceof Overloaded ? error : asUnavailable(error);
  }
}
