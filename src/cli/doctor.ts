import fs from "node:fs";
import path from "node:path";
import type { Command } from "commander";
import { readConfig, type Config } from "../config.ts";
import { reachDatabase } from "../deps.ts";
import type { Finding } from "../doctor/check.ts";
import { examine } from "../doctor/examine.ts";
import { openKeyring } from "../platform/encryption/key-file.ts";
import { createLogger } from "../platform/logger.ts";
import { asOwner } from "../platform/postgres/as-owner.ts";
import { openDatabase, type Connection } from "../platform/postgres/database.ts";
import { holdsCalls } from "../platform/postgres/held-calls.ts";
import { migrationsOf } from "../platform/postgres/migrations/migration-standing.ts";
import { checkRequestRole, openRequestRole } from "../platform/postgres/request-role.ts";
import { describeFailure } from "./failure.ts";
import { reportingFailure } from "./run-command.ts";

/** `doctor` (docs/operations.md 14): what an operator should do something about, and exit code 1 where there is anything. */
export function registerDoctor(program: Command): void {
  program
    .command("doctor")
    .description(
      "Look for what an operator should do something about: versions, migrations, keys, disk, the walls between tenants, " +
        "counted totals, queue, clock. Changes nothing, and works beside running servers. Exit code 1 where there is anything.",
    )
    .option("--json", "print one JSON document and nothing else")
    .action(async ({ json = false }: { json?: boolean }) => {
      await reportingFailure(async () => {
        const { findings, areCallsHeld } = await diagnose(readConfig());
        if (findings.length > 0) process.exitCode = 1;
        if (json) return console.log(JSON.stringify({ findings, calls_held: areCallsHeld }));
        for (const { check, message } of findings) console.log(`${check}: ${message}`);
        if (findings.length === 0) console.log("Nothing was found that should be done.");
        if (areCallsHeld) console.log("Calls are held since a restore: liaison resume lets them go on.");
      });
    });
}

type Diagnosis = { findings: Finding[]; areCallsHeld: boolean | null };

/** A failure to open something ends it with a finding: what is behind that cannot be looked at. */
async function diagnose(config: Config): Promise<Diagnosis> {
  let areCallsHeld: boolean | null = null;
  const only =
    (check: string) =>
    (error: unknown): Diagnosis => {
      return { findings: [{ check, message: describeFailure(error) }], areCallsHeld };
    };
  const logger = createLogger("error");
  if (config.databaseUrl === null && isNowhere(config)) {
    const message = `There is no database in ${config.dataDir}: set LIAISON_DATA_DIR or DATABASE_URL to the one that is meant, or start a server, which makes one.`;
    return { findings: [{ check: "database", message }], areCallsHeld };
  }
  const cluster = await reachDatabase(config, logger, {}).catch(only("database"));
  if ("findings" in cluster) return cluster;
  try {
    const { connection } = cluster;
    const migrations = await findMigrations(connection);
    if (migrations.length > 0) return { findings: migrations, areCallsHeld };
    areCallsHeld = await asOwner(connection, holdsCalls);
    const keyring = await openKeyring(connection, config.dataDir, config.encryptionKeys, () => {}).catch(only("keys"));
    if ("findings" in keyring) return keyring;
    const requests = await openRequestRole(connection).catch(only("walls"));
    if ("findings" in requests) return requests;
    const database = openDatabase({ connection, requests, logger });
    try {
      const role = await checkRequestRole(database).then(
        () => [],
        (error: unknown) => only("walls")(error).findings,
      );
      const others = await examine({ config, database, keyring, areCallsHeld }, describeFailure);
      return { findings: [...role, ...others], areCallsHeld };
    } finally {
      await database.close();
    }
  } finally {
    await cluster.release();
  }
}

/** A database is made by whoever reaches for one there. */
function isNowhere({ dataDir }: Config): boolean {
  return fs.lstatSync(path.join(dataDir, "postgres"), { throwIfNoEntry: false }) === undefined;
}

/** A database that is older or newer than this release is told alone: everything else would look for what is not there. */
async function findMigrations(connection: Connection): Promise<Finding[]> {
  const { pending, unknown } = await migrationsOf(connection);
  const [newer] = unknown.toReversed();
  if (newer !== undefined) {
    const message = `The database is of a newer release, which made the migration ${newer}: run that one. Nothing else was looked at.`;
    return [{ check: "versions", message }];
  }
  if (pending.length === 0) return [];
  const message = `${pending.length} migrations wait, the first is ${pending[0]}: run liaison migrate, or start a server. Nothing else was looked at.`;
  return [{ check: "migrations", message }];
}
