import pg from "pg";
import { asUnavailable } from "../failures.ts";
import { WITH_LITTLE_MEMORY, writeFileStatement } from "../ready.ts";
import { withTenant, type Call, type Row } from "../statement.ts";
import type { TenantId } from "../tenant-id.ts";
import { beginReading, cut, runTransaction } from "./transaction.ts";

/** The limit for a read on a connection of its own: a database that hangs answers nothing. */
const PATIENCE_MS = 10_000;

/**
 * Reads on a connection that is opened for this, as those of requests are, and closed again. It writes a temporary file
 * too: on a full disk, reads go on.
 */
export async function readFresh(requests: pg.ClientConfig, tenant: TenantId, call: Call): Promise<Row[]> {
  const client = new pg.Client(requests);
  client.on("error", () => {});
  const limit = setTimeout(() => cut(client), PATIENCE_MS).unref();
  try {
    await client.connect();
    const begin = `${beginReading(tenant)}; ${WITH_LITTLE_MEMORY}`;
    const calls = withTenant(tenant, [call, { statement: writeFileStatement, parameters: [] }]);
    const [rows] = await runTransaction(client, begin, calls);
    return rows ?? [];
  } catch (error) {
    throw asUnavailable(error);
  } finally {
    clearTimeout(limit);
    void client.end().catch(() => {});
  }
}
