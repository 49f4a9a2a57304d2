import { within } from "../../../platform/clock.ts";
import type { CommitOrder } from "../kind.ts";

/** A write that commits in order. */
export type OrderedWrite = {
  /** Resolves after the commit; rejects if any part is not committed. */
  committed: Promise<void>;
  /** Resolves when its outcome is reported, after those of the writes before it. */
  reported: Promise<void>;
  /** Resolves when the next write may start. */
  next: Promise<void>;
  /** Rejects if this write is attempted again after the next one was allowed to start. */
  attempted: Promise<never>;
};

const DONE = Promise.resolve();
export const NOTHING_BEFORE: OrderedWrite = {
  committed: DONE,
  reported: DONE,
  next: DONE,
  attempted: new Promise<never>(() => {}),
};

/**
 * Milliseconds that a transaction waits for the commit before it: longer than other writes take, and shorter than they
 * wait for a lock.
 */
const PATIENCE_MS = 2_000;

/**
 * The transaction must be rolled back, which releases its locks, and repeated after `committed`. The write before it is
 * being repeated, and may need these locks.
 */
export class NotYet extends Error {
  readonly committed: Promise<void>;
  constructor(committed: Promise<void>) {
    super("what comes before is not committed yet");
    this.committed = committed;
  }
}

/**
 * Runs a write concurrently with the one before it, but commits it afterwards, and only if that one succeeded. The next
 * write may start once this one has locked all existing rows and drawn ids for all new ones.
 * @param write calls `order` for each attempt at a transaction (`toCommit` throws NotYet); `isLast` if no other commit
 * of this write follows
 */
export function inOrder<Outcome extends { failure: unknown }>(
  before: OrderedWrite,
  write: (order: (isLast: boolean) => CommitOrder) => Promise<Outcome>,
  report: (outcome: Outcome) => Promise<void>,
): OrderedWrite {
  const locked = Promise.withResolvers<void>();
  const attempted = Promise.withResolvers<never>();
  let mayFollow = false;
  const writing = write((isLast) => {
    // The next write may already hold the locks that the failed attempt released.
    if (mayFollow) attempted.reject(new NotYet(committed));
    const letFollow = () => {
      if (!isLast) return;
      mayFollow = true;
      locked.resolve();
    };
    return {
      locked: letFollow,
      async toCommit() {
        await orNotYet(before);
        letFollow();
      },
    };
  });
  async function commit(): Promise<void> {
    const { failure } = await writing;
    if (failure !== null) throw failure;
  }
  async function reportInOrder(): Promise<void> {
    await before.reported;
    await report(await writing);
    // Otherwise each write would reference the one before it, and so the rows of the whole file.
    before = NOTHING_BEFORE;
  }
  async function follow(): Promise<void> {
    await locked.promise;
    await before.reported;
  }
  const [committed, reported] = [commit(), reportInOrder()];
  const next = Promise.race([follow(), reported]);
  const ordered: OrderedWrite = { committed, reported, next, attempted: attempted.promise };
  for (const each of Object.values(ordered)) each.catch(() => {});
  return ordered;
}

/** Waits for the commit of the write before; throws NotYet if it takes too long or is attempted again. */
async function orNotYet({ attempted, committed }: OrderedWrite): Promise<void> {
  await within(PATIENCE_MS, Promise.race([committed, attempted]), () => new NotYet(committed));
}
