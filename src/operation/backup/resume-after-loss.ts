import type { OpenDeps } from "../../kit/deps.ts";
import { lookUpOrders } from "../../orders/wms/sending/sending-queries.ts";
import { asOwner } from "../../platform/postgres/as-owner.ts";
import { acceptDatabase } from "../../platform/postgres/database-identity.ts";
import { holdCalls, readHold, type Hold } from "../../platform/postgres/held-calls.ts";
import { raiseSequences } from "../../platform/postgres/stored-tables.ts";
import { Refusal } from "../../platform/refusal.ts";

/** More ids than a sequence gives out between two backups. */
export const LOST_AT_MOST = 1_000_000;

/** Holds calls until `resume`; returns an existing hold. */
export async function hold({ connection }: OpenDeps): Promise<Hold | null> {
  return await asOwner(connection, async (client) => await holdCalls(client, "`liaison hold` was run"));
}

/**
 * Releases held calls; returns the number of sequences that skipped ids. After a loss, the database may have given out
 * ids that it no longer knows: ids are skipped first, and invoices are looked up before they are sent. A repetition
 * after an interruption does both again.
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
