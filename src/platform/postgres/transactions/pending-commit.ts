import { DatabaseUnavailable } from "../failures.ts";
import type { Call } from "../statement.ts";
import type { Run, Savepoint } from "./transaction.ts";

/** The longest that a transaction waits for its caller: it has rows locked, and a connection. */
const LONGEST_MS = 2_000;

/** The rows of a transaction that is not committed yet. One of both functions must be called, once. */
export type Uncommitted<T> = {
  outcome: T;
  /**
   * Commits.
   * Throws the error of the last call or of the commit: then the transaction was rolled back, unless the connection
   * broke.
   * @param last a call with entries that is made before the commit; null: none
   */
  commit: (last: Call | null) => Promise<void>;
  rollBack: () => void;
};

type Work<T> = (run: Run, savepoint: Savepoint) => Promise<T>;

/**
 * Runs statements in a transaction that then waits for its caller.
 * @param begin begins the transaction; it may repeat the work while that is allowed
 * @param asRun makes the caller's last call what the transaction runs
 */
export async function openUncommitted<T>(
  work: Work<T>,
  begin: (toTheEnd: Work<void>, mayRepeat: () => boolean) => Promise<void>,
  asRun: (last: Call) => Call = (last) => last,
): Promise<Uncommitted<T>> {
  const pending = new PendingCommit<T>();
  const toTheEnd = async (run: Run, savepoint: Savepoint) => {
    const last = await pending.give(await work(run, savepoint));
    if (last !== null) await run(asRun(last));
  };
  pending.settleWith(begin(toTheEnd, () => !pending.isGiven));
  return await pending.outcome;
}

/** The side of an uncommitted transaction that runs it. */
export class PendingCommit<T> {
  readonly #outcome = Promise.withResolvers<Uncommitted<T>>();
  readonly #last = Promise.withResolvers<Call | null>();
  readonly #over = Promise.withResolvers<void>();
  #isGiven = false;

  constructor() {
    // Callers that failed do not read the result.
    this.#over.promise.catch(() => {});
    this.#last.promise.catch(() => {});
  }

  /** Resolves with the outcome. Throws if the transaction failed before it had one. */
  get outcome(): Promise<Uncommitted<T>> {
    return this.#outcome.promise;
  }

  /** Whether the caller has the outcome: after that the transaction cannot be repeated. */
  get isGiven(): boolean {
    return this.#isGiven;
  }

  /**
   * Gives the caller the outcome, and resolves with its last call. Throws DatabaseUnavailable if the caller does not
   * commit in time.
   */
  async give(outcome: T): Promise<Call | null> {
    this.#isGiven = true;
    const commit = async (last: Call | null) => {
      this.#last.resolve(last);
      await this.#over.promise;
    };
    const rollBack = (why = "its caller failed") => this.#last.reject(new DatabaseUnavailable(why, false));
    this.#outcome.resolve({ outcome, commit, rollBack: () => rollBack() });
    const timer = setTimeout(rollBack, LONGEST_MS, "its caller did not commit it in time");
    try {
      return await this.#last.promise;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Passes the end of the transaction, with all its attempts, on to the caller. */
  settleWith(transaction: Promise<unknown>): void {
    transaction.then(
      () => this.#over.resolve(),
      (failure: unknown) => {
        this.#outcome.reject(failure);
        this.#over.reject(failure);
      },
    );
  }
}
