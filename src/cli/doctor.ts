import type { Command } from "commander";
import type { Config } from "../kit/config.ts";
import { noInstallation, reachDatabase } from "../kit/deps.ts";
import type { Finding } from "../operation/doctor/examine.ts";
import { examine } from "../operation/doctor/examine.ts";
import { readMailState, wordsOfMail, type MailState } from "../operation/doctor/examine.ts";
import { noteRun } from "../people/operators/installation-notes.ts";
import { openKeyring } from "../platform/encryption/key-file.ts";
import { createLogger } from "../platform/logger.ts";
import { asOwner } from "../platform/postgres/as-owner.ts";
import { readClusterState } from "../platform/postgres/database-identity.ts";
import type { Connection } from "../platform/postgres/database.ts";
import { readHold } from "../platform/postgres/held-calls.ts";
import { migrationsOf } from "../platform/postgres/migrations/migration-standing.ts";
import { openDatabase } from "../platform/postgres/open-database.ts";
import { checkRequestRole, openRequestRole } from "../platform/postgres/request-role.ts";
import { describeFailure } from "./failure.ts";
import { wordsOfHold } from "./remark-on-held-calls.ts";
import { reportingFailure } from "./run-command.ts";
import { configOf, readsConfig } from "./settings.ts";

/**
 * `doctor` (docs/operations.md 14): prints findings that an operator should act on, and exits with code 1 if there are
 * any.
 */
export function registerDoctor(program: Command): void {
  const command = program
    .command("doctor")
    .description(
      "Report what an operator should act on: versions, migrations, keys, disk, the walls between tenants, " +
        "counted totals, queue, mail, clock. Changes nothing but the note of its run, and works beside running servers. Exit code 1 if there are findings.",
    )
    .option("--json", "print one JSON document and nothing else");
  readsConfig(command).action(async ({ json = false }: { json?: boolean }) => {
    await reportingFailure(async () => {
      const { findings, areCallsHeld, remarks, mail } = await diagnose(configOf(command));
      if (findings.length > 0) process.exitCode = 1;
      if (json) {
        const state = mail && { configured: mail.isConfigured, last_accepted_at: mail.lastAcceptedAt };
        return console.log(JSON.stringify({ findings, calls_held: areCallsHeld, mail: state }));
      }
      for (const { check, message } of findings) console.log(`${check}: ${message}`);
      if (findings.length === 0) console.log("Nothing was found that should be done.");
      for (const remark of remarks) console.log(remark);
    });
  });
}

/** `areCallsHeld`, `mail`: null if that could not be read. `remarks` are lines for information, not findings. */
type Diagnosis = { findings: Finding[]; areCallsHeld: boolean | null; remarks: string[]; mail: MailState | null };

const UNTOLD =
  "This role may not read PostgreSQL's system identifier and its timeline: only the sequences show that the database went back.";

/** A failure to open something ends the diagnosis with a finding: the checks that need it cannot run. */
async function diagnose(config: Config): Promise<Diagnosis> {
  let areCallsHeld: boolean | null = null;
  const remarks: string[] = [];
  const only =
    (check: string) =>
    (error: unknown): Diagnosis => {
      return { findings: [{ check, message: describeFailure(error) }], areCallsHeld, remarks, mail: null };
    };
  const logger = createLogger("error");
  const cluster = await reachDatabase(config, logger, {}).catch(only("database"));
  if ("findings" in cluster) return cluster;
  try {
    const { connection } = cluster;
    const migrations = await findMigrations(config, connection).catch(
      (error: unknown) => only("versions")(error).findings,
    );
    if (migrations.length > 0) return { findings: migrations, areCallsHeld, remarks, mail: null };
    const [hold, place] = await asOwner(connection, async (client) => [
      await readHold(client),
      await readClusterState(client),
    ]);
    areCallsHeld = hold !== null;
    if (hold !== null) remarks.push(wordsOfHold(hold));
    if (place.system === null || place.timeline === null) remarks.push(UNTOLD);
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
      const findings = [...role, ...others];
      await noteRun(database, "doctor", { findings: findings.length });
      const mail = await readMailState(config, database);
      remarks.push(wordsOfMail(mail));
      return { findings, areCallsHeld, remarks, mail };
    } finally {
      await database.close();
    }
  } finally {
    await cluster.release();
  }
}

/**
 * If a database is empty, older or newer than this release, that is the only finding: the other checks need its tables.
 */
async function findMigrations(config: Config, connection: Connection): Promise<Finding[]> {
  const { isEmpty, pending, unknown } = await migrationsOf(connection);
  if (isEmpty) return [{ check: "database", message: noInstallation(config) }];
  const [newer] = unknown.toReversed();
  if (newer !== undefined) {
    const message = `The database is of a newer release, which made the migration ${newer}: run that one. Nothing else was looked at.`;
    return [{ check: "versions", message }];
  }
  if (pending.length === 0) return [];
  const message = `${pending.length} migrations wait, the first is ${pending[0]}: run liaison migrate, or start a server. Nothing else was looked at.`;
  return [{ check: "migrations", message }];
}
