import type { OpenDeps } from "../deps.ts";
import { asOwner } from "../platform/postgres/as-owner.ts";
import { acceptDatabase } from "../platform/postgres/database-identity.ts";
import { holdCalls, readHold, type Hold } from "../platform/postgres/held-calls.ts";
import { raiseSequences } from "../platform/postgres/stored-tables.ts";
import { Refusal } from "../platform/refusal.ts";
import { lookUpOrders } from "../wms/sending/sending-queries.ts";

/** More than a database gives out of one sequence between two backups. */
export const LOST_AT_MOST = 1_000_000;

/** Holds calls until `resume`; returns the hold that there is already. */
export async function hold({ connection }: OpenDeps): Promise<Hold | null> {
  return await asOwner(connection, async (client) => await holdCalls(client, "`liaison hold` was run"));
}

/**
 * Lets calls go out again; returns the number of sequences that leave out numbers. After a loss the database has given
 * out more than it has: ids are passed over first, and invoices are looked up before they are sent. Repeated after an
 * interruption, it does so again.
 */
export async function resume({ connection, database }: OpenDeps, isAfterLoss: boolean): Promise<number> {
  return await asOwner(connection, async (client) => {
    if (!isAfterLoss && (await readHold(client)) === null)
      throw new Refusal("Calls are not held: there is nothing to resume. After a loss: liaison resume --after-loss.");
    let raised = 0;
    if (isAfterLoss) {
      await lookUpOrders(database);
      raised = await raiseSequences(client, LOST_AT_MOST);
    }
    await acceptDatabase(client);
    return raised;
  });
}
