import type pg from "pg";
import { BoundedMap } from "../bounded-map.ts";
import { now } from "../clock.ts";
import type { Caller } from "../sharing/caller.ts";
import { Coalescer, wasTakenBack } from "./coalescer.ts";
import { Costs } from "./costs.ts";
import { isLockTimeout, isTimedOut } from "./failures.ts";
import type { Lanes } from "./lanes.ts";
import type { Pool } from "./pool.ts";
import type { Presence } from "../sharing/presence.ts";
import { retrying, startingWith } from "./retries.ts";
import type { Call, Row } from "./statement.ts";
import type { TenantId } from "./tenant-id.ts";
import { beginPatiently, beginWriting, runTransaction, sendTransaction, withTenant } from "./transaction.ts";

/** Transactions of one statement at once: entries that come meanwhile make the next one larger. */
const AT_ONCE = 1;
/**
 * A transaction that takes longer is taken off its lane. Locks are waited for less than that (LANE_LOCK_TIMEOUT_MS).
 */
const PATIENCE_MS = 250;
/** A row that was waited for in vain is not waited for on a lane for this long. */
const CONTENDED_FOR_MS = 10_000;
const REMEMBERED = 10_000;

export type Writes = {
  run(tenant: TenantId, calls: Call[], caller: Caller): Promise<Row[][]>;
  drained(): Promise<void>;
};

/**
 * Writes on shared lanes. A write that waits for a lock, or takes long, goes on in the pool, where nobody waits behind
 * it.
 */
export function createWrites(lanes: Lanes, pool: Pool, presence: Presence): Writes {
  /** Rows by tenant and id, of whatever table, and until when. */
  const contended = new BoundedMap<number>(REMEMBERED);

  async function aside(tenant: TenantId, calls: Call[], caller: Caller): Promise<Row[][]> {
    return await retrying(() => pool.use(tenant, patientUnitOf(tenant, calls), caller));
  }

  async function alone(
    tenant: TenantId,
    calls: Call[],
    attempted: Promise<Row[][]> | null,
    caller: Caller,
  ): Promise<Row[][]> {
    const attempt = startingWith(attempted, () => lanes.use(tenant, workOf(tenant, calls), caller));
    return await retrying(async () => {
      try {
        return await attempt();
      } catch (error) {
        if (isLockTimeout(error)) for (const row of rowsOf(tenant, calls)) contended.set(row, now() + CONTENDED_FOR_MS);
        else if (!isTimedOut(error)) throw error;
        return await pool.use(tenant, patientUnitOf(tenant, calls), caller);
      }
    });
  }

  const coalescer = new Coalescer({
    places: lanes.places,
    // Writes mostly wait for the disk, and others' commits need not wait for that.
    weightOf: () => 1,
    costs: new Costs(presence),
    async attempt(tenant, calls, answered) {
      await lanes.useNow((client) =>
        sendTransaction(client, beginWriting(tenant), withTenant(tenant, calls), answered, PATIENCE_MS),
      );
    },
    alone,
    aside,
    mayRepeat: wasTakenBack,
    early: false,
    atOnce: AT_ONCE,
  });

  return {
    async run(tenant, calls, caller) {
      if (rowsOf(tenant, calls).some((row) => (contended.get(row) ?? 0) > now())) {
        return await aside(tenant, calls, caller);
      }
      const [only] = calls;
      // Only calls that become one statement share: two transactions of several statements could lock the same rows crosswise.
      const kind = calls.length === 1 && only?.entries !== undefined ? only.statement.name : "";
      return kind === "" ? await alone(tenant, calls, null, caller) : await coalescer.run(tenant, kind, calls, caller);
    },
    drained: () => coalescer.drained(),
  };
}

/** The rows that calls change by id. */
function rowsOf(tenant: TenantId, calls: Call[]): string[] {
  return calls.flatMap(({ entries, answers }) =>
    entries === undefined || answers !== "by id" ? [] : entries.map(({ id }) => `${tenant}/${id}`),
  );
}

type Unit = (client: pg.Client) => Promise<Row[][]>;

function workOf(tenant: TenantId, calls: Call[]): Unit {
  return (client) => runTransaction(client, beginWriting(tenant), withTenant(tenant, calls), PATIENCE_MS);
}

function patientUnitOf(tenant: TenantId, calls: Call[]): Unit {
  return (client) => runTransaction(client, beginPatiently(tenant), withTenant(tenant, calls));
}
