import { steady } from "../platform/clock.ts";
import { hasCluster, useCluster, type Cluster } from "../platform/cluster/embedded-postgres.ts";
import { openKeyring } from "../platform/encryption/key-file.ts";
import type { Keyring } from "../platform/encryption/keyring.ts";
import type { Logger } from "../platform/logger.ts";
import type { HttpClient } from "../platform/outbound/http-client.ts";
import { openIdentityProviders, openReceivers, openRegister } from "../platform/outbound/lazy-clients.ts";
import { openSmtp, type SmtpClient } from "../platform/outbound/smtp-client.ts";
import { createPasswords, type Passwords } from "../platform/passwords/password-hash.ts";
import { serverOf } from "../platform/postgres/as-owner.ts";
import type { Connection, Database } from "../platform/postgres/database.ts";
import { useExternalDatabase } from "../platform/postgres/external/external-postgres.ts";
import { createHeldCheck, type AreCallsHeld } from "../platform/postgres/held-calls.ts";
import { wordsOfLastBackup } from "../platform/postgres/last-backup.ts";
import { migrate, type Migrating } from "../platform/postgres/migrations/migrate.ts";
import { openDatabase } from "../platform/postgres/open-database.ts";
import { checkRequestRole, openRequestRole } from "../platform/postgres/request-role.ts";
import type { TenantId } from "../platform/postgres/tenant-id.ts";
import { Refusal } from "../platform/refusal.ts";
import { createSharing, type Sharing } from "../platform/sharing/sharing.ts";
import { versionOf } from "../platform/version.ts";
import type { Config } from "./config.ts";
import { openWarehouse } from "./warehouse/open-warehouse.ts";
import type { WarehouseClient } from "./warehouse/warehouse-client.ts";

/** The dependencies of every route and every command. Built by hand, here. */
export type Deps = {
  config: Config;
  database: Database;
  keyring: Keyring;
  passwords: Passwords;
  logger: Logger;
  sharing: Sharing;
  areCallsHeld: AreCallsHeld;
  /** Null if LIAISON_WMS_URL is unset: nothing can be sent. */
  warehouse: WarehouseClient | null;
  /** The client for webhooks. */
  receivers: HttpClient;
  /** Null if LIAISON_MAIL_URL is unset: no mail is sent. */
  smtp: SmtpClient | null;
  /** The client for the register of companies. */
  register: HttpClient;
  /** The client for single sign-on. */
  identityProviders: HttpClient;
  /**
   * Replacements for one tenant: the demo, whose warehouse no other tenant may reach
   * (src/operation/demo/demo-warehouse.ts).
   */
  ofOneTenant?: { tenant: TenantId } & Pick<Deps, "config" | "warehouse">;
};

/** The dependencies that read and write a tenant's rows. */
export type Store = Pick<Deps, "database" | "keyring">;

/** The dependencies for a tenant. Every door and every job uses them. */
export function depsOf(deps: Deps, tenant: TenantId | null): Deps {
  return tenant !== null && deps.ofOneTenant?.tenant === tenant ? { ...deps, ...deps.ofOneTenant } : deps;
}

/** Deps, and everything that only the program itself needs. */
export type OpenDeps = Deps & {
  /** As the login role, the owner of the tables. */
  connection: Connection;
  /** The migrations that opening applied. */
  applied: string[];
  /** The duration of these migrations. */
  migratedMs: number;
  /** The directory of an embedded cluster that is not in the data directory. */
  relocatedTo: string | null;
  /** One line for the operator if an embedded cluster was made although another one may have been meant. */
  remark: string | null;
  close(): Promise<void>;
};

export type OpenOptions = {
  /**
   * The most that may be created if it is missing: nothing, the schema of an empty database, or the database itself.
   */
  makes?: "nothing" | "schema" | "database";
  /** Ends the wait for a database that is not available yet, with an error. */
  stop?: AbortSignal;
  /** Prints a line for the operator while the database is opened. */
  print?: (line: string) => void;
  /** Shares other than the defaults. */
  sharing?: Sharing;
  /** The number of server processes for which the embedded PostgreSQL needs connections. */
  processes?: number;
};

/**
 * The embedded PostgreSQL allows 100 connections by default. With up to this number of processes, enough remain for
 * commands.
 */
const PROCESSES_OF_DEFAULT = 4;
/** The most connections of a process (docs/scaling.md, "Connections"), and one for cancelling. */
const CONNECTIONS_EACH = 20;

/**
 * Starts the embedded PostgreSQL unless DATABASE_URL is set, migrates the database, and opens it. Throws ClusterError,
 * EncryptionKeyError, Refusal or the driver's error if one of these steps fails.
 */
