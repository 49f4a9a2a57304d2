import pg from "pg";
import type { Caller } from "../../sharing/caller.ts";
import { hungUp } from "../../sharing/overloaded.ts";
import type { Places } from "../../sharing/places.ts";
import { DatabaseUnavailable, isTimedOut } from "../failures.ts";
import type { Call, Row } from "../statement.ts";
import type { TenantId } from "../tenant-id.ts";
import type { PendingCommit } from "./pending-commit.ts";
import type { Answered } from "./transaction.ts";

export type CoalescerOptions = {
  /** The places of tenants: each attempt at a transaction uses one. */
  places: Places;
  /**
   * Tries once to run calls in one transaction of the tenant.
   * @param last resolves with the last calls of units whose commit waits for the caller (pending-commit.ts); absent if
   *   there are none
   */
  attempt: (tenant: TenantId, calls: Call[], answered: Answered, last?: () => Promise<Call[]>) => Promise<void>;
  /**
   * Runs the calls of one unit until it succeeds or finally fails.
   * @param failed the failure of a first attempt that contained no other unit; null: there was none
   */
  alone: (tenant: TenantId, unit: UnitOfCaller, failed: unknown) => Promise<Row[][]>;
  /** As alone, but in the pool, where no other unit waits behind them: for calls that took too long together. */
  inPool: (tenant: TenantId, unit: UnitOfCaller) => Promise<Row[][]>;
  /** Reports the duration of a unit, and that a unit exceeded its limit and its transaction was cancelled. */
  took: (tenant: TenantId, calls: Call[], ms: number) => void;
  tookTooLong: (tenant: TenantId, calls: Call[]) => void;
  /** Whether units of one attempt may be repeated, each alone, after this failure. */
  mayRepeat: (failure: unknown) => boolean;
  /** Whether rows are returned before the commit. That is safe if nothing is written. */
  early: boolean;
  /**
   * The number of transactions of one group that may be in flight; units that arrive in the meantime share the next.
   */
  atOnce: number;
};

/** The most units per transaction: all are repeated if one fails, and some stay in memory until all are done. */
const MOST_UNITS = 50;

/** Units that may share a transaction. All are of one tenant. */
type UnitGroup = { tenant: TenantId; waiting: Unit[]; underWay: number; isScheduled: boolean };

/** The calls that one caller sends together. `pending`: the transaction waits for the caller before the commit. */
export type UnitOfCaller = { calls: Call[]; caller: Caller; pending?: PendingCommit<Row[][]> };

/** The same with their rows so far. */
type Unit = UnitOfCaller & {
  rows: Row[][];
  isSettled: boolean;
  resolve: (rows: Row[][]) => void;
  reject: (failure: unknown) => void;
};

/**
 * Simultaneous units of work of one tenant share a transaction: opening and committing a transaction costs both sides
 * more than most units. No unit waits for others: those present at the end of a turn of the event loop are sent. If a
 * unit fails, the others are rolled back too, and each is repeated alone.
 */
export class Coalescer {
  readonly #options: CoalescerOptions;
  readonly #groups = new Map<string, UnitGroup>();
  /** The number of unanswered units. */
  #unsettled = 0;
  #whenDrained: (() => void)[] = [];

  constructor(options: CoalescerOptions) {
    this.#options = options;
  }

