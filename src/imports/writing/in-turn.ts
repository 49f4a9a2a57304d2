/** Something that is written in its turn. */
export type Turn = {
  /** It is committed; rejected where it is not, or not all of it. */
  committed: Promise<void>;
  /** Its outcome is told, after those of what comes before. */
  told: Promise<void>;
  /** The next one may begin. */
  next: Promise<void>;
};

export const NOTHING_BEFORE: Turn = {
  committed: Promise.resolve(),
  told: Promise.resolve(),
  next: Promise.resolve(),
};

/** Milliseconds that a transaction waits for its turn: longer than a commit takes, and shorter than another one waits for a lock. */
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
 * Writes something behind what comes before: committed after it, and not where that failed. The next one may begin when this one
 * waits for nothing but its commit, so that it has every lock that it will ever ask for.
 * @param write calls `inTurn` before each commit: with true where nothing comes behind that commit. Throws NotYet
 */
export function inTurn<Outcome extends { failure: unknown }>(
  before: Turn,
  write: (inTurn: (isLast: boolean) => Promise<void>) => Promise<Outcome>,
  tell: (outcome: Outcome) => Promise<void>,
): Turn {
  const written = Promise.withResolvers<void>();
  const writing = write(async (isLast) => {
    if (!(await isThere(before.committed))) throw new NotYet(before.committed);
    if (isLast) written.resolve();
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
    await written.promise;
    await before.told;
  }
  const [committed, told] = [commit(), tellInTurn()];
  const next = Promise.race([letFollow(), told]);
  for (const each of [committed, told, next]) each.catch(() => {});
  return { committed, told, next };
}

async function isThere(committed: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, PATIENCE_MS, false)));
  try {
    return await Promise.race([committed.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
