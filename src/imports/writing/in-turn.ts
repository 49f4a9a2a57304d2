import type { Turns } from "../kind.ts";

/** Something that is written in its turn. */
export type Turn = {
  /** It is written, so that the next one may write; rejected where it is not. */
  written: Promise<void>;
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
  written: DONE,
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
 * Writes something behind what comes before: written and committed after it, and not where that failed. The next one may begin when
 * this one has every lock of a row that is there already, and write when this one waits for nothing but its commit.
 * @param write asks for the turns (which throw NotYet) of each attempt at a transaction: `isLast` where nothing comes behind its commit
 */
export function inTurn<Outcome extends { failure: unknown }>(
  before: Turn,
  write: (turns: (isLast: boolean) => Turns) => Promise<Outcome>,
  tell: (outcome: Outcome) => Promise<void>,
): Turn {
  const locked = Promise.withResolvers<void>();
  const written = Promise.withResolvers<void>();
  const attempted = Promise.withResolvers<never>();
  let mayFollow = false;
  const writing = write((isLast) => {
    // By now the next one may have the locks that this one gave up.
    if (mayFollow) attempted.reject(new NotYet(committed));
    return {
      async toWrite() {
        await orNotYet(before.written, before);
        if (!isLast) return;
        mayFollow = true;
        locked.resolve();
      },
      async toCommit() {
        await orNotYet(before.committed, before);
        if (isLast) written.resolve();
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
  }
  async function letFollow(): Promise<void> {
    await Promise.race([locked.promise, written.promise]);
    await before.told;
  }
  const [committed, told] = [commit(), tellInTurn()];
  const next = Promise.race([letFollow(), told]);
  const turn: Turn = {
    written: Promise.race([written.promise, committed]),
    committed,
    told,
    next,
    attempted: attempted.promise,
  };
  for (const each of Object.values(turn)) each.catch(() => {});
  return turn;
}

/** Throws NotYet where it takes too long, or what comes before is attempted again. */
async function orNotYet(turn: Promise<void>, { attempted, committed }: Turn): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NotYet(committed)), PATIENCE_MS);
  });
  try {
    await Promise.race([turn, attempted, late]);
  } finally {
    clearTimeout(timer);
  }
}
