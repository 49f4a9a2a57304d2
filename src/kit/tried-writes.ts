import type { Database, TransactionWork } from "../platform/postgres/database.ts";
import { runAll } from "../platform/postgres/query.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";

/** Carries the outcome out of a transaction that is rolled back. */
class RolledBack<T> extends Error {
  readonly outcome: T;
  constructor(outcome: T) {
    super("the rows were only tried");
    this.outcome = outcome;
  }
}

/** The outcome of a transaction that is always rolled back. */
export async function rolledBack<T>(database: Database, tenant: TenantId, work: TransactionWork<T>): Promise<T> {
  try {
    return await database.transaction(tenant, async (run, savepoint): Promise<T> => {
      throw new RolledBack(await work(run, savepoint));
    });
  } catch (error) {
    if (error instanceof RolledBack) return error.outcome as T;
    throw error;
  }
}

/** The same with a database that rolls each write back, for a function that is only tried. */
export function trying<S extends { database: Database }>(store: S): S {
  const { database } = store;
  const transaction = async <T>(tenant: TenantId, work: TransactionWork<T>): Promise<T> =>
    await rolledBack(database, tenant, work);
  const tried = database.writingBy({
    transaction,
    async transactions(tenant, works) {
      await transaction(tenant, async (run, savepoint) => {
        for (const work of works) await work(run, savepoint);
      });
    },
    write: async (tenant, calls) => await transaction(tenant, async (run) => await runAll(run, calls)),
  });
  return { ...store, database: tried };
}
