import type { OpenDeps } from "../deps.ts";
import { asOwner } from "../platform/postgres/as-owner.ts";
import { holdsCalls, letCallsGo } from "../platform/postgres/held-calls.ts";
import { raiseSequences } from "../platform/postgres/stored-tables.ts";
import { Refusal } from "../platform/refusal.ts";
import { lookUpOrders } from "../wms/sending/sending-queries.ts";

/** More than a database gives out of one sequence between two backups. */
const LOST_AT_MOST = 1_000_000;

/**
 * Has a restored database that is served before it is resumed pass over the ids that may have been given out since its backup: clients write
 * before anybody says whether there was a loss.
 */
export async function passOverLostIds({ connection }: OpenDeps): Promise<void> {
  await asOwner(connection, async (client) => {
    if (await holdsCalls(client)) await raiseSequences(client, LOST_AT_MOST);
  });
}

/**
 * Lets a restored instance call others again; returns the number of sequences that leave out numbers. After a loss, which is where the
 * database went on behind its backup, ids that it may have given out are passed over first, and invoices that it may have sent are to be
 * looked up before they are sent. Repeated after an interruption, it does so again.
 */
export async function resume({ connection, database }: OpenDeps, isAfterLoss: boolean): Promise<number> {
  const raised = await letCallsGo(connection, async (client) => {
    if (!isAfterLoss) return 0;
    await lookUpOrders(database);
    return await raiseSequences(client, LOST_AT_MOST);
  });
  if (raised === null) throw new Refusal("Calls are not held: only an instance that was restored has to resume them.");
  return raised;
}
