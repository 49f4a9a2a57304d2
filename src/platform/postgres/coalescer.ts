import pg from "pg";
import type { Call, Row } from "./statement.ts";
import type { TenantId } from "./tenant-id.ts";
import { DatabaseUnavailable, isTimedOut } from "./failures.ts";
import { type Answered } from "./unit-of-work.ts";

export type CoalescerOptions = {
  /** Tries once to run calls in one transaction of the tenant. */
  attempt: (tenant: TenantId, calls: Call[], answered: Answered) => Promise<void>;
  /**
   * Runs the calls of one caller to their end.
   * @param attempted a first attempt that is under way, by which no other caller is concerned
   */
  alone: (tenant: TenantId, calls: Call[], attempted: Promise<Row[][]> | null) => Promise<Row[][]>;
  /** Whether what was attempted together may be run again, each alone, after this failure. */
  mayRepeat: (failure: unknown) => boolean;
  /** Whether rows are good before the commit: they are where nothing is written. */
  early: boolean;
  /** How many transactions of one group may be under way; what is asked for meanwhile shares the next. */
  atOnce: number;
};

/** So much is repeated when one of them fails, and in part kept in memory until all are done. */
const MOST_UNITS = 50;
/** How many units of a group may wait. More would wait longer than clients do: they are refused at once. */
const MAX_WAITING = 2_000;

/** Units that may share a transaction. All are of one tenant. */
type Group = { tenant: TenantId; waiting: Unit[]; underWay: number; isScheduled: boolean };

/** What one caller asked for, and the rows of its calls so far. */
type Unit = {
  calls: Call[];
  rows: Row[][];
  isSettled: boolean;
  resolve: (rows: Row[][]) => void;
  reject: (failure: unknown) => void;
};

/**
 * Units of work of one tenant that are asked for at the same time share a transaction: opening and committing one costs
 * both sides more than most units themselves. Nobody waits for company: what is there when a turn of the event loop ends
 * is sent. Where a unit fails, which takes back what the others did, they are run again, each alone.
 */
export class Coalescer {
  readonly #options: CoalescerOptions;
  readonly #groups = new Map<string, Group>();
  #unsettled = 0;
  #whenDrained: (() => void)[] = [];

  constructor(options: CoalescerOptions) {
    this.#options = options;
  }

  /**
   * Rows per call.
   * @param kind of the unit: those of one tenant and kind are a group
   */
  async run(tenant: TenantId, kind: string, calls: Call[]): Promise<Row[][]> {
    const key = `${tenant}/${kind}`;
    const group = this.#groups.get(key) ?? { tenant, waiting: [], underWay: 0, isScheduled: false };
    if (group.waiting.length >= MAX_WAITING) throw new DatabaseUnavailable("too many requests wait for it", false);
    this.#groups.set(key, group);
    this.#unsettled++;
    try {
      return await new Promise((resolve, reject) => {
        group.waiting.push({ calls, rows: [], isSettled: false, resolve, reject });
        if (group.isScheduled || group.underWay >= this.#options.atOnce) return;
        group.isScheduled = true;
        setImmediate(() => {
          group.isScheduled = false;
          this.#sendWaiting(key, group);
        });
      });
    } finally {
      if (--this.#unsettled === 0) for (const drained of this.#whenDrained.splice(0)) drained();
    }
  }

  /** Resolves when nobody waits for an answer. */
  async drained(): Promise<void> {
    if (this.#unsettled > 0) await new Promise<void>((resolve) => this.#whenDrained.push(resolve));
  }

  #sendWaiting(key: string, group: Group): void {
    while (group.waiting.length > 0 && group.underWay < this.#options.atOnce) {
      const units = group.waiting.splice(0, MOST_UNITS);
      group.underWay++;
      void this.#send(group.tenant, units).finally(() => {
        group.underWay--;
        this.#sendWaiting(key, group);
      });
    }
    if (group.underWay === 0 && !group.isScheduled) this.#groups.delete(key);
  }

  /** Settles with the attempt: what has to be repeated is not waited for. */
  async #send(tenant: TenantId, units: Unit[]): Promise<void> {
    const { attempt, alone, mayRepeat, early } = this.#options;
    const { calls, share, takersOf } = together(units);
    let blamed: Unit[] = [];
    const attempted = attempt(tenant, calls, (index, rows) => {
      if (rows === null) blamed = takersOf(index);
      else for (const unit of share(index, rows)) if (early) settle(unit);
    });
    const [only] = units;
    if (units.length === 1 && only !== undefined) {
      const rows = attempted.then(() => only.rows);
      alone(tenant, only.calls, rows).then(only.resolve, only.reject);
      return await attempted.catch(() => {});
    }
    try {
      await attempted;
      for (const unit of units) settle(unit);
    } catch (failure) {
      for (const unit of units) {
        if (unit.isSettled) continue;
        // What took too long would again.
        const isHopeless = isTimedOut(failure) && blamed.includes(unit);
        if (isHopeless || !mayRepeat(failure)) unit.reject(failure);
        else alone(tenant, unit.calls, null).then(unit.resolve, unit.reject);
      }
    }
  }
}

/** Answers a unit, and lets go of its rows: its transaction may have a long way to go. */
function settle(unit: Unit): void {
  if (unit.isSettled) return;
  unit.isSettled = true;
  unit.resolve(unit.rows);
  unit.rows = [];
}

/** Whether PostgreSQL refused one of the statements: then nothing was committed. After a PANIC nobody knows. */
export function wasTakenBack(failure: unknown): boolean {
  if (failure instanceof DatabaseUnavailable) return !failure.connectionBroke && wasTakenBack(failure.cause);
  return failure instanceof pg.DatabaseError && failure.severity === "ERROR";
}

/** Whose rows of a call which are. */
type Taker = { unit: Unit; call: Call };

/**
 * The calls of all units, one behind the other; units that only bring records for the same statement become one call.
 * `share` gives a call's rows to its units and returns those that have all of theirs now.
 */
function together(units: Unit[]): {
  calls: Call[];
  share: (index: number, rows: Row[]) => Unit[];
  takersOf: (index: number) => Unit[];
} {
  const calls: Call[] = [];
  const takers: Taker[][] = [];
  for (const unit of units) {
    for (const call of unit.calls) {
      const index = unit.calls.length === 1 ? calls.findIndex((known) => areOne(known, call)) : -1;
      const known = calls[index];
      if (known === undefined) {
        calls.push(call);
        takers.push([{ unit, call }]);
      } else {
        calls[index] = { ...known, records: [...(known.records ?? []), ...(call.records ?? [])] };
        takers[index]?.push({ unit, call });
      }
    }
  }
  return {
    calls,
    takersOf: (index) => (takers[index] ?? []).map(({ unit }) => unit),
    share(index, rows) {
      let next = 0;
      return (takers[index] ?? []).flatMap(({ unit, call: { records, answers } }) => {
        if (records === undefined) unit.rows.push(rows);
        else if (answers === "by id") unit.rows.push(rows.filter(([id]) => records.some((record) => record.id === id)));
        else unit.rows.push(rows.slice(next, (next += records.length)));
        return unit.rows.length === unit.calls.length ? unit : [];
      });
    },
  };
}

/** An update finds a row once, so two records of one id are two calls. */
function areOne(one: Call, other: Call): boolean {
  if (one.records === undefined || other.records === undefined || one.statement !== other.statement) return false;
  if (one.answers !== "by id") return true;
  return !other.records.some(({ id }) => one.records?.some((known) => known.id === id));
}
