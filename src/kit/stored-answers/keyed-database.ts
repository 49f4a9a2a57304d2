import type { Database, TransactionWork, Uncommitted } from "../../platform/postgres/database.ts";
import { runAll } from "../../platform/postgres/query.ts";
import { callOfTenant } from "../../platform/postgres/statement.ts";
import { INSTALLATION, type TenantId } from "../../platform/postgres/tenant-id.ts";
import type { Answer } from "../endpoint.ts";
import type { KeyedRequest } from "./keyed-request.ts";
import { claim, store } from "./stored-answer-queries.ts";

export type KeyedDatabase = {
  database: Database;
  /**
   * Commits the last write of the request together with its answer. Returns false if there was no write.
   * @param answer null: no answer is stored
   */
  commit: (answer: Answer | null) => Promise<boolean>;
  /** Takes the last write of the request back, if it is not committed. */
  rollBack: () => void;
};

/**
 * The database of a request with a key. Each write first claims the key, and returns its rows before it is committed.
 * The last write is committed together with the answer (docs/decisions/0058-kept-answers.md).
 * @param secret encrypts an answer
 * @param alone whether its writes share no transaction with other requests
 */
export function openKeyedDatabase(
  shared: Database,
  keyed: KeyedRequest,
  secret: (answer: Answer) => string,
  alone: boolean,
): KeyedDatabase {
  let open: Uncommitted<unknown> | null = null;

  async function commit(answer: Answer | null): Promise<boolean> {
    const ending = open;
    open = null;
    await ending?.commit(answer === null ? null : store(keyed, answer, secret(answer)));
    return ending !== null;
  }

  function rollBack(): void {
    open?.rollBack();
    open = null;
  }

  /** An earlier write of the request is committed first, because the answer is about the last one. */
  async function leaveOpen<T>(begin: () => Promise<Uncommitted<T>>): Promise<T> {
    await commit(null);
    const next = await begin();
    open = next;
    return next.outcome;
  }

  async function transaction<T>(tenant: TenantId, work: TransactionWork<T>): Promise<T> {
    return await leaveOpen(async () =>
      shared.transactionUncommitted(tenant, async (run, savepoint) => {
        await run(claim(keyed));
        return await work(run, savepoint);
      }),
    );
  }

  const database = shared.writingBy({
    transaction,
    // All of them are committed with the answer, or none.
    async transactions(tenant, works) {
      await transaction(tenant, async (run, savepoint) => {
        for (const work of works) await work(run, savepoint);
      });
    },
    async write(tenant, calls) {
      if (tenant === INSTALLATION) return await transaction(tenant, async (run) => await runAll(run, calls));
      const [, ...rows] = await leaveOpen(
        async () => await shared.writeUncommitted(tenant, [claim(keyed), ...calls], alone),
      );
      return rows;
    },
    async ownerTransaction(work) {
      return await leaveOpen(async () =>
        shared.ownerTransactionUncommitted(async (run, savepoint) => {
          await run(callOfTenant(INSTALLATION, claim(keyed)));
          return await work(run, savepoint);
        }),
      );
    },
  });
  return { database, commit, rollBack };
}
