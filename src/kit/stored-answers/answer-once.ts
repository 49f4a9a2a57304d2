import { sleep, steady } from "../../platform/clock.ts";
import { HttpError } from "../../platform/http/http-error.ts";
import type { TenantId } from "../../platform/postgres/tenant-id.ts";
import type { Deps } from "../deps.ts";
import type { Answer } from "../endpoint.ts";
import { errors } from "../errors.ts";
import { createEnsureRemoval } from "./forget-answers.ts";
import { openKeyedDatabase } from "./keyed-database.ts";
import type { KeyedRequest } from "./keyed-request.ts";
import { sealed, storedAnswer } from "./sealed-answer.ts";
import { findStoredAnswer, isAnswered, isInProgress, storeAnswer } from "./stored-answer-queries.ts";

/** The longest time that a request waits for an earlier one with the same key. */
const PATIENCE_MS = 3_000;
/** The pause before the next look for an answer of another process. */
const AGAIN_AFTER_MS = 100;

export type AnswerOnce = (
  deps: Deps,
  tenant: TenantId,
  keyed: KeyedRequest,
  work: (deps: Deps) => Promise<Answer>,
) => Promise<Answer>;

/**
 * Does the work of a request once for each key (docs/decisions/0058-kept-answers.md). A request claims its key in the
 * transaction of its write. If another request has claimed the key, it waits: in memory if that request is of this
 * process, otherwise by looking for the stored answer again.
 */
export function createAnswerOnce(): AnswerOnce {
  /** The requests of this process that are in progress, by tenant, API key and key. */
  const running = new Map<string, Promise<void>>();
  const ensureRemoval = createEnsureRemoval();

  return async (deps, tenant, keyed, work) => {
    const name = `${tenant}/${keyed.apiKey}/${keyed.key}`;
    const deadline = steady() + PATIENCE_MS;
    for (let isFirst = !keyed.isLarge; ; isFirst = false) {
      if (!isFirst) {
        if (steady() >= deadline) throw errors.idempotencyKeyInProgress();
        const found = await replay(deps, tenant, keyed);
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
        const answer = await attempt(deps, tenant, keyed, work);
        ensureRemoval(tenant, deps.database);
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

/** Does the work. If it fails because the key has an answer already, returns that answer. */
async function attempt(
  deps: Deps,
  tenant: TenantId,
  keyed: KeyedRequest,
  work: (deps: Deps) => Promise<Answer>,
): Promise<Answer> {
  const { keyring } = deps;
  const seal = (answer: Answer) => sealed(answer, { keyring, tenant });
  for (let alone = false; ; alone = true) {
    const { database, commit, rollBack } = openKeyedDatabase(deps.database, keyed, seal, alone);
    try {
      const answer = await work({ ...deps, database });
      if (!(await commit(answer))) await storeAnswer(tenant, deps.database, keyed, answer, seal(answer));
      return answer;
    } catch (error) {
      // The writes of a rejected request are committed, as they are without a key. Those of one that failed are not:
      // its client sends it again.
      if (isRejection(error)) await commit(null).catch(() => {});
      else rollBack();
      const wasAnswered = isAnswered(error);
      if (!(error instanceof HttpError) && !wasAnswered) throw error;
      const found = await replay(deps, tenant, keyed);
      if (found !== null) return found;
      // The stored answer is that of another request in the same transaction, which was rolled back as a whole.
      if (!wasAnswered || alone) throw error;
    }
  }
}

function isRejection(error: unknown): boolean {
  return error instanceof HttpError && error.status < 500;
}

/** The stored answer of the key, or null. Throws if the key was sent with another request. */
async function replay({ database, keyring }: Deps, tenant: TenantId, keyed: KeyedRequest): Promise<Answer | null> {
  const stored = await findStoredAnswer(tenant, database, keyed);
  if (stored === null) return null;
  if (stored.request !== keyed.request) throw errors.idempotencyKeyReused();
  return { ...storedAnswer(stored, { keyring, tenant }), isReplayed: true };
}
