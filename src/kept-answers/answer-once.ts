import type { Deps } from "../deps.ts";
import type { Answer } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { sleep, steady } from "../platform/clock.ts";
import { HttpError } from "../platform/http/http-error.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";
import { createNoteKept } from "./forget-answers.ts";
import { keepingDatabase } from "./keeping-database.ts";
import { findKeptAnswer, isAnswered, isInProgress, keepAnswer } from "./kept-answer-queries.ts";
import { keptAnswer, sealed } from "./kept-body.ts";
import type { Once } from "./once.ts";

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
    for (let isFirst = true; ; isFirst = false) {
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

/** Does it, unless it was done: a refusal, whatever it is about, is asked back for whether the key knows better. */
async function attempt(
  deps: Deps,
  tenant: TenantId,
  once: Once,
  work: (deps: Deps) => Promise<Answer>,
): Promise<Answer> {
  const secrets = { keyring: deps.keyring, tenant };
  const { database, hasKept } = keepingDatabase(deps.database, once, secrets);
  try {
    const answer = await work({ ...deps, database });
    if (!hasKept())
      await keepAnswer(tenant, deps.database, { ...once, status: answer.status }, sealed(answer, secrets));
    return answer;
  } catch (error) {
    if (!(error instanceof HttpError) && !isAnswered(error)) throw error;
    const found = await replay(deps, tenant, once);
    if (found !== null) return found;
    throw error;
  }
}

/** The answer of the key, or null. Throws where it is another request's. */
async function replay({ database, keyring }: Deps, tenant: TenantId, once: Once): Promise<Answer | null> {
  const kept = await findKeptAnswer(tenant, database, once);
  if (kept === null) return null;
  if (kept.request !== once.request) throw errors.idempotencyKeyReused();
  return { ...keptAnswer(kept, { keyring, tenant }), isReplayed: true };
}
