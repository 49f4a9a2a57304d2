import { asOwner } from "./as-owner.ts";
import type { Connection } from "./database.ts";

/** A PostgreSQL server and its address, for logs: without the user and the password. */
export type DescribedServer = { version: string; host: string; port: number; database: string | undefined };

export async function describeServer(connection: Connection): Promise<DescribedServer> {
  return await asOwner(connection, async (client) => {
    const { rows } = await client.query<{ version: string }>("select current_setting('server_version') as version");
    const { host, port, database } = client;
    return { version: rows[0]?.version ?? "", host, port, database };
  });
}
