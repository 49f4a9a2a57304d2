import type { Deps } from "../deps.ts";
import type { Answer } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { sleep, steady } from "../platform/clock.ts";
import { HttpError } from "../platform/http/http-error.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";
import { createNoteKept } from "./forget-answers.ts";
import { findKeptAnswer, isAnswered, isInProgress, storeAnswer } from "./kept-answer-queries.ts";
import { openOnceDatabase } from "./once-database.ts";
import type { Once } from "./once.ts";
import { sealed, storedAnswer } from "./sealed-answer.ts";

/** The longest that a request waits for an earlier one of its key. */
const PATIENCE_MS = 3_000;
/** Another process is asked again after so long. */
const AGAIN_AFTER_MS = 100;

export type AnswerOnce = (
  deps: Deps,
  tenant: TenantId,
  once: Once,
  work: (deps: Deps) => Promise<Answer>,
) => Promise<Answer>;

/**
 * Does what requests ask for once for each key (docs/decisions/0058-kept-answers.md). A request claims its key in the transaction of its
 * write; one that finds it taken waits: in memory for a request of this process, by asking again for another's.
 */
export function createAnswerOnce(): AnswerOnce {
  /** The requests that are worked on, by what they are to be done once for. */
  const running = new Map<string, Promise<void>>();
  const noteKept = createNoteKept();

  return async (deps, tenant, once, work) => {
    const name = `${tenant}/${once.apiKey}/${once.key}`;
    const deadline = steady() + PATIENCE_MS;
    for (let isFirst = !once.isLarge; ; isFirst = false) {
      if (!isFirst) {
        if (steady() >= deadline) throw errors.idempotencyKeyInProgress();
        const found = await replay(deps, tenant, once);
        if (found !== null) return found;
      }
      const before = running.get(name);
      if (before !== undefined) {
        await Promise.race([before, sleep(Math.max(0, deadline - steady()))]);
        continue;
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      running.set(name, promise);
      try {
        const answer = await attempt(deps, tenant, once, work);
        noteKept(tenant, deps.database);
        return answer;
      } catch (error) {
        if (!isInProgress(error)) throw error;
      } finally {
        running.delete(name);
        resolve();
      }
      await sleep(AGAIN_AFTER_MS);
    }
  };
}

/** Does it, unless it was done: a failed attempt looks for an answer that is stored already. */
async function attempt(
  deps: Deps,
  tenant: TenantId,
  once: Once,
  work: (deps: Deps) => Promise<Answer>,
): Promise<Answer> {
  const { keyring } = deps;
  const seal = (answer: Answer) => sealed(answer, { keyring, tenant });
  for (let alone = false; ; alone = true) {
    const { database, commit } = openOnceDatabase(deps.database, once, seal, alone);
    try {
      const answer = await work({ ...deps, database });
      if (!(await commit(answer))) await storeAnswer(tenant, deps.database, once, answer, seal(answer));
      return answer;
    } catch (error) {
      // The writes of a refused request stay, as without a key.
      await commit(null).catch(() => {});
      const wasAnswered = isAnswered(error);
      if (!(error instanceof HttpError) && !wasAnswered) throw error;
      const found = await replay(deps, tenant, once);
      if (found !== null) return found;
      // The stored answer is that of another request in the same transaction, which was rolled back as a whole.
      if (!wasAnswered || alone) throw error;
    }
  }
}

/** The stored answer of the key, or null. Throws where it is another request's. */
async function replay({ database, keyring }: Deps, tenant: TenantId, once: Once): Promise<Answer | null> {
  const kept = await findKeptAnswer(tenant, database, once);
  if (kept === null) return null;
  if (kept.request !== once.request) throw errors.idempotencyKeyReused();
  return { ...storedAnswer(kept, { keyring, tenant }), isReplayed: true };
}
