import type pg from "pg";
import type { Caller } from "./caller.ts";
import { Coalescer, kindOf } from "./coalescer.ts";
import { Costs } from "./costs.ts";
import { isLockTimeout, isTimedOut } from "./failures.ts";
import type { Lanes } from "./lanes.ts";
import type { Pool } from "./pool.ts";
import type { Presence } from "./presence.ts";
import { reading, startingWith } from "./retries.ts";
import type { Call, Row } from "./statement.ts";
import type { TenantId } from "./tenant-id.ts";
import { beginReading, beginReadingPatiently, runUnit, sendUnit, withTenant } from "./unit-of-work.ts";

/** Transactions of one tenant at once on two lanes, so that each always has the next one there. */
const AT_ONCE = 4;
/** A transaction that takes longer is taken off its lane. */
const PATIENCE_MS = 100;

export type QuickReads = {
  run(tenant: TenantId, calls: Call[], caller: Caller): Promise<Row[][]>;
  drained(): Promise<void>;
};

/**
 * Reads on shared lanes. What proves not to be quick goes on in the pool, and what of its kind the tenant asks for in the
 * next while goes there at once.
 */
export function createQuickReads(lanes: Lanes, pool: Pool, presence: Presence): QuickReads {
  const costs = new Costs(presence);

  async function alone(
    tenant: TenantId,
    calls: Call[],
    attempted: Promise<Row[][]> | null,
    caller: Caller,
  ): Promise<Row[][]> {
    const unit = (client: pg.Client) => runUnit(client, beginReading(tenant), withTenant(tenant, calls), PATIENCE_MS);
    const onLane = startingWith(attempted, () => lanes.use(tenant, unit, caller));
    return await unlessItWaits(
      () => reading(onLane),
      () => readAside(pool, tenant, calls, caller),
    );
  }

  const coalescer = new Coalescer({
    turns: lanes.turns,
    costs,
    async attempt(tenant, calls, answered) {
      await lanes.useNow((client) =>
        sendUnit(client, beginReading(tenant), withTenant(tenant, calls), answered, PATIENCE_MS),
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

/** Reads what may take long, where nobody else's quick reads wait behind it. */
export async function readAside(pool: Pool, tenant: TenantId, calls: Call[], caller: Caller): Promise<Row[][]> {
  const unit = (client: pg.Client) => runUnit(client, beginReadingPatiently(tenant), withTenant(tenant, calls));
  return await reading(() => pool.use(tenant, unit, caller));
}

/** What takes too long on a lane, or waits there for a lock, is read aside. */
export async function unlessItWaits<T>(onLane: () => Promise<T>, aside: () => Promise<T>): Promise<T> {
  try {
    return await onLane();
  } catch (error) {
    if (isTimedOut(error) || isLockTimeout(error)) return await aside();
    throw error;
  }
}
