import pg from "pg";
import { CONNECT_TIMEOUT_MS } from "./request-settings.ts";
import { retryWhileFull } from "./transactions/while-full.ts";

/** A connection as the login role itself, the owner of the tables: migrations, tenants, installation settings. */
export async function asOwner<T>(connection: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await retryWhileFull(async () => {
    const opened = new pg.Client({
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      ...connection,
      options: `${connection.options ?? ""} -c timezone=UTC -c client_encoding=UTF8`,
    });
    opened.on("error", () => {});
    await opened.connect();
    return opened;
  });
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** A PostgreSQL server and its address, for logs: without the user and the password. */
export type DescribedServer = { version: string; host: string; port: number; database: string | undefined };

export async function describeServer(connection: pg.ClientConfig): Promise<DescribedServer> {
  return await asOwner(connection, async (client) => {
    const { rows } = await client.query<{ version: string }>("select current_setting('server_version') as version");
    const { host, port, database } = client;
    return { version: rows[0]?.version ?? "", host, port, database };
  });
}

/** A connection's database and server, without a password. */
export function serverOf(connection: pg.ClientConfig): string {
  const { database, host, port } = new pg.Client(connection);
  return `${database} at ${host}:${port}`;
}
