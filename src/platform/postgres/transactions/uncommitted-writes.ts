import type pg from "pg";
import type { Caller } from "../../sharing/caller.ts";
import type { SlowWork } from "../../sharing/slow-work.ts";
import { hasNoConnectionLeft, isLockTimeout, isTimedOut } from "../failures.ts";
import { withTenant, type Call, type Row } from "../statement.ts";
import type { TenantId } from "../tenant-id.ts";
import { Coalescer, type UnitOfCaller } from "./coalescer.ts";
import { WRITES } from "./lane-policies.ts";
import { PendingCommit, type Uncommitted } from "./pending-commit.ts";
import type { Pool } from "./pool.ts";
import { retrying, startingWith } from "./retries.ts";
import { runTransaction, sendTransaction } from "./transaction.ts";

export type UncommittedWrites = {
  /**
   * Rows per call, before the commit (pending-commit.ts).
   * @param alone whether the transaction is shared with no other caller
   */
  run: (tenant: TenantId, calls: Call[], caller: Caller, alone: boolean) => Promise<Uncommitted<Row[][]>>;
  drained(): Promise<void>;
};

/**
 * Writes whose transactions wait for their callers before the commit. They run in the pool, where no work waits behind
 * them, and share transactions like other writes (lane-policies.ts).
 */
export function createUncommittedWrites(pool: Pool, slowWork: SlowWork): UncommittedWrites {
  const { begin, beginPatiently, patienceMs, groupOf, namesOf, mayRepeat, atOnce } = WRITES;

  const patiently = async (tenant: TenantId, { calls, caller, pending }: UnitOfCaller): Promise<Row[][]> => {
    const last = async (rows: Row[][]) => {
      const call = await pending?.give(rows);
      return call == null ? [] : withTenant(tenant, [call]);
    };
    const work = async (client: pg.Client) =>
      await runTransaction(client, beginPatiently(tenant), withTenant(tenant, calls), null, last);
    return await pool.use(tenant, work, caller);
  };

  /** Repeats until the caller has its rows. */
  const alone = async (tenant: TenantId, unit: UnitOfCaller, failed: unknown): Promise<Row[][]> => {
    const isOver = failed === null || isLockTimeout(failed) || isTimedOut(failed) || hasNoConnectionLeft(failed);
    const attempt = startingWith(isOver ? null : failed, () => patiently(tenant, unit));
    return await retrying(attempt, () => unit.pending?.isGiven !== true);
  };

  const coalescer = new Coalescer({
    mayRepeat: (failure) => mayRepeat(failure) || hasNoConnectionLeft(failure),
    atOnce,
    early: false,
    places: pool.places,
    async attempt(tenant, calls, answered, last = async () => []) {
      const ends = async () => withTenant(tenant, await last());
      await pool.useNow((client) =>
        sendTransaction(client, begin(tenant), withTenant(tenant, calls), answered, patienceMs, ends),
      );
    },
    alone,
    inPool: async (tenant, unit) => await alone(tenant, unit, null),
    took() {},
    tookTooLong: (tenant, calls) => slowWork.put(namesOf(tenant, calls)),
  });

  return {
    async run(tenant, calls, caller, isAlone) {
      const pending = new PendingCommit<Row[][]>();
      const unit = { calls, caller, pending };
      const group = isAlone || slowWork.has(namesOf(tenant, calls)) ? null : groupOf(calls);
      pending.settleWith(group === null ? alone(tenant, unit, null) : coalescer.run(tenant, group, unit));
      return await pending.outcome;
    },
    drained: () => coalescer.drained(),
  };
}
