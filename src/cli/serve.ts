import type { AddressInfo } from "node:net";
import { buildApp } from "../app.ts";
import { readConfig } from "../config.ts";
import { openDeps } from "../deps.ts";
import { createDemo } from "../demo/create-demo.ts";
import { ACCESS_CHANGED, listTenants } from "../tenants/tenant-queries.ts";
import { KEYS_CHANGED, readKeyFile } from "../platform/key-file.ts";
import { createLogger } from "../platform/logger.ts";
import { listen } from "../platform/notifications.ts";

/** How long requests in flight may take to finish once the server is told to stop. */
const GRACE_MS = 10_000;

/** Serves the API until SIGTERM or SIGINT, then finishes what is in flight and returns. */
export async function serve(): Promise<void> {
  const stop = stopRequested();
  const config = readConfig();
  const logger = createLogger(config.logLevel);
  const deps = await openDeps(config, logger);
  const { server, authenticator } = buildApp(deps);
  const listener = await listen(
    deps.connection,
    {
      [ACCESS_CHANGED]: () => authenticator.forget(),
      [KEYS_CHANGED]: () => {
        const keys = config.encryptionKeys === null ? readKeyFile(config.dataDir) : null;
        if (keys !== null) deps.keyring.replaceKeys(keys);
      },
    },
    () => authenticator.forget(),
    logger,
  );

  try {
    await server.listen({ host: config.host, port: config.port });
    const { port } = server.server.address() as AddressInfo;
    const url = config.publicUrl ?? `http://${config.host.includes(":") ? `[${config.host}]` : config.host}:${port}`;
    if (deps.relocatedTo !== null)
      console.log(`The database's files are in ${deps.relocatedTo}, which PostgreSQL's user can reach.`);
    if (config.databaseUrl === null && config.demo && (await listTenants(deps.database)).length === 0) {
      const token = await createDemo(deps);
      console.log(`A tenant "demo" with sample data was created. Its key is shown only now; try it:\n`);
      console.log(`  curl -H "Authorization: Bearer ${token}" ${url}/api/v1/companies\n`);
    }
    console.log(`Liaison is ready at ${url} (reference: ${url}/docs). Ctrl+C stops it.`);
    await stop;
  } finally {
    const cut = setTimeout(() => server.server.closeAllConnections(), GRACE_MS);
    await server.close();
    clearTimeout(cut);
    await listener.close();
    await deps.close();
  }
}

/** Resolves at the first SIGTERM or SIGINT; later ones change nothing. */
async function stopRequested(): Promise<void> {
  return await new Promise((resolve) => {
    process.on("SIGTERM", () => resolve());
    process.on("SIGINT", () => resolve());
  });
}
