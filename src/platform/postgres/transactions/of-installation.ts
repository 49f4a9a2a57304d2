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
// time on a new connection, in a place of a pool.

/** On a cluster, a function may query the node that it runs on (docs/decisions/0021-on-a-cluster.md). */
const BEGIN = `${beginPatiently(INSTALLATION)};set local citus.allow_nested_distributed_execution = on`;

/** The work of another tenant would be done by one of the pools. */
type Pools = { connection: pg.ClientConfig; searching: Pool; waiting: Pool };
type PoolName = "searching" | "waiting";

/** Calls of one transaction. Rows per statement. */
export async function runOfInstallation(pools: Pools, pool: PoolName, caller: Caller, calls: Call[]): Promise<Row[][]> {
  return await inTurn(pools, pool, caller, (client) => runTransaction(client, BEGIN, withTenant(INSTALLATION, calls)));
}

/** Statements that depend on each other's answers. */
export async function transactionOfInstallation<T>(
  pools: Pools,
  caller: Caller,
  work: (run: Run, savepoint: Savepoint) => Promise<T>,
): Promise<T> {
  return await inTurn(pools, "waiting", caller, (client) =>
    inTransaction(client, BEGIN, (run, savepoint) => work((call) => run(callOfTenant(INSTALLATION, call)), savepoint)),
  );
}

/** Calls of one transaction without a tenant. Rows per statement. */
export async function runAsOwner(pools: Pools, caller: Caller, calls: Call[]): Promise<Row[][]> {
  return await inTurn(pools, "waiting", caller, (client) => runTransaction(client, "begin", calls));
}

/**
 * Uses a connection of the owner in a place of a pool. Fails with Overloaded if there is no place in time, and with
 * DatabaseUnavailable if there is no connection.
 */
async function inTurn<T>(
  pools: Pools,
  pool: PoolName,
  caller: Caller,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  let isConnected = false;
  const connecting = async () =>
    await asOwner({ ...pools.connection, ...AS_TEXT, pipeline: true }, async (client) => {
      isConnected = true;
      return await work(client);
    });
  try {
    return await pools[pool].places.use(INSTALLATION, connecting, caller);
  } catch (error) {
    throw isConnected || error instanceof Overloaded ? error : asUnavailable(error);
  }
}