export async function openDeps(config: Config, logger: Logger, options: OpenOptions = {}): Promise<OpenDeps> {
  const cluster = await reachDatabase(config, logger, options);
  const { connection, relocatedTo, remark } = cluster;
  try {
    const report = (facts: object, line: string) => logger.warn(facts, line);
    const beforeMigrating: Migrating["beforeMigrating"] = async (missing, passedOver, client) => {
      if (options.print === undefined) return;
      options.print(changesDatabase(missing, await wordsOfLastBackup(client), passedOver));
    };
    const since = steady();
    const refusesEmpty = (options.makes ?? "nothing") === "nothing" ? noInstallation(config) : null;
    const applied = await migrate(connection, { report, stop: options.stop, refusesEmpty, beforeMigrating });
    const migratedMs = Math.round(steady() - since);
    const keyring = await openKeyring(connection, config.dataDir, config.encryptionKeys, (tenant, column) => {
      logger.error({ tenant, column }, "a stored value does not decrypt with the present keys, and is shown as null");
    });
    const { sharing = createSharing() } = options;
    const database = openDatabase({ connection, requests: await openRequestRole(connection), logger, sharing });
    await checkRequestRole(database).catch(async (error: unknown) => {
      await database.close();
      throw error;
    });
    const { hangUp, ...outbound } = await openOutbound(config, createHeldCheck(connection));
    return {
      config,
      database,
      keyring,
      passwords: createPasswords(),
      logger,
      sharing,
      ...outbound,
      connection,
      applied,
      migratedMs,
      relocatedTo,
      remark,
      async close() {
        await hangUp();
        await database.close();
        await cluster.release();
      },
    };
  } catch (error) {
    await cluster.release();
    throw error;
  }
}

function changesDatabase(missing: number, lastBackup: string, passedOver: string | null): string {
  const { version } = versionOf();
  const line = `This version (${version}) changes the database (migrations: ${missing}). ${lastBackup} If that is too old, stop, and make one with the previous version.`;
  if (passedOver === null) return line;
  return `${line} Servers of ${passedOver} do not work with the changed database, and only that backup leads back to it.`;
}

type Outbound = Pick<Deps, "areCallsHeld" | "warehouse" | "receivers" | "smtp" | "register" | "identityProviders"> & {
  /** Aborts the calls in flight. */
  hangUp: () => Promise<void>;
};

/** The clients for outgoing calls, as the operator has configured them. */
export async function openOutbound(config: Config, areCallsHeld: AreCallsHeld): Promise<Outbound> {
  const outside = await openWarehouse(config.wms, areCallsHeld);
  const receivers = openReceivers(config.webhookNetworks, areCallsHeld);
  const identityProviders = openIdentityProviders(config.oidcNetworks, areCallsHeld);
  const register = openRegister(config.wms.privateNetworks, areCallsHeld);
  return {
    areCallsHeld,
    warehouse: outside?.client ?? null,
    receivers,
    smtp:
      config.mail === null ? null : openSmtp(config.mail.server, config.mail.timeoutSeconds * 1_000, config.publicUrl),
    register,
    identityProviders,
    async hangUp() {
      await Promise.all([outside?.close(), receivers.close(), register.close(), identityProviders.close()]);
    },
  };
}

/**
 * The embedded PostgreSQL, or the external one of DATABASE_URL: unchanged, migrated or not. Throws Refusal if there is
 * none, and none may be made.
 */
export async function reachDatabase(
  config: Config,
  logger: Logger,
  { stop = new AbortController().signal, processes = 1, makes = "nothing" }: OpenOptions,
): Promise<Cluster> {
  const { databaseUrl, dataDir, postgresBin: programs } = config;
  if (databaseUrl !== null) {
    const connection = await useExternalDatabase(databaseUrl, stop);
    return { connection, relocatedTo: null, remark: null, async release() {} };
  }
  if (makes !== "database" && !hasCluster(dataDir)) throw new Refusal(noInstallation(config));
  const onTrouble = (error: unknown) => logger.error({ err: error }, "the database could not be restarted");
  const connections = String((processes + 1) * CONNECTIONS_EACH);
  const settings: Record<string, string> = processes > PROCESSES_OF_DEFAULT ? { max_connections: connections } : {};
  return await useCluster(dataDir, { programs, settings, onTrouble, stop });
}

/** One line for an operator whose command found no installation. */
export function noInstallation({ databaseUrl, dataDir }: Config): string {
  const place =
    databaseUrl === null
      ? `There is no installation here: DATABASE_URL is unset, and ${dataDir} has no database of Liaison.`
      : "There is no installation here: the database of DATABASE_URL is empty.";
  return `${place} Give the command the server's environment (--config FILE), or make an installation: liaison init.`;
}

/** The database in words for an operator, without a password. */
export function databasePlace({ config, connection }: Pick<OpenDeps, "config" | "connection">): string {
  if (config.databaseUrl === null) return `the embedded database of ${config.dataDir}`;
  return `the database ${serverOf(connection)}`;
}
