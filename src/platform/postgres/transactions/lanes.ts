import type pg from "pg";
import type { Logger } from "../../logger.ts";
import type { Caller } from "../../sharing/caller.ts";
import type { Places } from "../../sharing/places.ts";
import { hasNoConnectionLeft } from "../failures.ts";
import type { ConnectionBudget, Lowerable } from "./connection-budget.ts";
import { Lane } from "./lane.ts";

/** Transactions in flight on a lane: the one that PostgreSQL executes, and those that it finds next. */
const AT_ONCE_PER_LANE = 4;

/** Lanes of one kind, as many as its transactions have places. */
export class Lanes implements Lowerable {
  readonly places: Places;
  readonly least = 1;
  readonly #lanes: Lane[];
  readonly #budget: ConnectionBudget;
  /** The lanes in use: all, or the first of them. */
  #used: Lane[];

  constructor(config: pg.ClientConfig, places: Places, logger: Logger, budget: ConnectionBudget) {
    this.places = places;
    this.#lanes = Array.from({ length: places.size / AT_ONCE_PER_LANE }, () => new Lane(config, logger));
    this.#used = this.#lanes;
    this.#budget = budget;
    budget.add(this);
  }

  get open(): number {
    return this.#lanes.filter(({ isOpen }) => isOpen).length;
  }

  bound(connections: number): void {
    const openFirst = this.#lanes.toSorted((a, b) => Number(b.isOpen) - Number(a.isOpen));
    this.#used = openFirst.slice(0, connections);
    for (const lane of this.#lanes) lane.rest(!this.#used.includes(lane));
    this.places.bound(this.#used.length * AT_ONCE_PER_LANE);
  }

  /** Waits for a place of the tenant. */
  async use<T>(tenant: string, work: (client: pg.Client) => Promise<T>, caller?: Caller): Promise<T> {
    return await this.places.use(tenant, () => this.useNow(work), caller);
  }

  /** Uses a lane for a caller that has a place. */
  async useNow<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const shortest = this.#used.reduce((best, lane) => (lane.inFlight < best.inFlight ? lane : best));
    try {
      return await shortest.use(work);
    } catch (error) {
      if (!hasNoConnectionLeft(error)) throw error;
      this.#budget.lower();
      const [open] = this.#used;
      if (open?.isOpen !== true) throw error;
      return await open.use(work);
    }
  }

  /** Resolves when the lanes are idle. Call it only when no new work will arrive. */
  async drained(): Promise<void> {
    this.places.admitAll();
    await this.places.drained();
  }

  /** Waits for the work in flight. */
  async close(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.close()));
  }

  /** Fails everything in flight. */
  cut(): void {
    for (const lane of this.#lanes) lane.cut();
  }
}
