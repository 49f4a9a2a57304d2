import { sleep } from "../clock.ts";
import { Overloaded } from "./overloaded.ts";

type Waiter<V> = { resolve: (value: V | undefined) => void; reject: (failure: unknown) => void };

export type Gathering<V> = {
  /** Looks up many subjects at once; a subject without an answer is left out. */
  ask: (subjects: string[]) => Promise<ReadonlyMap<string, V>>;
  /** Milliseconds between two queries. */
  pauseMs: number;
  /** The most waiting callers: more are refused with Overloaded. */
  atMost: number;
};

/**
 * Answers many callers with few queries. One query is in flight at a time; callers that arrive in the meantime share
 * the next. The number of queries per second is bounded, whatever the number of callers and subjects.
 */
export function gathering<V>({ ask, pauseMs, atMost }: Gathering<V>): (subject: string) => Promise<V | undefined> {
  let waiting = new Map<string, Waiter<V>[]>();
  let count = 0;
  let isUnderWay = false;

  async function queryWaiting(): Promise<void> {
    isUnderWay = true;
    while (waiting.size > 0) {
      const subjects = waiting;
      waiting = new Map();
      count = 0;
      try {
        const answers = await ask([...subjects.keys()]);
        for (const [subject, waiters] of subjects) for (const { resolve } of waiters) resolve(answers.get(subject));
      } catch (error) {
        for (const waiters of subjects.values()) for (const { reject } of waiters) reject(error);
      }
      if (pauseMs > 0) await sleep(pauseMs);
    }
    isUnderWay = false;
  }

  return async (subject) => {
    if (count >= atMost) throw new Overloaded("too many requests wait for an answer");
    count++;
    return await new Promise((resolve, reject) => {
      waiting.getOrInsert(subject, []).push({ resolve, reject });
      if (!isUnderWay) void queryWaiting();
    });
  };
}
