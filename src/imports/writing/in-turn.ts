import { within } from "../../platform/clock.ts";
import type { CommitTurns } from "../kind.ts";

/** Something that is committed in its turn. */
export type Turn = {
  /** It is committed; rejected where it is not, or not all of it. */
  committed: Promise<void>;
  /** Its outcome is told, after those of what comes before. */
  told: Promise<void>;
  /** The next one may begin. */
  next: Promise<void>;
  /** Rejected when it is attempted again after the next one might begin. */
  attempted: Promise<never>;
};

const DONE = Promise.resolve();
export const NOTHING_BEFORE: Turn = {
  committed: DONE,
  told: DONE,
  next: DONE,
  attempted: new Promise<never>(() => {}),
};

/** Milliseconds that a transaction waits for its turn: longer than others write and commit, and shorter than they wait for a lock. */
const PATIENCE_MS = 2_000;

/** A transaction is to be taken back, with its locks, and done again at its `turn`: what comes before it is done again, and may wait for them. */
export class NotYet extends Error {
  readonly turn: Promise<void>;
  constructor(turn: Promise<void>) {
    super("what comes before is not committed yet");
    this.turn = turn;
  }
}

/**
 * Writes something beside what comes before, and commits it after that, and not where that failed. The next one may begin when
 * this one has every lock of a row that is there already, and the ids of those that are not.
 * @param write asks for the turns (`toCommit` throws NotYet) of each attempt at a transaction: `isLast` where nothing comes behind its commit
 */
export function inTurn<Outcome extends { failure: unknown }>(
  before: Turn,
  write: (turns: (isLast: boolean) => CommitTurns) => Promise<Outcome>,
  tell: (outcome: Outcome) => Promise<void>,
): Turn {
  const locked = Promise.withResolvers<void>();
  const attempted = Promise.withResolvers<never>();
  let mayFollow = false;
  const writing = write((isLast) => {
    // By now the next one may have the locks that this one gave up.
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
  async function tellInTurn(): Promise<void> {
    await before.told;
    await tell(await writing);
    // Each would remember the one before it, and with that the rows of the whole file.
    before = NOTHING_BEFORE;
  }
  async function follow(): Promise<void> {
    await locked.promise;
    await before.told;
  }
  const [committed, told] = [commit(), tellInTurn()];
  const turn: Turn = { committed, told, next: Promise.race([follow(), told]), attempted: attempted.promise };
  for (const each of Object.values(turn)) each.catch(() => {});
  return turn;
}

/** Waits for the commit of what comes before; throws NotYet where that takes too long, or is attempted again. */
async function orNotYet({ attempted, committed }: Turn): Promise<void> {
  await within(PATIENCE_MS, Promise.race([committed, attempted]), () => new NotYet(committed));
}
