import { sleep } from "../../clock.ts";
import { DatabaseUnavailable, isRetryable } from "../failures.ts";

const RETRIES = 8;
/** One more than the connections that two lanes can lose if all of them and their replacements are ended. */
const READ_TRIES = 5;
const RETRY_SPREAD_MS = 10;

/**
 * Retries a deadlock's victim, which has changed nothing (docs/contract.md 11.1). The random pause grows, so that the
 * same transactions do not meet again.
 * @param mayRepeat false once a caller works with the outcome of a failed attempt
 */
export async function retrying<T>(attempt: () => Promise<T>, mayRepeat: () => boolean = () => true): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isRetryable(error) || !mayRepeat()) throw error;
      if (tries > RETRIES) throw new DatabaseUnavailable(error, true);
      await sleep(Math.random() * tries * RETRY_SPREAD_MS);
    }
  }
}

/**
 * Repeats a read if the connection broke, since a read has changed nothing. It tries several times: when one connection
 * breaks, the next has often broken too, unnoticed.
 */
export async function reading<T>(read: () => Promise<T>): Promise<T> {
  return await retrying(async () => {
    for (let tries = 1; ; tries++) {
      try {
        return await read();
      } catch (error) {
        if (tries === READ_TRIES || !(error instanceof DatabaseUnavailable) || !error.connectionBroke) throw error;
      }
    }
  });
}

/** Attempts, the first of which has already failed if `failed` is not null. */
export function startingWith<T>(failed: unknown, next: () => Promise<T>): () => Promise<T> {
  let failure = failed;
  return async () => {
    if (failure === null) return await next();
    const first = failure;
    failure = null;
    throw first;
  };
}