  /**
   * Rows per call.
   * @param kind of the unit: those of one tenant and kind are a group
   */
  async run(tenant: TenantId, kind: string, unit: UnitOfCaller): Promise<Row[][]> {
    this.#unsettled++;
    const name = `${tenant}/${kind}`;
    const group = this.#groups.get(name) ?? { tenant, waiting: [], underWay: 0, isScheduled: false };
    this.#groups.set(name, group);
    try {
      return await new Promise((resolve, reject) => {
        group.waiting.push({ ...unit, rows: [], isSettled: false, resolve, reject });
        if (group.isScheduled || group.underWay >= this.#options.atOnce) return;
        group.isScheduled = true;
        setImmediate(() => {
          group.isScheduled = false;
          this.#sendWaiting(name, group);
        });
      });
    } finally {
      if (--this.#unsettled === 0) for (const drained of this.#whenDrained.splice(0)) drained();
    }
  }

  /** Resolves when every unit is answered. */
  async drained(): Promise<void> {
    if (this.#unsettled > 0) await new Promise<void>((resolve) => this.#whenDrained.push(resolve));
  }

  #sendWaiting(name: string, group: UnitGroup): void {
    const { atOnce, places } = this.#options;
    while (group.underWay < atOnce && !group.isScheduled) {
      const units = this.#nextUnits(group);
      if (units.length === 0) break;
      if (!places.tryAcquire(group.tenant)) return this.#sendAtNextTurn(name, group);
      this.#sendNow(name, group, units);
    }
    if (group.underWay === 0 && !group.isScheduled) this.#groups.delete(name);
  }

  /** Units that arrive before the group's turn join this transaction. */
  #sendAtNextTurn(name: string, group: UnitGroup): void {
    group.isScheduled = true;
    const ready = () => {
      group.isScheduled = false;
      const units = this.#nextUnits(group);
      if (units.length > 0) this.#sendNow(name, group, units);
      else this.#options.places.release(group.tenant);
      this.#sendWaiting(name, group);
    };
    const refuse = (failure: unknown) => {
      group.isScheduled = false;
      for (const { reject } of group.waiting.splice(0)) reject(failure);
      this.#sendWaiting(name, group);
    };
    this.#options.places.acquire(group.tenant).then(ready, refuse);
  }

  /** Sends the first waiting units in a place that the group has. */
  #sendNow(name: string, group: UnitGroup, units: Unit[]): void {
    group.waiting.splice(0, units.length);
    group.underWay++;
    void this.#send(group.tenant, units).finally(() => {
      group.underWay--;
      this.#options.places.release(group.tenant);
      this.#sendWaiting(name, group);
    });
  }

  /** The first waiting units: those of one transaction. Units of callers who have hung up are rejected. */
  #nextUnits({ waiting }: UnitGroup): Unit[] {
    const units: Unit[] = [];
    while (units.length < MOST_UNITS) {
      const unit = waiting[units.length];
      if (unit === undefined) break;
      if (unit.caller.hasHungUp) {
        waiting.splice(units.length, 1);
        unit.reject(hungUp());
      } else units.push(unit);
    }
    return units;
  }

  /** Settles with the attempt; repetitions continue in the background. */
  async #send(tenant: TenantId, units: Unit[]): Promise<void> {
    const { attempt, early, took, tookTooLong } = this.#options;
    const { calls, share, sharersOf } = together(units);
    let blamed: Unit[] = [];
    let spent = 0;
    const answered: Answered = (index, rows, ms) => {
      if (rows === null) return void (blamed = sharersOf(index));
      const served = share(index, rows);
      spent += ms;
      for (const unit of served) {
        took(tenant, unit.calls, spent / served.length);
        if (early) settle(unit);
      }
      if (served.length > 0) spent = 0;
    };
    const isPending = units.some(({ pending }) => pending !== undefined);
    try {
      await attempt(tenant, calls, answered, isPending ? async () => await lastCalls(units) : undefined);
      for (const unit of units) settle(unit);
    } catch (failure) {
      if (isTimedOut(failure)) for (const unit of blamed) tookTooLong(tenant, unit.calls);
      this.#repeat(tenant, units, failure);
    }
  }

  #repeat(tenant: TenantId, units: Unit[], failure: unknown): void {
    const { alone, inPool, mayRepeat } = this.#options;
    for (const unit of units) {
      if (unit.isSettled) continue;
      // Its caller already works with the rows: it is not repeated.
      if (unit.pending?.isGiven === true) unit.reject(failure);
      // Its own failure decides whether it is tried again.
      else if (units.length === 1) alone(tenant, unit, failure).then(unit.resolve, unit.reject);
      else if (!mayRepeat(failure)) unit.reject(failure);
      else if (isTimedOut(failure)) inPool(tenant, unit).then(unit.resolve, unit.reject);
      else alone(tenant, unit, null).then(unit.resolve, unit.reject);
    }
  }
}

/** Gives their rows to the units whose commit waits, and resolves with their callers' last calls. */
async function lastCalls(units: Unit[]): Promise<Call[]> {
  const last = await Promise.all(units.map(async ({ pending, rows }) => await pending?.give(rows)));
  return together(last.flatMap((call) => (call == null ? [] : { calls: [call], rows: [] }))).calls;
}

/** Answers a unit and frees its rows: its transaction may run much longer. */
function settle(unit: Unit): void {
  if (unit.isSettled) return;
  unit.isSettled = true;
  unit.resolve(unit.rows);
  unit.rows = [];
}

/**
 * Whether PostgreSQL rejected one of the statements: then nothing was committed. After a PANIC the outcome is unknown.
 */
export function wasRolledBack(failure: unknown): boolean {
  if (failure instanceof DatabaseUnavailable) return !failure.connectionBroke && wasRolledBack(failure.cause);
  return failure instanceof pg.DatabaseError && failure.severity === "ERROR";
}

type CallsAndRows = Pick<Unit, "calls" | "rows">;

/** One of the units that share a call, and its own part of it. */
type Sharer<U> = { unit: U; call: Call };

/**
 * The calls of all units, one after the other; units with entries for the same statement become one call. `share`
 * passes a call's rows to its units and returns those whose rows are complete.
 */
function together<U extends CallsAndRows>(
  units: U[],
): {
  calls: Call[];
  share: (index: number, rows: Row[]) => U[];
  sharersOf: (index: number) => U[];
} {
  const calls: Call[] = [];
  const sharers: Sharer<U>[][] = [];
  for (const unit of units) {
    // Joins all calls of a unit or none, so that its statements stay in their order.
    const first = calls.findIndex((_, at) => unit.calls.every((call, n) => areOne(calls[at + n], call)));
    for (const [n, call] of unit.calls.entries()) {
      const earlier = calls[first + n];
      if (first < 0 || earlier === undefined) {
        calls.push(call);
        sharers.push([{ unit, call }]);
      } else {
        calls[first + n] = { ...earlier, entries: [...(earlier.entries ?? []), ...(call.entries ?? [])] };
        sharers[first + n]?.push({ unit, call });
      }
    }
  }
  return {
    calls,
    sharersOf: (index) => (sharers[index] ?? []).map(({ unit }) => unit),
    share(index, rows) {
      let next = 0;
      return (sharers[index] ?? []).flatMap(({ unit, call: { entries, answers } }) => {
        if (entries === undefined) unit.rows.push(rows);
        else if (answers === "by id") unit.rows.push(rows.filter(([id]) => entries.some((entry) => entry.id === id)));
        else unit.rows.push(rows.slice(next, (next += entries.length)));
        return unit.rows.length === unit.calls.length ? unit : [];
      });
    },
  };
}

/** An update finds a row once, so two entries of one id are two calls. */
function areOne(one: Call | undefined, other: Call): boolean {
  if (one?.entries === undefined || other.entries === undefined || one.statement.name !== other.statement.name)
    return false;
  if (one.answers !== "by id") return true;
  return !other.entries.some(({ id }) => one.entries?.some((earlier) => earlier.id === id));
}
