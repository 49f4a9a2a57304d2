import type pg from "pg";
import type { Caller } from "../../sharing/caller.ts";
import type { SlowWork } from "../../sharing/slow-work.ts";
import { isLockTimeout, isTimedOut } from "../failures.ts";
import { withTenant, type Call, type Row } from "../statement.ts";
import type { TenantId } from "../tenant-id.ts";
import { Coalescer, type CoalescerOptions } from "./coalescer.ts";
import type { Lanes } from "./lanes.ts";
import type { Pool } from "./pool.ts";
import { startingWith } from "./retries.ts";
import { runTransaction, sendTransaction } from "./transaction.ts";

/** How reads are done, or writes. */
export type LanePolicy = Pick<CoalescerOptions, "mayRepeat" | "early" | "atOnce"> & {
  /** The beginning of a transaction on a lane, and in the pool, where a wait for a lock blocks no other work. */
  begin: (tenant: TenantId) => string;
  beginPatiently: (tenant: TenantId) => string;
  /** A transaction that takes longer is removed from its lane. */
  patienceMs: number;
  /** Repeats an attempt that has changed nothing. */
  again: <T>(attempt: () => Promise<T>) => Promise<T>;
  /** The group of a unit: units of one group share transactions. Null: it shares with none. */
  groupOf: (calls: Call[]) => string | null;
  /** The names under which a unit that is not quick is remembered as slow. */
  namesOf: (tenant: TenantId, calls: Call[]) => string[];
};

type RunUnit = (tenant: TenantId, calls: Call[], caller: Caller) => Promise<Row[][]>;

export type OnLanes = { run: RunUnit; inPool: RunUnit; drained(): Promise<void> };

/**
 * Units of work on shared lanes. A unit that waits for a lock there, or takes long, continues in the pool, where no
 * work waits behind it. For a while, similar units go to the pool at once.
 */
export function createOnLanes(policy: LanePolicy, lanes: Lanes, pool: Pool, slowWork: SlowWork): OnLanes {
  const { begin, beginPatiently, patienceMs, again, groupOf, namesOf, ...coalescing } = policy;

  const onceInPool: RunUnit = async (tenant, calls, caller) => {
    const work = (client: pg.Client) => runTransaction(client, beginPatiently(tenant), withTenant(tenant, calls));
    return await pool.use(tenant, work, caller);
  };
  const inPool: RunUnit = async (tenant, calls, caller) => await again(() => onceInPool(tenant, calls, caller));

  const alone: CoalescerOptions["alone"] = async (tenant, { calls, caller }, failed) => {
    const work = (client: pg.Client) => runTransaction(client, begin(tenant), withTenant(tenant, calls), patienceMs);
    const onLane = startingWith(failed, () => lanes.use(tenant, work, caller));
    const inPoolFromNowOn = async () => {
      slowWork.put(namesOf(tenant, calls));
      return await onceInPool(tenant, calls, caller);
    };
    return await again(() => unlessItWaits(onLane, inPoolFromNowOn));
  };

  const coalescer = new Coalescer({
    ...coalescing,
    places: lanes.places,
    async attempt(tenant, calls, answered) {
      await lanes.useNow((client) =>
        sendTransaction(client, begin(tenant), withTenant(tenant, calls), answered, patienceMs),
      );
    },
    alone,
    inPool: async (tenant, { calls, caller }) => await inPool(tenant, calls, caller),
    took(tenant, calls, ms) {
      for (const name of namesOf(tenant, calls)) slowWork.note(name, ms);
    },
    tookTooLong: (tenant, calls) => slowWork.put(namesOf(tenant, calls)),
  });

  return {
    async run(tenant, calls, caller) {
      if (slowWork.has(namesOf(tenant, calls))) return await inPool(tenant, calls, caller);
      const group = groupOf(calls);
      if (group === null) return await alone(tenant, { calls, caller }, null);
      return await coalescer.run(tenant, group, { calls, caller });
    },
    inPool,
    drained: () => coalescer.drained(),
  };
}

/** Repeats work in the pool if it takes too long on a lane, or waits there for a lock. */
export async function unlessItWaits<T>(onLane: () => Promise<T>, inPool: () => Promise<T>): Promise<T> {
  try {
    return await onLane();
  } catch (error) {
    if (isTimedOut(error) || isLockTimeout(error)) return await inPool();
    throw error;
  }
}
