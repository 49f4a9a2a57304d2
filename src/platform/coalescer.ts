import pg from "pg";
import type { Call, Row } from "./statement.ts";
import type { TenantId } from "./tenant-id.ts";
import { DatabaseUnavailable, type Answered } from "./unit-of-work.ts";

export type CoalescerOptions = {
  /** Tries once to run calls in one transaction of the tenant. Rows per call, and to `answered` as they come. */
  attempt: (tenant: TenantId, calls: Call[], answered: Answered) => Promise<Row[][]>;
  /**
   * Runs the calls of one caller to their end.
   * @param attempted a first attempt that is under way, by which no other caller is concerned
   */
  alone: (tenant: TenantId, calls: Call[], attempted: Promise<Row[][]> | null) => Promise<Row[][]>;
  /** Whether what was attempted together may be run again, each alone, after this failure. */
  mayRepeat: (failure: unknown) => boolean;
  /** Whether rows are good before the commit: they are where nothing is written. */
  early: boolean;
  /** How many transactions of one tenant may be under way; what is asked for meanwhile shares the next. */
  atOnce: number;
};

/** So much is repeated when one of them fails, and in part kept in memory until all are done. */
const MOST_UNITS = 50;
/** How many units of a tenant may wait. More would wait longer than clients do: they are refused at once. */
const MAX_WAITING = 2_000;

type Tenant = { waiting: Unit[]; underWay: number; isScheduled: boolean };

/** What one caller asked for, and the rows of its calls so far. */
type Unit = {
  calls: Call[];
  rows: Row[][];
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
  readonly #tenants = new Map<TenantId, Tenant>();

  constructor(options: CoalescerOptions) {
    this.#options = options;
  }

  /** Rows per call. */
  async run(id: TenantId, calls: Call[]): Promise<Row[][]> {
    return await new Promise((resolve, reject) => {
      const tenant = this.#tenants.get(id) ?? { waiting: [], underWay: 0, isScheduled: false };
      this.#tenants.set(id, tenant);
      if (tenant.waiting.length >= MAX_WAITING) throw new DatabaseUnavailable("too many requests wait for it", false);
      tenant.waiting.push({ calls, rows: [], resolve, reject });
      if (tenant.isScheduled || tenant.underWay >= this.#options.atOnce) return;
      tenant.isScheduled = true;
      setImmediate(() => {
        tenant.isScheduled = false;
        this.#sendWaiting(id, tenant);
      });
    });
  }

  #sendWaiting(id: TenantId, tenant: Tenant): void {
    while (tenant.waiting.length > 0 && tenant.underWay < this.#options.atOnce) {
      const units = tenant.waiting.splice(0, MOST_UNITS);
      tenant.underWay++;
      void this.#send(id, units).finally(() => {
        tenant.underWay--;
        this.#sendWaiting(id, tenant);
      });
    }
    if (tenant.underWay === 0 && !tenant.isScheduled) this.#tenants.delete(id);
  }

  /** Settles with the attempt: what has to be repeated is not waited for. */
  async #send(id: TenantId, units: Unit[]): Promise<void> {
    const { attempt, alone, mayRepeat, early } = this.#options;
    const { calls, share } = together(units);
    const attempted = attempt(id, calls, (index, rows) => {
      for (const unit of share(index, rows)) if (early) unit.resolve(unit.rows);
    });
    const [only] = units;
    if (units.length === 1 && only !== undefined) alone(id, only.calls, attempted).then(only.resolve, only.reject);
    try {
      await attempted;
      for (const { rows, resolve } of units) resolve(rows);
    } catch (failure) {
      if (units.length === 1) return;
      for (const { calls, resolve, reject } of units) {
        if (mayRepeat(failure)) alone(id, calls, null).then(resolve, reject);
        else reject(failure);
      }
    }
  }
}

/** Whether PostgreSQL refused one of the statements: then nothing was committed. */
export function wasTakenBack(failure: unknown): boolean {
  if (failure instanceof DatabaseUnavailable)
    return !failure.connectionBroke && failure.cause instanceof pg.DatabaseError;
  return failure instanceof pg.DatabaseError;
}

/** Whose rows of a call which are. */
type Taker = { unit: Unit; call: Call };

/**
 * The calls of all units, one behind the other; units that only bring records for the same statement become one call.
 * `share` gives a call's rows to its units and returns those that have all of theirs now.
 */
function together(units: Unit[]): { calls: Call[]; share: (index: number, rows: Row[]) => Unit[] } {
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
