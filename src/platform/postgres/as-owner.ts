import pg from "pg";
import { CONNECT_TIMEOUT_MS } from "./request-settings.ts";
import { patientWhileFull } from "./transactions/while-full.ts";

/** A connection as the login role itself, the owner of the tables: migrations, tenants, installation settings. */
export async function asOwner<T>(connection: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await patientWhileFull(async () => {
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
