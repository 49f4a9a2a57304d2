import type pg from "pg";
import type { Caller } from "../sharing/caller.ts";
import { Coalescer, kindOf } from "./coalescer.ts";
import { Costs } from "./costs.ts";
import { isLockTimeout, isTimedOut } from "./failures.ts";
import type { Lanes } from "./lanes.ts";
import type { Pool } from "./pool.ts";
import type { Presence } from "../sharing/presence.ts";
import { reading, startingWith } from "./retries.ts";
import type { Call, Row } from "./statement.ts";
import type { TenantId } from "./tenant-id.ts";
import { beginReading, beginReadingPatiently, runTransaction, sendTransaction, withTenant } from "./transaction.ts";

/** Transactions of one tenant at once on two lanes, so that each always has the next one there. */
const AT_ONCE = 4;
/** A transaction that takes longer is taken off its lane. */
const PATIENCE_MS = 100;

export type QuickReads = {
  run(tenant: TenantId, calls: Call[], caller: Caller): Promise<Row[][]>;
  drained(): Promise<void>;
};

/**
 * Reads on shared lanes. A read that proves not to be quick goes on in the pool, and the tenant's next ones of its kind
 * go there at once.
 */
export function createQuickReads(lanes: Lanes, pool: Pool, presence: Presence): QuickReads {
  const costs = new Costs(presence);

  async function alone(
    tenant: TenantId,
    calls: Call[],
    attempted: Promise<Row[][]> | null,
    caller: Caller,
  ): Promise<Row[][]> {
    const work = (client: pg.Client) =>
      runTransaction(client, beginReading(tenant), withTenant(tenant, calls), PATIENCE_MS);
    const onLane = startingWith(attempted, () => lanes.use(tenant, work, caller));
    return await unlessItWaits(
      () => reading(onLane),
      () => readAside(pool, tenant, calls, caller),
    );
  }

  const coalescer = new Coalescer({
    places: lanes.places,
    costs,
    weightOf: lanes.weightOf,
    async attempt(tenant, calls, answered) {
      await lanes.useNow((client) =>
        sendTransaction(client, beginReading(tenant), withTenant(tenant, calls), answered, PATIENCE_MS),
      );
    },
    alone,
    aside: (tenant, calls, caller) => readAside(pool, tenant, calls, caller),
    mayRepeat: () => true,
    early: true,
    atOnce: AT_ONCE,
  });

  return {
    async run(tenant, calls, caller) {
      if (costs.isSlow(tenant, kindOf(calls))) return await readAside(pool, tenant, calls, caller);
      return await coalescer.run(tenant, "", calls, caller);
    },
    drained: () => coalescer.drained(),
  };
}

/** Does reads that may take long where nobody else's quick reads wait behind them. */
export async function readAside(pool: Pool, tenant: TenantId, calls: Call[], caller: Caller): Promise<Row[][]> {
  const work = (client: pg.Client) => runTransaction(client, beginReadingPatiently(tenant), withTenant(tenant, calls));
  return await reading(() => pool.use(tenant, work, caller));
}

/** A read that takes too long on a lane, or waits there for a lock, goes on aside. */
export async function unlessItWaits<T>(onLane: () => Promise<T>, aside: () => Promise<T>): Promise<T> {
  try {
    return await onLane();
  } catch (error) {
    if (isTimedOut(error) || isLockTimeout(error)) return await aside();
    throw error;
  }
}
