import { readConfig } from "../../src/kit/config.ts";
import { openOutbound, type Deps } from "../../src/kit/deps.ts";
import type { Keyring } from "../../src/platform/encryption/keyring.ts";
import { createLogger } from "../../src/platform/logger.ts";
import { createPasswords } from "../../src/platform/passwords/password-hash.ts";
import type { Connection } from "../../src/platform/postgres/database.ts";
import { openDatabase } from "../../src/platform/postgres/open-database.ts";
import { openRequestRole } from "../../src/platform/postgres/request-role.ts";
import { createSharing } from "../../src/platform/sharing/sharing.ts";

/**
 * The product's tools, for what the benchmark does in a process of its own: of a database that is up already and stays
 * up. The caller closes `database`.
 */
export async function openBenchDeps(connection: Connection, keyring: Keyring): Promise<Deps> {
  const [config, logger, sharing] = [readConfig({}), createLogger("warn"), createSharing()];
  const database = openDatabase({ connection, requests: await openRequestRole(connection), logger, sharing });
  const outbound = await openOutbound(config, async () => false);
  return { config, database, keyring, passwords: createPasswords(), logger, sharing, ...outbound };
}
